//! `GET /capabilities`

use axum::extract::State;
use domain::{EventKind, KeyId, Plan, Scope, Timestamp, plan::Allowance, preset, upload, webhook};
use edge::{
    ApiError, Call, Caller, Data, authentication::Credential, permission::AnyScope,
    response::Envelope,
};
use engine::EngineIdentity;
use serde::Serialize;
use utoipa::ToSchema;

use crate::System;

/// What this deployment offers to this credential.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Capabilities {
    /// Version of the API contract.
    #[schema(example = "1.0.0")]
    api_version: &'static str,
    /// The account's plan.
    plan: Plan,
    /// Scopes of the credential.
    #[schema(value_type = Vec<Scope>)]
    scopes: Vec<&'static str>,
    /// The credential of this request.
    credential: CredentialInfo,
    /// The engine of AI operations.
    engine: EngineIdentity,
    /// Features that are available.
    features: Features,
    /// Limits: the plan's first, then those of all plans.
    limits: Limits,
}

/// The credential of a request.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum CredentialInfo {
    /// An API key.
    #[serde(rename_all = "camelCase")]
    ApiKey {
        /// Identifier of the key.
        id: KeyId,
        /// When the key expires; null if never.
        #[schema(required = true)]
        expires_at: Option<Timestamp>,
    },
    /// An OAuth 2.0 access token.
    #[serde(rename = "oauth", rename_all = "camelCase")]
    AccessToken {
        /// Issuer of the token (`iss`).
        issuer: String,
        /// Subject of the token (`sub`).
        subject: String,
        /// Client that received the token.
        client_id: String,
        /// When the token expires.
        expires_at: Timestamp,
    },
}

impl CredentialInfo {
    fn of(caller: &Caller) -> Self {
        match &caller.credential {
            Credential::ApiKey(key) => {
                Self::ApiKey { id: key.id, expires_at: caller.admission.expires_at }
            }
            Credential::AccessToken(token) => Self::AccessToken {
                issuer: token.claims.issuer.clone(),
                subject: token.claims.subject.name.clone(),
                client_id: token.claims.client_id.clone(),
                expires_at: token.claims.expires_at,
            },
        }
    }
}

/// Features that are available.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Features {
    /// Whether AI operations can be deferred with `Prefer: respond-async`.
    asynchronous_operations: bool,
    /// Whether AI operations accept uploads.
    attachments: bool,
    /// Whether the plan allows library items to be published.
    publishing: bool,
    /// Whether events are delivered to webhook endpoints.
    webhooks: bool,
    /// Whether the MCP interface is available.
    mcp: bool,
}

/// Limits: the plan's first, then those of all plans.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Limits {
    /// Requests per minute, over all credentials of the account.
    requests_per_minute: u32,
    /// AI operations pending or running at once.
    concurrent_operations: u32,
    /// Credits per calendar month, UTC.
    monthly_credits: u32,
    /// Uploads pending, uploaded or processing at once.
    active_uploads: u32,
    /// Total bytes of those uploads.
    active_upload_bytes: u64,
    /// Presets and library items that the account may keep.
    stored_items: u32,
    /// Bytes that the account may keep: presets, library items and history.
    stored_bytes: u64,
    /// Publications, unpublications and deletions of published items per hour. Beyond it, publishing is refused.
    publication_changes_per_hour: u32,
    /// Bytes of a request body.
    request_body_bytes: u64,
    /// Characters of an idempotency key.
    idempotency_key_length: u32,
    /// Seconds for which an idempotency key and its response are kept.
    idempotency_retention_seconds: u64,
    /// Seconds for which the record of an operation is kept.
    operation_retention_seconds: u64,
    /// Seconds for which the result of an operation is kept.
    operation_result_retention_seconds: u64,
    /// Seconds after which a synchronous call is continued in the background.
    synchronous_call_seconds: u64,
    /// Attachments of a request.
    attachments_per_request: u32,
    /// Seconds for which an upload's address accepts the file.
    upload_url_lifetime_seconds: u64,
    /// Seconds for which a temporary file is kept.
    temporary_asset_retention_seconds: u64,
    /// Bytes of an image.
    image_upload_bytes: u64,
    /// Bytes of a video.
    video_upload_bytes: u64,
    /// Frames of a video to reverse-engineer.
    video_frames: u32,
    /// Seconds of a video to reverse-engineer.
    video_duration_seconds: u32,
    /// Items per page of presets, history or operations.
    page_size: u32,
    /// Items per such page by default.
    default_page_size: u32,
    /// Items per page of the library.
    library_page_size: u32,
    /// Variables of a preset.
    preset_variables: u32,
    /// Characters of the name of a preset's value.
    preset_value_name_length: u32,
    /// Characters of a preset's value.
    preset_value_length: u32,
    /// Live API keys of an account.
    api_keys: u32,
    /// Webhook endpoints of an account.
    webhook_endpoints: u32,
    /// Kinds of event that a webhook endpoint subscribes to.
    webhook_events: u32,
    /// Seconds for which a webhook receiver may take to respond.
    webhook_response_seconds: u64,
}

impl Limits {
    fn of(allowance: &Allowance) -> Self {
        Self {
            requests_per_minute: allowance.requests_per_minute,
            concurrent_operations: allowance.concurrent_operations,
            monthly_credits: allowance.monthly_credits,
            active_uploads: allowance.active_uploads,
            active_upload_bytes: allowance.active_upload_bytes,
            stored_items: allowance.stored_items,
            stored_bytes: allowance.stored_bytes,
            publication_changes_per_hour: allowance.publication_changes_per_hour,
            request_body_bytes: edge::input::BODY_LIMIT as u64,
            idempotency_key_length: edge::input::KEY_MAX as u32,
            idempotency_retention_seconds: domain::operation::RESULT_RETENTION.as_secs(),
            operation_retention_seconds: domain::operation::RECORD_RETENTION.as_secs(),
            operation_result_retention_seconds: domain::operation::RESULT_RETENTION.as_secs(),
            synchronous_call_seconds: domain::operation::CALL_DEADLINE.as_secs(),
            attachments_per_request: upload::ATTACHMENTS_MAX as u32,
            upload_url_lifetime_seconds: upload::URL_LIFETIME.as_secs(),
            temporary_asset_retention_seconds: upload::RETENTION.as_secs(),
            image_upload_bytes: upload::IMAGE_MAX,
            video_upload_bytes: upload::VIDEO_MAX,
            video_frames: 30,
            video_duration_seconds: 600,
            page_size: 100,
            default_page_size: 25,
            library_page_size: 30,
            preset_variables: preset::VALUES_MAX as u32,
            preset_value_name_length: preset::NAME_MAX as u32,
            preset_value_length: preset::VALUE_MAX as u32,
            api_keys: store::accounts::KEYS_PER_ACCOUNT as u32,
            webhook_endpoints: webhook::ENDPOINTS_MAX as u32,
            webhook_events: EventKind::ALL.len() as u32,
            webhook_response_seconds: webhook::RESPONSE_DEADLINE.as_secs(),
        }
    }
}

/// Read what this deployment offers to this credential.
#[utoipa::path(
    get, path = "/capabilities",
    security(("bearer" = [])),
    responses(
        (status = 200, description = "Plan, scopes, engine, features and limits.", body = Envelope<Capabilities>),
    ),
)]
pub async fn get_capabilities(
    State(system): State<System>,
    call: Call<AnyScope, ()>,
) -> Result<Data<Capabilities>, ApiError> {
    let (caller, ()) = call.admit().await?;
    let admission = &caller.admission;
    Ok(Data::new(Capabilities {
        api_version: "1.0.0",
        plan: admission.plan,
        scopes: admission.scopes.iter().map(Scope::as_str).collect(),
        credential: CredentialInfo::of(&caller),
        engine: system.engine.clone(),
        features: Features {
            asynchronous_operations: true,
            attachments: true,
            publishing: admission.allowance.publishing,
            webhooks: true,
            // The MCP interface accepts only access tokens.
            mcp: system.edge.resource_server().is_some(),
        },
        limits: Limits::of(&admission.allowance),
    }))
}
