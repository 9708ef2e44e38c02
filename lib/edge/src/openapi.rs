//! The OpenAPI 3.1 document, generated from the declarations that validate.

use std::collections::BTreeMap;

use utoipa::{
    IntoResponses, Modify, OpenApi,
    openapi::{
        HeaderBuilder, ObjectBuilder, RefOr, Response, Schema, Type,
        path::Operation,
        security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme},
    },
};
use utoipa_axum::router::OpenApiRouter;

use crate::{
    Code, Detail,
    input::IDEMPOTENCY_KEY,
    response::OperationObject,
    response::{Envelope, ErrorBody, ErrorEnvelope},
};

/// The parts of the document that no operation declares.
#[derive(Debug, OpenApi)]
#[openapi(
    info(
        title = "Prompt Workflow Service",
        version = "1.0.0",
        description = "Generate, analyze, optimize, refine and reverse-engineer prompts for 37 target models.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0"),
    ),
    tags(
        (name = "System", description = "The service, its models and your account."),
        (name = "Prompts", description = "AI operations: each costs credits and is safe to retry with its Idempotency-Key."),
        (name = "Uploads", description = "Temporary files for workflows: create, PUT the file to the returned address, complete."),
        (name = "Presets", description = "Prompts with variables and saved values, rendered with overrides."),
        (name = "Library", description = "A shared library of prompts: private, community and official items, saves and votes."),
        (name = "History", description = "Results of AI operations: read, rename, delete."),
        (name = "Webhooks", description = "Receivers of signed events, as in Standard Webhooks 1.0."),
        (name = "Operations", description = "Running and finished AI operations: list, poll, cancel."),
    ),
    components(schemas(ErrorEnvelope, ErrorBody, Code, Detail)),
    modifiers(&Bearer),
)]
pub struct Document;

/// The authentication of all operations except the public ones.
struct Bearer;

impl Modify for Bearer {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let scheme = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some(
                "An API key, or an OAuth 2.0 access token (RFC 9068) of an issuer that \
                 `/.well-known/oauth-protected-resource/v1` names (RFC 9728).",
            ))
            .build();
        document
            .components
            .get_or_insert_default()
            .add_security_scheme("bearer", SecurityScheme::Http(scheme));
    }
}

/// Errors of every authenticated operation: `add_common_errors` declares them.
#[derive(Debug, IntoResponses)]
pub enum CommonErrors {
    /// The request is not valid; `details` names every problem.
    #[response(status = 400)]
    BadRequest(ErrorEnvelope),
    /// The credential is missing or invalid.
    #[response(status = 401)]
    Unauthorized(ErrorEnvelope),
    /// The credential lacks a scope, or the plan, a quota or a suspension forbids this.
    #[response(status = 403)]
    Forbidden(ErrorEnvelope),
    /// A rate, concurrency, credit or upload limit is reached; see `Retry-After`.
    #[response(status = 429)]
    TooManyRequests(ErrorEnvelope),
    /// Something went wrong on the server.
    #[response(status = 500)]
    Internal(ErrorEnvelope),
}

/// An AI operation that is deferred.
#[derive(Debug, IntoResponses)]
pub enum Accepted {
    /// Accepted; poll the operation. A retry with the same key returns the same response, unless the operation has failed: then the key is free.
    #[response(status = 202, headers(
        ("Location" = String, description = "Address of the operation."),
        ("Preference-Applied" = String, description = "`respond-async`."),
        ("Idempotent-Replayed" = String, description = "`true` if an earlier request with this key was accepted; the body is the operation as it was then."),
    ))]
    Accepted(Envelope<OperationObject>),
}

/// What an AI operation that can be deferred responds apart from its result.
#[derive(Debug)]
pub struct Deferrable;

impl IntoResponses for Deferrable {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let sets = [Accepted::responses(), Conflict::responses(), ServiceUnavailable::responses()];
        sets.into_iter().flatten().collect()
    }
}

/// An operation on a resource that may not exist.
#[derive(Debug, IntoResponses)]
pub enum NotFound {
    /// There is no such resource, or it is not yours.
    #[response(status = 404)]
    NotFound(ErrorEnvelope),
}

/// An operation that some states of its resource forbid.
#[derive(Debug, IntoResponses)]
pub enum Conflict {
    /// The current state does not allow this.
    #[response(status = 409)]
    Conflict(ErrorEnvelope),
}

/// An operation on a resource that may have expired.
#[derive(Debug, IntoResponses)]
pub enum Gone {
    /// The resource has expired.
    #[response(status = 410)]
    Gone(ErrorEnvelope),
}

/// An operation that depends on another service.
#[derive(Debug, IntoResponses)]
pub enum ServiceUnavailable {
    /// A required service is temporarily unavailable; see `Retry-After`.
    #[response(status = 503)]
    Unavailable(ErrorEnvelope),
}

/// Puts every operation of a function under the function's tag.
pub fn tagged<S>(tag: &str, mut router: OpenApiRouter<S>) -> OpenApiRouter<S>
where
    S: Clone + Send + Sync + 'static,
{
    for operation in operations(router.get_openapi_mut()) {
        operation.tags = Some(vec![tag.to_owned()]);
    }
    router
}

fn operations(document: &mut utoipa::openapi::OpenApi) -> impl Iterator<Item = &mut Operation> {
    let items = document.paths.paths.values_mut();
    items
        .flat_map(|item| [&mut item.get, &mut item.post, &mut item.patch, &mut item.delete])
        .flatten()
}

/// Whether the operation needs no credential.
fn is_public(operation: &Operation) -> bool {
    let security = operation.security.as_ref();
    security.is_some_and(|all| all.iter().all(|one| *one == SecurityRequirement::default()))
}

/// Identifies each operation by the name of its handler, in camel case.
pub(crate) fn identify_operations(document: &mut utoipa::openapi::OpenApi) {
    for operation in operations(document) {
        operation.operation_id = operation.operation_id.as_deref().map(camel_case);
    }
}

fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |mut text, word| {
        let mut letters = word.chars();
        text.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        text + letters.as_str()
    })
}

/// Declares the errors of every authenticated operation.
pub(crate) fn add_common_errors(document: &mut utoipa::openapi::OpenApi) {
    for operation in operations(document).filter(|operation| !is_public(operation)) {
        operation.responses.responses.extend(CommonErrors::responses());
    }
}

/// An optional body is declared as an `Option`, which would be shown as nullable.
pub(crate) fn refuse_null_bodies(document: &mut utoipa::openapi::OpenApi) {
    for operation in operations(document) {
        let Some(RefOr::T(body)) = &mut operation.request_body else { continue };
        for content in body.content.values_mut() {
            if let RefOr::T(content) = content
                && let Some(RefOr::T(Schema::OneOf(choice))) = &content.schema
                && let [RefOr::Ref(body), RefOr::T(_)] = choice.items.as_slice()
            {
                content.schema = Some(RefOr::Ref(body.clone()));
            }
        }
    }
}

/// Documents the headers that [`crate::middleware`] adds to responses, and the one of results that
/// an idempotency key replays.
pub(crate) fn add_common_headers(document: &mut utoipa::openapi::OpenApi) {
    for operation in operations(document) {
        let (public, keyed) = (is_public(operation), takes_idempotency_key(operation));
        for (status, response) in &mut operation.responses.responses {
            let RefOr::T(response) = response else { continue };
            let replayed = (keyed && status == "200").then_some((
                "Idempotent-Replayed",
                Type::String,
                "`true` when an earlier request with this key gave the result.",
            ));
            for (name, kind, description) in
                common_headers(status, public).into_iter().chain(replayed)
            {
                let header = HeaderBuilder::new()
                    .schema(Some(ObjectBuilder::new().schema_type(kind)))
                    .description(Some(description))
                    .build();
                response.headers.insert(name.to_owned(), RefOr::T(header));
            }
        }
    }
}

fn takes_idempotency_key(operation: &Operation) -> bool {
    operation.parameters.iter().flatten().any(
        |parameter| matches!(parameter, RefOr::T(parameter) if parameter.name == IDEMPOTENCY_KEY),
    )
}

fn common_headers(status: &str, public: bool) -> Vec<(&'static str, Type, &'static str)> {
    let mut headers = vec![("X-Request-Id", Type::String, "Identifier of this request.")];
    if !public && status != "401" {
        headers.extend([
            ("RateLimit-Limit", Type::Integer, "Requests that the plan allows in one window."),
            ("RateLimit-Remaining", Type::Integer, "Requests left in the window."),
            ("RateLimit-Reset", Type::Integer, "Seconds until the window ends."),
        ]);
    }
    match status {
        "401" | "403" => {
            headers.push((
                "WWW-Authenticate",
                Type::String,
                "The missing credential or scope (RFC 6750).",
            ));
        }
        "409" | "429" | "500" | "503" => {
            headers.push((
                "Retry-After",
                Type::Integer,
                "Seconds after which to retry, if that makes sense.",
            ));
        }
        _ => {}
    }
    headers
}
