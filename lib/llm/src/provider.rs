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
        /// What the model wrote, if that is known.
        said: Option<Said>,
    },
    /// The request is larger than the model or the provider takes.
    #[error("the content is too large")]
    TooLarge,
    /// The answer is larger than is read.
    #[error("the answer is too large")]
    AnswerTooLarge,
}

/// What a model wrote. No log has it: it may quote the user's material.
#[derive(Clone, PartialEq, Eq)]
pub struct Said(pub String);

impl fmt::Debug for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({} bytes)", self.0.len())
    }
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

/// Parses what a model wrote as JSON. Form is forgiven, as models add it unasked: a byte order mark and white space, a
/// block of thoughts before the JSON, and a code fence around it. Nothing else is.
pub(crate) fn parse(text: &str) -> Result<Value, ProviderError> {
    let text = text.trim_start_matches('\u{feff}').trim();
    let thought = text.strip_prefix("<think>").and_then(|text| text.split_once("</think>"));
    let text = thought.map_or(text, |(_, rest)| rest.trim());
    let inner = unfenced(text).unwrap_or(text);
    serde_json::from_str(inner).map_err(|error| ProviderError::Malformed {
        message: format!("not JSON at line {}, column {}", error.line(), error.column()),
        said: Some(Said(text.to_owned())),
    })
}

/// The content of the one code fence that a text consists of.
fn unfenced(text: &str) -> Option<&str> {
    let (language, content) =
        text.strip_prefix("```")?.strip_suffix("```")?.split_once(['\n', '\r'])?;
    language.chars().all(|c| c.is_ascii_alphanumeric() || c == ' ').then_some(content)
}

/// Wordings of vendors and servers for a request beyond the model's context. OpenAI, vLLM, Mistral and LM Studio say
/// "context length", llama.cpp "context size", Anthropic "prompt is too long" and "context limit", Bedrock "too long"
/// or "Input Tokens Exceeded", Gemini "exceeds the maximum number of tokens".
const TOO_LARGE: [&str; 9] = [
    "context length",
    "context_length",
    "context size",
    "context_size",
    "context limit",
    "context window",
    "too long",
    "input tokens exceeded",
    "exceeds the maximum number of tokens",
];

/// Wordings for content that a filter declines: of OpenAI and Azure, Anthropic ("Output blocked by content filtering
/// policy"), xAI ("Content violates usage guidelines"), DeepSeek and Qwen.
const DECLINED: [&str; 9] = [
    "content_filter",
    "content filter",
    "content_policy",
    "content policy",
    "content management policy",
    "usage guidelines",
    "usage policy",
    "content exists risk",
    "data_inspection_failed",
];

/// What a provider's message and code say of the content, if the status may be about it.
pub(crate) fn about_content(status: u16, message: &str) -> Option<ProviderError> {
    let said = message.to_lowercase();
    let says = |wordings: &[&str]| wordings.iter().any(|wording| said.contains(wording));
    match status {
        400 | 403 | 422 | 500 if says(&DECLINED) => Some(ProviderError::Refused),
        // A longest answer beyond the context is a wrong setting: "'max_tokens' is too large: 16000. This model's
        // maximum context length is 8192 tokens".
        400 | 422 if said.contains("tokens") && said.contains("is too large") => None,
        // llama.cpp also answers 500.
        400 | 413 | 422 | 500 if says(&TOO_LARGE) => Some(ProviderError::TooLarge),
        _ => None,
    }
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
