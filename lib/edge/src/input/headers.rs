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

use super::{Input, Problems, RawRequest};
use crate::Detail;

/// Name of the header with the idempotency key.
pub(crate) const IDEMPOTENCY_KEY: &str = "Idempotency-Key";
/// Most characters of an idempotency key.
pub const KEY_MAX: usize = 255;
const PREFER: &str = "Prefer";
const RESPOND_ASYNC: &str = "respond-async";

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
pub(super) fn single<'a>(headers: &'a HeaderMap, name: &str) -> Result<Option<&'a str>, Problems> {
    let path = format!("header.{name}");
    let mut values = headers.get_all(name).iter();
    let Some(value) = values.next() else { return Ok(None) };
    if values.next().is_some() {
        return Err(Problems::one(Detail::new(path, "is given more than once")));
    }
    match std::str::from_utf8(value.as_bytes()) {
        Ok(text) => Ok(Some(text)),
        Err(_) => Err(Problems::one(Detail::new(path, "must be UTF-8"))),
    }
}

impl Input for IdempotencyKey {
    fn read(raw: &RawRequest) -> Result<Self, Problems> {
        let at = |message: String| Detail::new(format!("header.{IDEMPOTENCY_KEY}"), message);
        match single(&raw.head.headers, IDEMPOTENCY_KEY)? {
            None => {
                Err(Problems { key_missing: true, ..Problems::one(at("is required".to_owned())) })
            }
            Some("") => Err(Problems::one(at("must have at least 1 character".to_owned()))),
            Some(key) if key.chars().count() > KEY_MAX => {
                Err(Problems::one(at(format!("must have at most {KEY_MAX} characters"))))
            }
            Some(key) => {
                let lifetime = raw.head.extensions.get::<KeyLifetime>().map(|lifetime| lifetime.0);
                Ok(Self { text: key.to_owned(), lifetime })
            }
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
                     returns the first result instead of running and charging again. Kept 24 hours.",
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
    fn read(raw: &RawRequest) -> Result<Self, Problems> {
        match single(&raw.head.headers, PREFER)? {
            None => Ok(Self),
            Some(_) => Err(Problems::one(Detail::new(
                format!("header.{PREFER}"),
                "is not available for this operation",
            ))),
        }
    }
}

/// The response that the caller prefers (RFC 7240).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefer {
    /// The result, once it exists.
    Result,
    /// An operation to poll, at once.
    RespondAsync,
}

impl Input for Prefer {
    fn read(raw: &RawRequest) -> Result<Self, Problems> {
        match single(&raw.head.headers, PREFER)? {
            None => Ok(Prefer::Result),
            Some(value) if value.trim() == RESPOND_ASYNC => Ok(Prefer::RespondAsync),
            Some(_) => Err(Problems::one(Detail::new(
                format!("header.{PREFER}"),
                format!("must be {RESPOND_ASYNC}"),
            ))),
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
