//! The OpenAPI 3.1 document, generated from the declarations that validate.

mod errors;
mod examples;
mod headers;
mod links;
mod schemas;

use std::{collections::BTreeMap, marker::PhantomData};

use errors::OfAiOperations;
pub use errors::{ErrorCodes, Errors};
use serde_json::{Value, json};
use utoipa::{
    IntoResponses, Modify, OpenApi,
    openapi::{
        PathItem, RefOr, Response, Schema,
        path::Operation,
        security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme},
    },
};

pub use crate::response::error::code;
use crate::{
    Code, Detail,
    response::OperationObject,
    response::{Envelope, ErrorBody, ErrorEnvelope},
};

/// The request identifier in examples.
pub(crate) const EXAMPLE_REQUEST: &str = "req_01JD8M3Z5Q4N7V9X2B6C8D0E1F";

/// The parts of the document that no operation declares.
#[derive(Debug, OpenApi)]
#[openapi(
    info(
        title = "Prompt Workflow Service",
        version = "1.0.0",
        description = "Generate, analyze, optimize, refine and reverse-engineer prompts for 37 target models.\n\nOn AWS, API Gateway itself answers a request beyond its throttle (429), one that does not fit into an event (413) and one whose function does not answer (500, 503, 504). Such an answer is `{\"message\": …}`, without `X-Request-Id` and rate headers.",
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
        (name = "Events", description = "What the service posts to these receivers."),
        (name = "Extensions", description = "Additions to the 45 operations of the contract; they follow every rule of these."),
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

/// An AI operation that is deferred.
#[derive(Debug, IntoResponses)]
#[allow(dead_code, reason = "it is declared, not made")]
enum Accepted {
    /// Accepted; poll the operation. A retry with the same key returns the same response, with the operation as it was
    /// then, unless the operation has failed: then the key is free.
    #[response(status = 202)]
    Accepted(Envelope<OperationObject>),
}

/// What an AI operation that can be deferred responds apart from its result; `E` are errors that not all of them have.
#[derive(Debug)]
pub struct Deferrable<E = ()>(PhantomData<E>);

impl<E: ErrorCodes> IntoResponses for Deferrable<E> {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        Accepted::responses().into_iter().chain(Synchronous::<E>::responses()).collect()
    }
}

/// What an AI operation that cannot be deferred responds apart from its result.
pub type Synchronous<E = ()> = Errors<(OfAiOperations, E)>;

fn operations(document: &mut utoipa::openapi::OpenApi) -> impl Iterator<Item = &mut Operation> {
    document.paths.paths.values_mut().flat_map(operations_of)
}

/// The operations of a path.
pub(crate) fn operations_of(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [&mut item.get, &mut item.post, &mut item.patch, &mut item.delete].into_iter().flatten()
}

/// Whether the operation needs no credential.
fn is_public(operation: &Operation) -> bool {
    let security = operation.security.as_ref();
    security.is_some_and(|all| all.iter().all(|one| *one == SecurityRequirement::default()))
}

/// Identifies each operation by the name of its handler, in camel case.
fn identify(operation: &mut Operation) {
    operation.operation_id = operation.operation_id.as_deref().map(camel_case);
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

/// An optional body is declared as an `Option`, which would be shown as nullable.
fn refuse_null_body(operation: &mut Operation) {
    let Some(RefOr::T(body)) = &mut operation.request_body else { return };
    for content in body.content.values_mut() {
        if let RefOr::T(content) = content
            && let Some(RefOr::T(Schema::OneOf(choice))) = &content.schema
            && let [RefOr::Ref(body), RefOr::T(_)] = choice.items.as_slice()
        {
            content.schema = Some(RefOr::Ref(body.clone()));
        }
    }
}

/// Completes what the operations declare of themselves; `examples` has a request and a response of each, by its identifier.
pub(crate) fn complete(mut document: utoipa::openapi::OpenApi, examples: &Value) -> Value {
    for operation in operations(&mut document) {
        identify(operation);
        errors::add_common(operation);
        headers::add(operation);
        refuse_null_body(operation);
    }
    let components = document.components.get_or_insert_default();
    errors::add_examples(components);
    headers::declare(components);
    let mut document = json!(document);
    headers::require(&mut document);
    schemas::complete(&mut document);
    links::add(&mut document);
    examples::add(&mut document, examples);
    errors::share(&mut document);
    document
}

/// Every operation of the document: its path, its method and itself.
fn each_operation(document: &mut Value) -> impl Iterator<Item = (&String, &String, &mut Value)> {
    let paths = document["paths"].as_object_mut().into_iter().flatten();
    paths.flat_map(|(path, item)| {
        let operations = item.as_object_mut().into_iter().flatten();
        operations.map(move |(method, operation)| (path, method, operation))
    })
}
