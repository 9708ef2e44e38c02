//! Requests to providers of language models, their answers and errors.

use std::{borrow::Cow, fmt, time::Duration};

use domain::TokenUsage;
use engine::Image;
use futures::future::BoxFuture;
use serde_json::Value;

/// A vendor's interface to language models.
pub trait Provider: Send + Sync + fmt::Debug {
    /// Name of the engine, as shown in results.
    fn name(&self) -> &'static str;

    /// Name of the language model.
    fn model(&self) -> &str;

    /// Sends one request and waits for its whole answer, for `timeout` at most. Does not retry.
    ///
    /// # Errors
    ///
    /// [`ProviderError`]: the model has not answered. What is wrong with an answer is in the [`Completion`].
    fn complete<'a>(
        &'a self,
        request: &'a Request<'a>,
        timeout: Duration,
    ) -> BoxFuture<'a, Result<Completion, ProviderError>>;
}

/// One request to a model.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// Standing instructions: the same for every request of an operation. They and the next part come first and are
    /// marked for prompt caches, where a provider asks for marks.
    pub system: &'a str,
    /// What continues them, the same for every request of an operation for one target model; may be empty.
    pub target: &'a str,
    /// The user's message: first the text, then the pictures.
    pub text: String,
    /// Pictures of the message, within the bounds of every provider.
    pub images: &'a [Cow<'a, Image>],
    /// Name of the answer's schema, `[a-z_]{1,64}`.
    pub schema_name: &'a str,
    /// JSON schema of the answer, within the subset that providers enforce.
    pub schema: &'a Value,
    /// Longest answer, in tokens.
    pub max_output_tokens: u32,
}

/// An answer, which costs tokens whatever it is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Completion {
    /// What the model wrote: valid JSON, but not yet checked against the schema. An error if it declined, was cut off,
    /// or did not write JSON.
    pub answer: Result<Value, ProviderError>,
    /// The tokens of this one request.
    pub usage: TokenUsage,
}

/// Why there is no complete answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// The key, the account or the permissions are invalid.
    #[error("the provider denies access: {message}")]
    Unauthorized {
        /// The provider's message, without the key.
        message: String,
    },
    /// The provider does not understand the request or does not know the model.
    #[error("the provider does not take the request: {message}")]
    BadRequest {
        /// The provider's message, without the key.
        message: String,
    },
    /// Too many requests at present.
    #[error("the provider limits the rate of requests")]
    RateLimited {
        /// The pause that it asks for.
        retry_after: Option<Duration>,
    },
    /// The provider failed or is overloaded.
    #[error("the provider failed with status {status}")]
    Server {
        /// HTTP status.
        status: u16,
        /// The pause that it asks for.
        retry_after: Option<Duration>,
    },
    /// There is no connection to the provider.
    #[error("the provider cannot be reached: {message}")]
    Unreachable {
        /// What went wrong, without the key.
        message: String,
    },
    /// The answer did not come in time.
    #[error("the provider took too long")]
    Timeout,
    /// The provider or its model declines the content.
    #[error("the provider declines the content")]
    Refused,
    /// The answer reached its maximum length.
    #[error("the answer was cut off")]
    Truncated,
    /// The answer is not JSON, or not in the provider's own format.
    #[error("the answer cannot be read: {message}")]
    Malformed {
        /// What is wrong with the format.
        message: String,
    },
    /// The request or the answer is larger than can be handled.
    #[error("the content is too large")]
    TooLarge,
}

impl Request<'_> {
    /// The parts of the system prompt, each of which ends what several requests begin with.
    pub(crate) fn system_parts(&self) -> impl Iterator<Item = &str> {
        [self.system, self.target].into_iter().filter(|part| !part.is_empty())
    }
}

impl ProviderError {
    /// Whether the same request may succeed a little later.
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::RateLimited { .. } | Self::Server { .. } | Self::Unreachable { .. })
    }

    /// The pause that the provider asks for.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::RateLimited { retry_after } | Self::Server { retry_after, .. } => *retry_after,
            _ => None,
        }
    }
}

/// Parses what a model wrote as JSON.
pub(crate) fn parse(text: &str) -> Result<Value, ProviderError> {
    serde_json::from_str(text).map_err(|error| ProviderError::Malformed {
        message: format!("not JSON at line {}, column {}", error.line(), error.column()),
    })
}

/// The beginning of a provider's message, on one line.
pub(crate) fn excerpt(message: &str) -> String {
    const LONGEST: usize = 200;
    message
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(LONGEST)
        .collect::<String>()
        .trim()
        .to_owned()
}
