//! Input: path, query, headers and body, parsed into types, with every problem reported at once.

mod array;
mod body;
pub mod cursor;
mod headers;
pub mod idempotency;
mod json;
mod parameters;
mod path;
mod query;
mod schema;
mod values;

use axum::extract::{FromRequestParts, RawPathParams, Request};
use bytes::Bytes;
use http::request::Parts;
use http_body_util::{BodyExt, LengthLimitError, Limited};

pub use array::parse_array;
pub use body::{Body, OptionalBody, nullable};
pub(crate) use headers::{IDEMPOTENCY_KEY, PREFER};
pub use headers::{IdempotencyKey, KEY_MAX, KeyLifetime, NotDeferrable, Prefer};
pub use json::{JsonError, parse_json};
pub use path::{IDENTIFIER_MAX, Identifier, PathId, PathParams, PathText};
pub use query::Query;
pub use values::Values;

use crate::{ApiError, Code, Detail};

/// Most bytes of a request body.
pub const BODY_LIMIT: usize = 5 * 1024 * 1024;

/// Most problems reported for one request: more are no honest mistake, and the response must stay
/// small.
pub(crate) const PROBLEMS_MAX: usize = 200;

/// Extension of an internal request whose sender knows the declarations: what is not declared is refused, where others
/// have it ignored.
#[derive(Clone, Copy, Debug)]
pub struct DeclaredOnly;

/// A request with its body read.
#[derive(Debug)]
pub struct RawRequest {
    pub(crate) head: Parts,
    pub(crate) path: Result<Vec<(String, String)>, Detail>,
    pub(crate) body: Result<Bytes, Detail>,
}

impl RawRequest {
    /// Reads the body, if it is wanted, up to [`BODY_LIMIT`].
    pub async fn of(request: Request, reads_body: bool) -> Self {
        let (mut head, body) = request.into_parts();
        let path = match RawPathParams::from_request_parts(&mut head, &()).await {
            Ok(params) => {
                Ok(params.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
            }
            Err(_) => Err(Detail::new("path", "is not valid UTF-8 once percent-decoded")),
        };
        let body = if reads_body {
            match Limited::new(body, BODY_LIMIT).collect().await {
                Ok(collected) => Ok(collected.to_bytes()),
                Err(error) if error.is::<LengthLimitError>() => {
                    Err(Detail::new("", format!("must have at most {BODY_LIMIT} bytes")))
                }
                Err(_) => Err(Detail::new("", "could not be read to its end")),
            }
        } else {
            Ok(Bytes::new())
        };
        Self { head, path, body }
    }

    fn is_declared_only(&self) -> bool {
        self.head.extensions.get::<DeclaredOnly>().is_some()
    }
}

/// Every problem of a request's input.
#[derive(Clone, Debug, Default)]
pub struct Problems {
    details: Vec<Detail>,
    key_missing: bool,
    not_found: bool,
}

impl Problems {
    /// The single problem `detail`.
    pub fn one(detail: Detail) -> Self {
        Self { details: vec![detail], ..Self::default() }
    }

    /// An identifier in the path that no resource can have.
    pub fn not_found() -> Self {
        Self { not_found: true, ..Self::default() }
    }

    fn is_empty(&self) -> bool {
        self.details.is_empty() && !self.not_found
    }

    fn and(mut self, other: Problems) -> Self {
        self.details.extend(other.details);
        self.key_missing |= other.key_missing;
        self.not_found |= other.not_found;
        self
    }
}

impl From<Vec<Detail>> for Problems {
    fn from(details: Vec<Detail>) -> Self {
        Self { details, ..Self::default() }
    }
}

impl From<Problems> for ApiError {
    fn from(problems: Problems) -> Self {
        if problems.details.is_empty() && problems.not_found {
            return ApiError::new(Code::NotFound);
        }
        let code =
            if problems.key_missing { Code::IdempotencyKeyMissing } else { Code::InvalidRequest };
        let mut details = problems.details;
        if details.len() > PROBLEMS_MAX {
            details.truncate(PROBLEMS_MAX);
            details.push(Detail::new("", "has more problems than are named here"));
        }
        ApiError::new(code).with_details(details)
    }
}

/// A part of a request, or several parts as a tuple.
pub trait Input: Sized + Send {
    /// Whether the body is one of the parts.
    const READS_BODY: bool = false;
    /// Parses the part, or returns every problem of it.
    fn read(raw: &RawRequest) -> Result<Self, Problems>;
}

/// Parses the whole input of a request.
pub(crate) fn read<I: Input>(raw: &RawRequest) -> Result<I, Problems> {
    I::read(raw)
}

impl Input for () {
    fn read(_: &RawRequest) -> Result<Self, Problems> {
        Ok(())
    }
}

macro_rules! tuples {
    ($(($($part:ident)*))*) => {$(
        impl<$($part: Input),*> Input for ($($part,)*) {
            const READS_BODY: bool = $($part::READS_BODY)||*;

            #[allow(non_snake_case)]
            fn read(raw: &RawRequest) -> Result<Self, Problems> {
                let mut problems = Problems::default();
                $(
                    let $part = $part::read(raw)
                        .map_err(|found| problems = std::mem::take(&mut problems).and(found))
                        .ok();
                )*
                match ($($part,)*) {
                    ($(Some($part),)*) if problems.is_empty() => Ok(($($part,)*)),
                    _ => Err(problems),
                }
            }
        }
    )*};
}

tuples! { (A B) (A B C) (A B C D) }
