//! The error table: every code that the API answers with, its status and its message.

use std::{error::Error, sync::Arc};

use axum::response::{IntoResponse, Response};
use compute::Spent;
use http::StatusCode;
use outbound::UnsafeUrl;
use serde::Serialize;
use store::{StoreError, accounts::storage::QuotaError, admission::Admission};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, Type},
};

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $status:literal $text:literal $message:literal;)*) => {
        /// A code of the error table.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Code { $(#[doc = $message] $name,)* }

        impl Code {
            /// Every code.
            pub const ALL: &[Code] = &[$(Code::$name),*];

            /// The code as clients see it.
            pub const fn as_str(self) -> &'static str {
                match self { $(Code::$name => $text,)* }
            }

            /// HTTP status of the response.
            pub fn status(self) -> StatusCode {
                let status = match self { $(Code::$name => $status,)* };
                StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
            }

            /// The message for the caller.
            pub const fn message(self) -> &'static str {
                match self { $(Code::$name => $message,)* }
            }
        }

        /// Every code as a type, with which operations declare what they can answer.
        pub mod code {
            use super::Code;
            use crate::openapi::ErrorCodes;

            $(
                #[doc = $message]
                #[derive(Debug)]
                pub struct $name;

                impl ErrorCodes for $name {
                    fn codes() -> Vec<Code> {
                        vec![Code::$name]
                    }
                }
            )*
        }
    };
}

codes! {
    InvalidRequest = 400 "invalid_request" "The request is not valid; `details` names every problem.";
    IdempotencyKeyMissing = 400 "idempotency_key_missing" "This operation needs an Idempotency-Key header.";
    InvalidReference = 400 "invalid_reference" "The request refers to something that does not exist.";
    ContentRejected = 400 "content_rejected" "The content cannot be processed.";
    ContentTooLarge = 400 "content_too_large" "The content is valid, but larger than what the service can store or return, or a model can read; `details` has the sizes.";
    UnsafeUrl = 400 "unsafe_url" "The URL does not lead to a public web server.";
    UrlUnreachable = 400 "url_unreachable" "The URL cannot be reached, or returned no readable page.";
    AttachmentScopeMismatch = 400 "attachment_scope_mismatch" "The scope of an upload does not fit this operation.";
    UnsupportedMediaType = 400 "unsupported_media_type_for_scope" "The content type is not allowed for uploads of this scope.";
    FileTooLarge = 400 "file_too_large" "The file is too large for uploads of this scope.";
    MediaMismatch = 400 "media_mismatch" "The file does not match what the upload declared.";
    MissingCredentials = 401 "missing_credentials" "Send an API key or access token as `Authorization: Bearer …`.";
    InvalidCredentials = 401 "invalid_credentials" "The credential is malformed, unknown, revoked or expired.";
    InsufficientScope = 403 "insufficient_scope" "The credential lacks a scope that this operation requires.";
    PlanRequired = 403 "plan_required" "The account's plan does not include this.";
    QuotaExceeded = 403 "quota_exceeded" "The account keeps as much as it may; delete something first.";
    AccountSuspended = 403 "account_suspended" "The account is suspended.";
    NotFound = 404 "not_found" "There is no such resource.";
    MethodNotAllowed = 405 "method_not_allowed" "This resource does not support the method; see Allow.";
    IdempotencyInProgress = 409 "idempotency_in_progress" "The operation that this key started is still running.";
    IdempotencyKeyReused = 409 "idempotency_key_reused" "This key was already used with a different request.";
    SourceConflict = 409 "source_conflict" "The source of the operation was changed or deleted in the meantime.";
    AttachmentNotReady = 409 "attachment_not_ready" "An upload is not ready: complete it first, or create another one if it has expired or was rejected.";
    UploadConsumed = 409 "upload_consumed" "An operation has already used this upload.";
    UploadProcessing = 409 "upload_processing" "The upload is still being verified.";
    UploadNotReceived = 409 "upload_not_received" "The file has not arrived yet.";
    UploadRejected = 409 "upload_rejected" "The file was rejected: it does not match what the upload declared.";
    ItemPublished = 409 "item_published" "The texts of a published item cannot be changed; unpublish it first.";
    EditConflict = 409 "edit_conflict" "Another request changed this at the same time; try again.";
    ModerationBlocked = 409 "moderation_blocked" "Moderation does not allow this item to be published.";
    OperationNotCancellable = 409 "operation_not_cancellable" "Only a pending operation can be cancelled.";
    EndpointLimitReached = 409 "endpoint_limit_reached" "The account has the maximum number of webhook endpoints; delete one first.";
    EndpointDisabled = 409 "endpoint_disabled" "The webhook endpoint is disabled; enable it first.";
    UploadExpired = 410 "upload_expired" "The upload has expired; create another one.";
    RateLimited = 429 "rate_limited" "Too many requests in this window.";
    ConcurrencyLimitReached = 429 "concurrency_limit_reached" "The plan allows no more operations at once; wait until one ends.";
    CreditsExhausted = 429 "credits_exhausted" "The credits left this month do not cover this operation.";
    UploadAllowanceExceeded = 429 "upload_allowance_exceeded" "The plan allows no more uploads that are pending, uploaded or processing.";
    InternalError = 500 "internal_error" "Something went wrong on our side.";
    ProviderUnavailable = 503 "provider_unavailable" "The engine is temporarily unavailable; the credits were returned.";
    ProviderTimeout = 503 "provider_timeout" "The operation takes longer than a request may last; repeat the request with the same Idempotency-Key to get the result.";
    UnusableResult = 503 "unusable_result" "The model's answer failed its checks twice; `details` name what it lost. The credits were returned.";
    StorageUnavailable = 503 "storage_unavailable" "File storage is temporarily unavailable.";
    DnsUnavailable = 503 "dns_unavailable" "The host name cannot be resolved at present; try again.";
    QueueUnavailable = 503 "queue_unavailable" "The operation could not be queued and was not started; try again.";
}

impl Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl PartialSchema for Code {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .enum_values(Some(Code::ALL.iter().map(|code| code.as_str())))
            .description(Some("What went wrong; stable, for programs. The examples of error responses have the messages."))
            .into()
    }
}

impl ToSchema for Code {}

/// Most problems reported for one request: more are no honest mistake, and the response must stay small.
pub(crate) const PROBLEMS_MAX: usize = 200;

/// One problem of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Detail {
    /// Location: JSON pointer into the body, or `query.limit`, `header.Idempotency-Key`, `path.id`.
    #[schema(example = "/message")]
    pub path: String,
    /// What is wrong there.
    #[schema(example = "must have at least 1 character")]
    pub message: String,
}

impl Detail {
    /// A problem at `path`.
    pub fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { path: path.into(), message: message.into() }
    }
}

/// The challenge in `WWW-Authenticate` (RFC 6750, section 3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Challenge {
    problem: CredentialProblem,
    /// The scopes that the request needs, separated by spaces; empty if any scope is enough, or if
    /// what it needs is not known.
    scope: String,
}

/// Why a credential does not open a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CredentialProblem {
    /// None was presented: no error code.
    Missing,
    Invalid,
    InsufficientScope,
}

impl Challenge {
    fn new(problem: CredentialProblem) -> Self {
        Self { problem, scope: String::new() }
    }

    /// The challenge to a credential that lacks one of these scopes.
    pub fn insufficient_scope(scope: String) -> Self {
        Self { problem: CredentialProblem::InsufficientScope, scope }
    }

    /// The header's value. `message` becomes `error_description`; `metadata` is the address of the
    /// resource's metadata (RFC 9728, section 5.1).
    pub fn value(&self, message: &str, metadata: Option<&str>) -> String {
        let mut value = r#"Bearer realm="prompt-workflow""#.to_owned();
        let mut add = |name: &str, text: &str| {
            // Quotes and backslashes would end the quoted string early.
            let text: String = text.chars().filter(|c| !matches!(c, '"' | '\\')).collect();
            value.push_str(&format!(r#", {name}="{text}""#));
        };
        match self.problem {
            CredentialProblem::Missing => {}
            CredentialProblem::Invalid => {
                add("error", "invalid_token");
                add("error_description", message);
            }
            CredentialProblem::InsufficientScope => add("error", "insufficient_scope"),
        }
        if !self.scope.is_empty() {
            add("scope", &self.scope);
        }
        if let Some(metadata) = metadata {
            add("resource_metadata", metadata);
        }
        value
    }
}

/// `Retry-After` where nothing says how long a failure lasts, in seconds.
const RETRY_AFTER: u64 = 2;

const STORAGE_UNAVAILABLE: &str = "Storage is temporarily unavailable; repeat the request, with its Idempotency-Key if it has one.";

/// A request that failed.
#[derive(Clone, Debug)]
pub struct ApiError {
    /// Which error.
    pub code: Code,
    /// Message for the caller.
    pub message: String,
    /// Every problem of the request.
    pub details: Vec<Detail>,
    /// Seconds after which a retry makes sense.
    pub retry_after: Option<u64>,
    pub(crate) challenge: Option<Challenge>,
    /// The internal cause: for the log only.
    pub(crate) cause: Option<Arc<dyn Error + Send + Sync>>,
}

impl ApiError {
    /// An error with the message of the table.
    pub fn new(code: Code) -> Self {
        let challenge = match code {
            Code::MissingCredentials => Some(Challenge::new(CredentialProblem::Missing)),
            Code::InvalidCredentials => Some(Challenge::new(CredentialProblem::Invalid)),
            _ => None,
        };
        // Every 429 and 503 has a Retry-After, but for credits: nobody should wait for weeks.
        let passes = matches!(code.status().as_u16(), 429 | 503) && code != Code::CreditsExhausted;
        let retry_after = passes.then_some(RETRY_AFTER);
        Self {
            code,
            message: code.message().to_owned(),
            details: Vec::new(),
            retry_after,
            challenge,
            cause: None,
        }
    }

    /// An error with one problem, at `path`.
    pub fn problem(code: Code, path: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(code).with_details(vec![Detail::new(path, message)])
    }

    /// Both errors as one that names the problems of both, each place once. Of different codes `invalid_request` is
    /// left, or of conflicts the first. An error that names no problem counts only if neither does.
    pub fn and(mut self, other: Self) -> Self {
        if self.details.is_empty() {
            return if other.details.is_empty() { self } else { other };
        }
        let is_new = |detail: &Detail| self.details.iter().all(|known| known.path != detail.path);
        let new: Vec<_> = other.details.into_iter().filter(is_new).collect();
        let is_conflict = |code: Code| code.status() == StatusCode::CONFLICT;
        let are_conflicts = is_conflict(self.code) && is_conflict(other.code);
        let differ = !new.is_empty() && self.code != other.code && !are_conflicts;
        let mut details = std::mem::take(&mut self.details);
        details.extend(new);
        let error = if differ { Self::new(Code::InvalidRequest) } else { self };
        error.with_details(details)
    }

    /// All errors as one, as [`ApiError::and`] joins them.
    pub fn all(errors: impl IntoIterator<Item = Self>) -> Option<Self> {
        errors.into_iter().reduce(Self::and)
    }

    /// Both results, or the errors of both as one.
    pub fn both<A, B>(one: Result<A, Self>, other: Result<B, Self>) -> Result<(A, B), Self> {
        match (one, other) {
            (Ok(one), Ok(other)) => Ok((one, other)),
            (Err(one), Err(other)) => Err(one.and(other)),
            (Err(error), Ok(_)) | (Ok(_), Err(error)) => Err(error),
        }
    }

    /// The refusal of the URL at `path`.
    pub fn unsafe_url(path: &str, reason: UnsafeUrl) -> Self {
        let code = match reason {
            UnsafeUrl::Malformed | UnsafeUrl::TooLong => Code::InvalidRequest,
            _ => Code::UnsafeUrl,
        };
        Self::problem(code, path, reason.to_string())
    }

    /// The account has as many operations under way as its plan allows. The account item may have counted others since
    /// the request was admitted.
    pub fn over_concurrency(Admission { allowance, credits, .. }: &Admission) -> Self {
        let limit = allowance.concurrent_operations;
        let message = format!(
            "{} AI operations and checks of the account are pending or running, and its plan allows {limit} at once; \
             wait until one ends, or cancel a pending one.",
            credits.running.max(limit)
        );
        Self::new(Code::ConcurrencyLimitReached).with_message(message)
    }

    /// Replaces the message.
    pub fn with_message(mut self, message: impl Into<String>) -> Self {
        self.message = message.into();
        self
    }

    /// Adds the problems that caused it, of very many the first.
    pub fn with_details(mut self, mut details: Vec<Detail>) -> Self {
        if details.len() > PROBLEMS_MAX {
            details.truncate(PROBLEMS_MAX);
            details.push(Detail::new("", "has more problems than are named here"));
        }
        self.details = details;
        self
    }

    /// Sets the seconds after which to retry; at least 1.
    pub fn with_retry_after(mut self, seconds: u64) -> Self {
        self.retry_after = Some(seconds.max(1));
        self
    }

    /// This error, or `code` if the only reason is that storage is unavailable for a while.
    pub(crate) fn or_unavailable(self, code: Code) -> Self {
        let cause = self.cause.as_ref().and_then(|cause| cause.downcast_ref::<StoreError>());
        if self.code != Code::InternalError || !cause.is_some_and(StoreError::is_transient) {
            return self;
        }
        Self { code, message: STORAGE_UNAVAILABLE.to_owned(), ..self }
    }

    /// Adds the cause, for the log.
    pub fn caused_by(mut self, cause: impl Error + Send + Sync + 'static) -> Self {
        self.cause = Some(Arc::new(cause));
        self
    }

    /// Whether the caller needs another credential.
    pub fn has_challenge(&self) -> bool {
        self.challenge.is_some()
    }

    /// Names the scopes that the request needs in the challenge, if there is one.
    pub fn requiring(mut self, scopes: &[String]) -> Self {
        if let Some(challenge) = &mut self.challenge {
            challenge.scope = scopes.join(" ");
        }
        self
    }

    pub(crate) fn with_challenge(mut self, challenge: Challenge) -> Self {
        self.challenge = Some(challenge);
        self
    }
}

impl From<StoreError> for ApiError {
    /// Storage that is unavailable for a while passes by itself.
    /// [`crate::routes::PathRoutes::unavailable_as`] has the code of operations that declare 503.
    fn from(error: StoreError) -> Self {
        let failure = ApiError::new(Code::InternalError);
        let failure =
            if error.is_transient() { failure.with_retry_after(RETRY_AFTER) } else { failure };
        failure.caused_by(error)
    }
}

impl From<Spent> for ApiError {
    fn from(spent: Spent) -> Self {
        match spent {
            Spent::Steps => Self::new(Code::ContentTooLarge).with_message(compute::TOO_MUCH_WORK),
            Spent::Stopped => Self::new(Code::InternalError).caused_by(spent),
        }
    }
}

impl From<QuotaError> for ApiError {
    fn from(error: QuotaError) -> Self {
        let exceeded = ApiError::new(Code::QuotaExceeded);
        match error {
            QuotaError::Items { limit } => exceeded.with_message(format!(
                "The account may keep {limit} presets and library items in all; delete one first."
            )),
            QuotaError::Bytes { limit } => exceeded.with_message(format!(
                "The account may keep {limit} bytes in all, and there is no room for this; delete something first."
            )),
            QuotaError::Store(error) => error.into(),
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = self.code.status().into_response();
        response.extensions_mut().insert(self);
        response
    }
}
