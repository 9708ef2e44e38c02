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
pub(crate) use headers::IDEMPOTENCY_KEY;
pub use headers::{IdempotencyKey, KEY_MAX, KeyLifetime, NotDeferrable, Prefer, RESPOND_ASYNC};
pub use json::{JsonError, parse_json};
pub use path::{IDENTIFIER_MAX, Identifier, PathId, PathParams, PathText};
pub use query::Query;
pub use values::Values;

use serde_json::{Map, Value};

use crate::{ApiError, Code, Detail};

/// Most bytes of a request body.
pub const BODY_LIMIT: usize = 5 * 1024 * 1024;

/// Extension of an internal request whose sender knows the declarations: what is not declared is refused, where others
/// have it ignored.
#[derive(Clone, Debug)]
pub struct DeclaredOnly {
    /// The query's parameters, with the types that JSON gives them.
    pub query: Map<String, Value>,
}

/// A request with its body read.
#[derive(Debug)]
pub struct RawRequest {
    pub(crate) head: Parts,
    pub(crate) path: Result<Vec<(String, String)>, Detail>,
    pub(crate) body: Result<Bytes, Detail>,
    /// The body or the query as JSON, once it is read.
    pub(crate) content: Value,
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
        Self { head, path, body, content: Value::Null }
    }

    /// The text of `{id}` in the path; empty if there is none.
    pub(crate) fn id(&self) -> &str {
        let parameters = self.path.iter().flatten();
        parameters.into_iter().find(|(name, _)| name == "id").map_or("", |(_, text)| text)
    }

    fn is_declared_only(&self) -> bool {
        self.head.extensions.get::<DeclaredOnly>().is_some()
    }
}

/// An invalid request with one problem.
fn invalid(path: impl Into<String>, message: impl Into<String>) -> ApiError {
    ApiError::problem(Code::InvalidRequest, path, message)
}

/// A part of a request, or several parts as a tuple.
pub trait Input: Sized + Send {
    /// Whether the body is one of the parts.
    const READS_BODY: bool = false;
    /// Parses the part, or returns every problem of it.
    fn read(raw: &mut RawRequest) -> Result<Self, ApiError>;
}

impl Input for () {
    fn read(_: &mut RawRequest) -> Result<Self, ApiError> {
        Ok(())
    }
}

macro_rules! tuples {
    ($(($($part:ident)*) $last:ident;)*) => {$(
        impl<$($part: Input,)* $last: Input> Input for ($($part,)* $last,) {
            const READS_BODY: bool = <($($part,)*)>::READS_BODY || $last::READS_BODY;

            #[allow(non_snake_case)]
            fn read(raw: &mut RawRequest) -> Result<Self, ApiError> {
                let read = ApiError::both(<($($part,)*)>::read(raw), $last::read(raw));
                read.map(|(($($part,)*), $last)| ($($part,)* $last,))
            }
        }
    )*};
}

tuples! { () A; (A) B; (A B) C; (A B C) D; }
