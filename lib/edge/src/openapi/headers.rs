//! The headers that [`crate::middleware`] adds to responses, and the one of replayed results.

use serde_json::Value;
use utoipa::openapi::{
    Components, HeaderBuilder, ObjectBuilder, Ref, RefOr, Type, path::Operation,
};

use super::is_public;
use crate::input::IDEMPOTENCY_KEY;

const REQUEST_ID: &str = "X-Request-Id";
const RATE: [&str; 3] = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"];
const CHALLENGE: &str = "WWW-Authenticate";
const RETRY_AFTER: &str = "Retry-After";
const REPLAYED: &str = "Idempotent-Replayed";
const APPLIED: &str = "Preference-Applied";
const LOCATION: &str = "Location";
/// Headers that a response with their declaration always has. The others depend on the request or on the error; those
/// about the rate are absent where the service failed before it knew the account.
const REQUIRED: [&str; 3] = [REQUEST_ID, LOCATION, APPLIED];

/// Declares each header once.
pub(super) fn declare(components: &mut Components) {
    let text = ObjectBuilder::new().schema_type(Type::String).build();
    let count = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0)).build();
    let declared = [
        (REQUEST_ID, text.clone(), "Identifier of this request."),
        (RATE[0], count.clone(), "Requests that the plan allows in one window."),
        (RATE[1], count.clone(), "Requests left in the window."),
        (RATE[2], count.clone(), "Seconds until the window ends."),
        (CHALLENGE, text.clone(), "The missing credential or scope (RFC 6750)."),
        (RETRY_AFTER, count, "Seconds after which to retry, if that makes sense."),
        (APPLIED, text.clone(), "`respond-async`."),
        (LOCATION, text.clone(), "Address of the operation."),
        (
            REPLAYED,
            text,
            "`true` when an earlier request with this key gave the result or was accepted.",
        ),
    ];
    components.headers.extend(declared.map(|(name, schema, description)| {
        let header =
            HeaderBuilder::new().schema(Some(schema)).description(Some(description)).build();
        (name.to_owned(), RefOr::T(header))
    }));
}

/// Marks the headers that are always there.
pub(super) fn require(document: &mut Value) {
    for name in REQUIRED {
        document["components"]["headers"][name]["required"] = true.into();
    }
}

/// Refers to the headers of each response.
pub(super) fn add(operation: &mut Operation) {
    let (public, keyed) = (is_public(operation), takes(operation, IDEMPOTENCY_KEY));
    for (status, response) in &mut operation.responses.responses {
        let RefOr::T(response) = response else { continue };
        let mut names = vec![REQUEST_ID];
        if !public && status != "401" {
            names.extend(RATE);
        }
        match status.as_str() {
            "202" => names.extend([LOCATION, APPLIED, REPLAYED]),
            "200" if keyed => names.push(REPLAYED),
            "401" | "403" => names.push(CHALLENGE),
            "409" | "429" | "500" | "503" => names.push(RETRY_AFTER),
            _ => {}
        }
        response.headers.extend(names.into_iter().map(|name| {
            let reference = Ref::new(format!("#/components/headers/{name}"));
            (name.to_owned(), RefOr::Ref(reference))
        }));
    }
}

fn takes(operation: &Operation, header: &str) -> bool {
    operation
        .parameters
        .iter()
        .flatten()
        .any(|parameter| matches!(parameter, RefOr::T(parameter) if parameter.name == header))
}
