//! The errors of operations: which codes, under which statuses.

use std::{collections::BTreeMap, marker::PhantomData};

use serde_json::{Map, Value, json};
use utoipa::{
    IntoResponses,
    openapi::{
        Components, ContentBuilder, Ref, RefOr, Response, ResponseBuilder,
        example::{Example, ExampleBuilder},
        path::Operation,
    },
};

use super::{each_operation, is_public};
use crate::{Code, openapi::code};

/// Error codes of an operation: one of [`code`], or several as a tuple.
pub trait ErrorCodes {
    /// The codes.
    fn codes() -> Vec<Code>;
}

impl ErrorCodes for () {
    fn codes() -> Vec<Code> {
        Vec::new()
    }
}

macro_rules! tuples {
    ($($($name:ident)+;)*) => {$(
        impl<$($name: ErrorCodes),+> ErrorCodes for ($($name,)+) {
            fn codes() -> Vec<Code> {
                [$($name::codes()),+].concat()
            }
        }
    )*};
}

tuples! { A B; A B C; A B C D; A B C D E; A B C D E F; A B C D E F G; A B C D E F G H; }

/// The error responses of an operation, besides those that every operation has.
#[derive(Debug)]
pub struct Errors<T>(PhantomData<T>);

impl<T: ErrorCodes> IntoResponses for Errors<T> {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        responses_of(T::codes())
    }
}

/// What every AI operation can answer.
pub(super) type OfAiOperations = (
    (
        code::IdempotencyKeyMissing,
        code::InvalidReference,
        code::AttachmentScopeMismatch,
        code::ContentRejected,
        code::ContentTooLarge,
        code::QuotaExceeded,
    ),
    (
        code::IdempotencyInProgress,
        code::IdempotencyKeyReused,
        code::AttachmentNotReady,
        code::UploadConsumed,
    ),
    (code::ConcurrencyLimitReached, code::CreditsExhausted),
    (
        code::ProviderUnavailable,
        code::ProviderTimeout,
        code::UnusableResult,
        code::QueueUnavailable,
    ),
);

/// Declares the errors of every authenticated operation, beside its own.
pub(super) fn add_common(operation: &mut Operation) {
    if is_public(operation) {
        return;
    }
    let mut codes = vec![
        Code::InvalidRequest,
        Code::MissingCredentials,
        Code::InvalidCredentials,
        Code::AccountSuspended,
        Code::RateLimited,
        Code::InternalError,
    ];
    if needs_scope(operation) {
        codes.push(Code::InsufficientScope);
    }
    let responses = &mut operation.responses.responses;
    codes.extend(Code::ALL.iter().filter(|code| {
        let response = responses.get(code.status().as_str());
        matches!(response, Some(RefOr::T(response)) if declares(response, **code))
    }));
    responses.extend(responses_of(codes));
}

fn needs_scope(operation: &Operation) -> bool {
    let security = json!(operation.security);
    security[0]["bearer"].as_array().is_some_and(|scopes| !scopes.is_empty())
}

fn declares(response: &Response, code: Code) -> bool {
    response.content.values().any(|content| {
        matches!(content, RefOr::T(content) if content.examples.contains_key(code.as_str()))
    })
}

/// A response for each status. The names of its examples are its codes.
fn responses_of(mut codes: Vec<Code>) -> BTreeMap<String, RefOr<Response>> {
    codes.sort_by_key(|code| Code::ALL.iter().position(|one| one == code));
    codes.dedup();
    let mut by_status: BTreeMap<String, Vec<Code>> = BTreeMap::new();
    for code in codes {
        by_status.entry(code.status().as_str().to_owned()).or_default().push(code);
    }
    by_status
        .into_iter()
        .map(|(status, codes)| {
            let response = response_of(&status, &codes);
            (status, RefOr::T(response))
        })
        .collect()
}

fn response_of(status: &str, codes: &[Code]) -> Response {
    let examples = codes.iter().map(|code| {
        let example = Ref::new(format!("#/components/examples/{}", code.as_str()));
        (code.as_str(), RefOr::<Example>::Ref(example))
    });
    let content = ContentBuilder::new()
        .schema(Some(Ref::from_schema_name("ErrorEnvelope")))
        .examples_from_iter(examples);
    ResponseBuilder::new()
        .description(meaning(status))
        .content("application/json", content.build())
        .build()
}

/// What the codes of a status have in common.
fn meaning(status: &str) -> &'static str {
    match status {
        "400" => "The request is not valid; `details` names every problem.",
        "401" => "The credential is missing or invalid.",
        "403" => "The credential lacks a scope, or the plan, a quota or a suspension forbids this.",
        "404" => "There is no such resource, or it is not yours.",
        "409" => "The current state does not allow this.",
        "410" => "The resource has expired.",
        "429" => "A rate, concurrency, credit or upload limit is reached.",
        "503" => "A required service is temporarily unavailable; see `Retry-After`.",
        _ => "Something went wrong on the server.",
    }
}

/// Lets operations with the same errors refer to one response.
pub(super) fn share(document: &mut Value) {
    let mut shared = Map::new();
    for (_, _, operation) in each_operation(document) {
        for (status, response) in operation["responses"].as_object_mut().into_iter().flatten() {
            let codes = response["content"]["application/json"]["examples"].as_object();
            let Some(codes) = codes.filter(|_| !status.starts_with('2')) else { continue };
            let name = codes.keys().map(|code| pascal_case(code)).collect::<Vec<_>>().join("-");
            let reference = json!({"$ref": format!("#/components/responses/{name}")});
            let response = std::mem::replace(response, reference);
            shared.entry(name).or_insert(response);
        }
    }
    shared.sort_keys();
    document["components"]["responses"] = Value::Object(shared);
}

fn pascal_case(code: &str) -> String {
    super::camel_case(&format!("_{code}"))
}

/// An example of each error, by its code.
pub(super) fn add_examples(components: &mut Components) {
    // No operation declares what an unknown method gets.
    for code in Code::ALL.iter().filter(|code| **code != Code::MethodNotAllowed) {
        let mut error = json!({"code": code.as_str(), "message": code.message()});
        if *code == Code::InvalidRequest {
            error["details"] =
                json!([{"path": "/message", "message": "must have at least 1 character"}]);
        }
        let body = json!({"error": error, "requestId": super::EXAMPLE_REQUEST});
        let example = ExampleBuilder::new().value(Some(body)).build();
        components.examples.insert(code.as_str().to_owned(), RefOr::T(example));
    }
}
