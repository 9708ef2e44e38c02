//! Requests to providers that speak JSON over HTTP.

use std::{borrow::Cow, time::Duration};

use base64::{display::Base64Display, engine::general_purpose::STANDARD};
use reqwest::{
    Client, RequestBuilder, Response, StatusCode, Url,
    header::{CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER},
    redirect,
};
use serde::{Serialize, Serializer, de::DeserializeOwned};

use crate::{
    provider::{ProviderError, Request, about_content},
    secret::Secret,
};

/// Most bytes of an answer that are read.
pub(crate) const LARGEST_ANSWER: usize = 2_000_000;
/// Time to open a connection.
const CONNECT: Duration = Duration::from_secs(5);

/// A client with a connection pool. Follows no redirects, which could leak a key.
///
/// # Errors
///
/// The system has no usable store of certificates.
pub(crate) fn client() -> Result<Client, reqwest::Error> {
    Client::builder().connect_timeout(CONNECT).redirect(redirect::Policy::none()).build()
}

/// An address of a provider, with a connection pool and the key that it needs, if any.
#[derive(Debug)]
pub(crate) struct Endpoint {
    client: Client,
    pub url: Url,
    pub key: Option<Secret>,
}

impl Endpoint {
    /// The URL of `path` under a base URL.
    ///
    /// # Errors
    ///
    /// The system has no usable store of certificates.
    pub fn new(base: &Url, path: &str, key: Option<Secret>) -> Result<Self, reqwest::Error> {
        let mut url = base.clone();
        url.set_path(&format!("{}{path}", base.path().trim_end_matches('/')));
        Ok(Self { client: client()?, url, key })
    }

    /// A request, still without the key.
    pub fn post(&self) -> RequestBuilder {
        self.client.post(self.url.clone())
    }

    /// The text without the key.
    pub fn redact(&self, text: String) -> String {
        match &self.key {
            Some(key) => key.redact(&text),
            None => text,
        }
    }
}

/// The request with its body in JSON; only there are pictures held in base64.
///
/// # Errors
///
/// [`ProviderError::BadRequest`] if the body cannot be written as JSON.
pub(crate) fn with_body(
    post: RequestBuilder,
    request: &Request<'_>,
    body: &impl Serialize,
) -> Result<RequestBuilder, ProviderError> {
    /// Upper bound of the rest of a body.
    const REST: usize = 64 << 10;
    let pictures: usize = request.images.iter().map(|image| image.bytes.len() / 3 * 4 + 200).sum();
    let mut json = Vec::with_capacity(pictures + 2 * request.text.len() + REST);
    serde_json::to_writer(&mut json, body)
        .map_err(|error| ProviderError::BadRequest { message: error.to_string() })?;
    Ok(post.header(CONTENT_TYPE, HeaderValue::from_static("application/json")).body(json))
}

/// Bytes in base64 after a prefix, encoded during serialization.
pub(crate) struct Base64<'a> {
    pub beginning: String,
    pub bytes: &'a [u8],
}

impl Serialize for Base64<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let encoded = Base64Display::new(self.bytes, &STANDARD);
        serializer.collect_str(&format_args!("{}{encoded}", self.beginning))
    }
}

/// An answer with its body.
#[derive(Debug)]
pub(crate) struct Answer {
    pub status: StatusCode,
    pub retry_after: Option<Duration>,
    body: Vec<u8>,
}

impl Answer {
    /// The body as text.
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.body)
    }

    /// The body in the provider's format.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, ProviderError> {
        serde_json::from_slice(&self.body).map_err(|error| ProviderError::Malformed {
            message: format!(
                "not the provider's format at line {}, column {}",
                error.line(),
                error.column()
            ),
            said: None,
        })
    }
}

/// Sends a request and reads its answer, both within `timeout`.
pub(crate) async fn send(
    request: RequestBuilder,
    timeout: Duration,
) -> Result<Answer, ProviderError> {
    let mut response = request.timeout(timeout).send().await.map_err(explain)?;
    if response.content_length().is_some_and(|length| length > LARGEST_ANSWER as u64) {
        return Err(ProviderError::AnswerTooLarge);
    }
    let (status, retry_after) = (response.status(), retry_after(response.headers()));
    Ok(Answer { status, retry_after, body: body(&mut response).await? })
}

async fn body(response: &mut Response) -> Result<Vec<u8>, ProviderError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(explain)? {
        if body.len() + chunk.len() > LARGEST_ANSWER {
            return Err(ProviderError::AnswerTooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// The pause that a server asks for, in seconds. No provider uses the date form.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    seconds(headers.get(RETRY_AFTER)?.to_str().ok()?)
}

/// A number of seconds; may have a fraction.
pub(crate) fn seconds(text: &str) -> Option<Duration> {
    text.trim().parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
}

fn explain(error: reqwest::Error) -> ProviderError {
    // A timeout while connecting is worth a retry; one while waiting for the answer is not.
    if error.is_timeout() && !error.is_connect() {
        return ProviderError::Timeout;
    }
    // The outer error only says that sending failed; the innermost one says why.
    let error = error.without_url();
    let mut cause: &dyn std::error::Error = &error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    ProviderError::Unreachable { message: cause.to_string() }
}

/// The error for a failure with this message, which is without the key.
pub(crate) fn failure(answer: &Answer, message: String) -> ProviderError {
    let retry_after = answer.retry_after;
    let status = answer.status.as_u16();
    if let Some(error) = about_content(status, &message) {
        return error;
    }
    match status {
        401..=403 => ProviderError::Unauthorized { message },
        408 | 504 => ProviderError::Timeout,
        413 => ProviderError::TooLarge,
        429 => ProviderError::RateLimited { retry_after },
        status @ (409 | 500..) => ProviderError::Server { status, retry_after },
        status => ProviderError::BadRequest { message: format!("status {status}: {message}") },
    }
}
