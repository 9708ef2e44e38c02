//! Request headers that operations read.

use std::{ops::RangeInclusive, time::Duration};

use domain::operation::CALL_DEADLINE;
use http::{HeaderMap, HeaderValue};
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
/// Name of the header with what the caller prefers (RFC 7240).
pub(crate) const PREFER: &str = "Prefer";
const RESPOND_ASYNC: &str = "respond-async";
/// Seconds that a caller can wait: at most as long as a synchronous call may take.
const WAIT: RangeInclusive<u64> = 1..=CALL_DEADLINE.as_secs();
/// The values of `Prefer` in their usual form.
const PREFER_PATTERN: &str = "^(respond-async|wait=([1-9]|1[0-9]|2[0-5])|respond-async, *wait=([1-9]|1[0-9]|2[0-5])|wait=([1-9]|1[0-9]|2[0-5]), *respond-async)$";

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

/// The values of a header, with a comma between them (RFC 9110, section 5.3): API Gateway joins them so before a
/// function sees them, and a comma may be part of a value. `None` if the header is absent.
fn joined(headers: &HeaderMap, name: &str) -> Result<Option<String>, Problems> {
    let values = headers.get_all(name).iter().map(|value| std::str::from_utf8(value.as_bytes()));
    let values: Vec<_> = values
        .collect::<Result<_, _>>()
        .map_err(|_| Problems::one(Detail::new(format!("header.{name}"), "must be UTF-8")))?;
    Ok((!values.is_empty()).then(|| values.join(",")))
}

impl Input for IdempotencyKey {
    fn read(raw: &RawRequest) -> Result<Self, Problems> {
        let at = |message: String| Detail::new(format!("header.{IDEMPOTENCY_KEY}"), message);
        match joined(&raw.head.headers, IDEMPOTENCY_KEY)?.as_deref() {
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

/// What the caller prefers (RFC 7240): not to wait, or to wait no longer than some seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Prefer {
    /// Whether the caller rather polls the operation than waits for its result.
    pub respond_async: bool,
    /// How long the caller waits for the result.
    pub wait: Option<Duration>,
}

impl Prefer {
    /// Whether the caller does not wait at all.
    pub fn is_immediate(&self) -> bool {
        self.respond_async && self.wait.is_none()
    }

    /// The value of `Preference-Applied`; `deferred` says whether the response is an operation.
    pub fn applied(&self, deferred: bool) -> Option<HeaderValue> {
        let respond_async = (self.respond_async && deferred).then(|| RESPOND_ASYNC.to_owned());
        let wait = self.wait.map(|wait| format!("wait={}", wait.as_secs()));
        let applied: Vec<_> = respond_async.into_iter().chain(wait).collect();
        HeaderValue::try_from(applied.join(", ")).ok().filter(|_| !applied.is_empty())
    }

    /// Adds one preference.
    fn add(&mut self, preference: &str) -> Result<(), String> {
        let (name, value) = match preference.split_once('=') {
            Some((name, value)) => (name.trim_end(), Some(unquoted(value.trim_start()))),
            None => (preference, None),
        };
        match (name.to_ascii_lowercase().as_str(), value) {
            (RESPOND_ASYNC, None) if !self.respond_async => self.respond_async = true,
            ("wait", Some(seconds)) if self.wait.is_none() => {
                // The parser takes a sign, too.
                let is_number = seconds.bytes().all(|byte| byte.is_ascii_digit());
                let seconds = seconds.parse().ok().filter(|it| is_number && WAIT.contains(it));
                let seconds = seconds.ok_or_else(|| {
                    format!("wait must be {} to {} seconds", WAIT.start(), WAIT.end())
                })?;
                self.wait = Some(Duration::from_secs(seconds));
            }
            (RESPOND_ASYNC, None) | ("wait", Some(_)) => {
                return Err(format!("must not have {name} twice"));
            }
            _ => return Err(format!("must be {RESPOND_ASYNC}, wait=<seconds>, or both")),
        }
        Ok(())
    }
}

/// What stands between a pair of quotes; other text as it is.
fn unquoted(text: &str) -> &str {
    text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text)
}

impl Input for Prefer {
    fn read(raw: &RawRequest) -> Result<Self, Problems> {
        let mut read = Prefer::default();
        for value in raw.head.headers.get_all(PREFER) {
            let value = String::from_utf8_lossy(value.as_bytes());
            for preference in value.split(',').map(str::trim) {
                read.add(preference).map_err(|message| {
                    Problems::one(Detail::new(format!("header.{PREFER}"), message))
                })?;
            }
        }
        Ok(read)
    }
}

impl IntoParams for Prefer {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let schema = ObjectBuilder::new()
            .schema_type(Type::String)
            .pattern(Some(PREFER_PATTERN))
            .examples([RESPOND_ASYNC, "wait=10", "respond-async, wait=10"]);
        vec![
            ParameterBuilder::new()
                .name(PREFER)
                .parameter_in(ParameterIn::Header)
                .required(Required::False)
                .description(Some(
                    "`respond-async` accepts the operation and answers 202 at once; poll the \
                     address in `Location`. `wait=10` answers 202 if there is no result after ten \
                     seconds (1 to 25), and the operation goes on; both together do the same.",
                ))
                .schema(Some(schema))
                .build(),
        ]
    }
}
