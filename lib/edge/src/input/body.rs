//! The JSON body, validated against its schema.

use bytes::Bytes;
use http::HeaderMap;
use serde::{Deserialize, Deserializer, de::DeserializeOwned};
use serde_json::Value;
use utoipa::ToSchema;

use super::{Input, RawRequest, headers::single, invalid, json, schema};
use crate::{ApiError, Code, Detail, input::idempotency};

/// A body that satisfies the schema of `T`.
#[derive(Clone, Debug)]
pub struct Body<T> {
    /// The parsed body.
    pub value: T,
    /// SHA-256 of the request's path and body: see [`idempotency::fingerprint`].
    pub fingerprint: [u8; 32],
}

impl<T: ToSchema + DeserializeOwned + Send + 'static> Input for Body<T> {
    const READS_BODY: bool = true;

    fn read(raw: &mut RawRequest) -> Result<Self, ApiError> {
        let (value, mut details) = json_of(raw)?;
        let schema = schema::of::<T>(schema::of_type::<T>);
        details.extend(schema.problems(&value));
        if raw.is_declared_only() {
            details.extend(schema.ignored(&value));
        }
        let fingerprint = idempotency::fingerprint(raw.head.uri.path(), &value);
        raw.content = value;
        if !details.is_empty() {
            return Err(refused(details));
        }
        // The schema covers the form; only the type's own rules can fail here.
        let value =
            T::deserialize(&raw.content).map_err(|error| invalid("", broken_rule(&error)))?;
        Ok(Self { value, fingerprint })
    }
}

/// An optional body; absent means an empty object.
#[derive(Clone, Debug)]
pub struct OptionalBody<T>(pub T);

impl<T: ToSchema + DeserializeOwned + Default + Send + 'static> Input for OptionalBody<T> {
    const READS_BODY: bool = true;

    fn read(raw: &mut RawRequest) -> Result<Self, ApiError> {
        if raw.body.as_ref().is_ok_and(Bytes::is_empty) {
            return Ok(Self(T::default()));
        }
        Body::read(raw).map(|body| Self(body.value))
    }
}

/// Reads a property that is optional and may be null: `None` if it is absent, for which the field needs
/// `#[serde(default)]`, and `Some(None)` if it is null.
///
/// # Errors
///
/// The value is not a `T`.
pub fn nullable<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// The message of a type that rejects a value which its schema allows: the type's own rule, or a
/// whole number that is too large for it, for which serde's wording is replaced.
pub(super) fn broken_rule(error: &serde_json::Error) -> String {
    let said = error.to_string();
    let is_number = ["invalid type", "invalid value"].iter().any(|start| said.starts_with(start));
    if is_number { "has a number out of range".to_owned() } else { said }
}

fn refused(details: Vec<Detail>) -> ApiError {
    ApiError::new(Code::InvalidRequest).with_details(details)
}

/// The body, with its problems so far.
///
/// # Errors
///
/// There is no JSON to look into. What is not declared as JSON may still be some, and have problems of its own.
fn json_of(raw: &mut RawRequest) -> Result<(Value, Vec<Detail>), ApiError> {
    let bytes = std::mem::replace(&mut raw.body, Ok(Bytes::new()));
    if bytes.as_ref().is_ok_and(|bytes| bytes.trim_ascii().is_empty()) {
        return Err(invalid("", "is missing"));
    }
    let (declared, plain) = (is_json(&raw.head.headers), is_plain(&raw.head.headers));
    let is_encoded = plain.is_err();
    let headers = [declared, plain].into_iter().filter_map(Result::err);
    let mut details: Vec<_> = headers.flat_map(|error| error.details).collect();
    let bytes = match bytes {
        Ok(bytes) if !is_encoded => bytes,
        unread => {
            details.extend(unread.err());
            return Err(refused(details));
        }
    };
    match json::parse(&bytes) {
        Ok((value, repeated)) => Ok((value, [details, repeated].concat())),
        Err(detail) if details.is_empty() => Err(refused(vec![detail])),
        Err(_) => Err(refused(details)),
    }
}

/// Checks that a body has no encoding.
fn is_plain(headers: &HeaderMap) -> Result<(), ApiError> {
    match single(headers, "Content-Encoding")? {
        Some(encoding) if !encoding.trim().eq_ignore_ascii_case("identity") => {
            Err(invalid("header.Content-Encoding", "must be identity or absent"))
        }
        _ => Ok(()),
    }
}

/// Checks that a body is declared as JSON.
fn is_json(headers: &HeaderMap) -> Result<(), ApiError> {
    let media_type = single(headers, "Content-Type")?;
    let essence = media_type.and_then(|value| value.split(';').next()).map(str::trim);
    match essence.is_some_and(|essence| essence.eq_ignore_ascii_case("application/json")) {
        true => Ok(()),
        false => Err(invalid("header.Content-Type", "must be application/json")),
    }
}
