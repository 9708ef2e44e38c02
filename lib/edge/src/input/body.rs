//! The JSON body, validated against its schema.

use bytes::Bytes;
use serde::{Deserialize, Deserializer, de::DeserializeOwned};
use serde_json::Value;
use utoipa::ToSchema;

use super::{Input, Problems, RawRequest, headers::single, json, schema};
use crate::{Detail, input::idempotency};

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

    fn read(raw: &RawRequest) -> Result<Self, Problems> {
        let (value, mut details) = json_of(raw)?;
        let validator = schema::validator_of::<T>(schema::of_type::<T>);
        details.extend(schema::problems(&validator, &value));
        if raw.is_declared_only() {
            details.extend(schema::ignored(&schema::of_type::<T>(), &value));
        }
        if !details.is_empty() {
            return Err(details.into());
        }
        let fingerprint = idempotency::fingerprint(raw.head.uri.path(), &value);
        // The schema covers the form; only the type's own rules can fail here.
        let value = serde_json::from_value(value)
            .map_err(|error| Problems::one(Detail::new("", broken_rule(&error))))?;
        Ok(Self { value, fingerprint })
    }
}

/// An optional body; absent means an empty object.
#[derive(Clone, Debug)]
pub struct OptionalBody<T>(pub T);

impl<T: ToSchema + DeserializeOwned + Default + Send + 'static> Input for OptionalBody<T> {
    const READS_BODY: bool = true;

    fn read(raw: &RawRequest) -> Result<Self, Problems> {
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

fn json_of(raw: &RawRequest) -> Result<(Value, Vec<Detail>), Problems> {
    let media_type = single(&raw.head.headers, "Content-Type")?;
    let encoding = single(&raw.head.headers, "Content-Encoding")?;
    if encoding.is_some_and(|encoding| !encoding.trim().eq_ignore_ascii_case("identity")) {
        let detail = Detail::new("header.Content-Encoding", "must be identity or absent");
        return Err(Problems::one(detail));
    }
    let essence = media_type.and_then(|value| value.split(';').next()).map(str::trim);
    if !essence.is_some_and(|essence| essence.eq_ignore_ascii_case("application/json")) {
        let detail = Detail::new("header.Content-Type", "must be application/json");
        return Err(Problems::one(detail));
    }
    let bytes = raw.body.clone().map_err(Problems::one)?;
    json::parse(&bytes).map_err(Problems::one)
}
