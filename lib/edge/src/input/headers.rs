//! Request headers that operations read.

use std::time::Duration;

use http::HeaderMap;
use utoipa::{
    IntoParams,
    openapi::{
        ObjectBuilder, Required, Type,
        path::{Parameter, ParameterBuilder, ParameterIn},
    },
};

use super::{Input, RawRequest, invalid};
use crate::{ApiError, Code};

/// Name of the header with the idempotency key.
pub(crate) const IDEMPOTENCY_KEY: &str = "Idempotency-Key";
/// Most characters of an idempotency key.
pub const KEY_MAX: usize = 255;
/// Name of the header with what the caller prefers (RFC 7240).
const PREFER: &str = "Prefer";
/// The only preference.
pub const RESPOND_ASYNC: &str = "respond-async";

/// The key that makes a retry return the first result: 1–255 characters, kept 24 hours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyKey {
    /// The key.
    pub text: String,
    /// How long the key is kept, if not 24 hours.
    pub lifetime: Option<Duration>,
}

/// Extension of an internal request: how long its idempotency key is kept once the operation has
/// ended.
#[derive(Clone, Copy, Debug)]
pub struct KeyLifetime(pub Duration);

/// The single value of a header; `None` if it is absent.
pub(super) fn single<'a>(headers: &'a HeaderMap, name: &str) -> Result<Option<&'a str>, ApiError> {
    let path = format!("header.{name}");
    let mut values = headers.get_all(name).iter();
    let Some(value) = values.next() else { return Ok(None) };
    if values.next().is_some() {
        return Err(invalid(path, "is given more than once"));
    }
    match std::str::from_utf8(value.as_bytes()) {
        Ok(text) => Ok(Some(text)),
        Err(_) => Err(invalid(path, "must be UTF-8")),
    }
}

/// The values of a header, with a comma between them (RFC 9110, section 5.3): API Gateway joins them so before a
/// function sees them, and a comma may be part of a value. `None` if the header is absent.
fn joined(headers: &HeaderMap, name: &str) -> Result<Option<String>, ApiError> {
    let values = headers.get_all(name).iter().map(|value| std::str::from_utf8(value.as_bytes()));
    let values: Vec<_> = values
        .collect::<Result<_, _>>()
        .map_err(|_| invalid(format!("header.{name}"), "must be UTF-8"))?;
    Ok((!values.is_empty()).then(|| values.join(",")))
}

impl Input for IdempotencyKey {
    fn read(raw: &mut RawRequest) -> Result<Self, ApiError> {
        let path = format!("header.{IDEMPOTENCY_KEY}");
        let Some(text) = joined(&raw.head.headers, IDEMPOTENCY_KEY)? else {
            return Err(ApiError::problem(Code::IdempotencyKeyMissing, path, "is required"));
        };
        match text.chars().count() {
            0 => Err(invalid(path, "must have at least 1 character")),
            1..=KEY_MAX => {
                let lifetime = raw.head.extensions.get::<KeyLifetime>().map(|lifetime| lifetime.0);
                Ok(Self { text, lifetime })
            }
            _ => Err(invalid(path, format!("must have at most {KEY_MAX} characters"))),
        }
    }
}

impl IntoParams for IdempotencyKey {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let schema = ObjectBuilder::new()
            .schema_type(Type::String)
            .min_length(Some(1))
            .max_length(Some(KEY_MAX));
        vec![
            ParameterBuilder::new()
                .name(IDEMPOTENCY_KEY)
                .parameter_in(ParameterIn::Header)
                .required(Required::True)
                .description(Some(
                    "Names this attempt at the operation. A retry with the same key and body \
                     returns the first result instead of running and charging again. Kept 24 hours. \
                     Several headers of this name are one key, with commas between them.",
                ))
                .schema(Some(schema))
                .build(),
        ]
    }
}

/// Rejects `Prefer` on operations that cannot be deferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotDeferrable;

impl Input for NotDeferrable {
    fn read(raw: &mut RawRequest) -> Result<Self, ApiError> {
        if !raw.head.headers.contains_key(PREFER) {
            return Ok(Self);
        }
        Err(invalid(format!("header.{PREFER}"), "is not available for this operation"))
    }
}

/// What the caller prefers (RFC 7240): whether it polls the operation instead of waiting for its result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Prefer {
    /// `respond-async`.
    pub respond_async: bool,
}

impl Input for Prefer {
    fn read(raw: &mut RawRequest) -> Result<Self, ApiError> {
        match joined(&raw.head.headers, PREFER)? {
            None => Ok(Self { respond_async: false }),
            Some(value) if value.trim().eq_ignore_ascii_case(RESPOND_ASYNC) => {
                Ok(Self { respond_async: true })
            }
            Some(_) => Err(invalid(format!("header.{PREFER}"), format!("must be {RESPOND_ASYNC}"))),
        }
    }
}

impl IntoParams for Prefer {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let schema =
            ObjectBuilder::new().schema_type(Type::String).enum_values(Some([RESPOND_ASYNC]));
        vec![
            ParameterBuilder::new()
                .name(PREFER)
                .parameter_in(ParameterIn::Header)
                .required(Required::False)
                .description(Some(
                    "`respond-async` accepts the operation and answers 202 at once; poll the \
                     address in `Location`.",
                ))
                .schema(Some(schema))
                .build(),
        ]
    }
}
