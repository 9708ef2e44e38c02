//! Anthropic's Messages API.

use std::time::Duration;

use domain::TokenUsage;
use futures::{FutureExt, future::BoxFuture};
use reqwest::Url;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    effort::Effort,
    http::{self, Answer, Base64, Endpoint},
    provider::{Completion, Provider, ProviderError, Request, excerpt, parse},
    secret::Secret,
};

/// Version of the API.
const VERSION: &str = "2023-06-01";

/// A server with `POST {base}/v1/messages`.
#[derive(Debug)]
pub struct Anthropic {
    endpoint: Endpoint,
    model: String,
    effort: Option<Effort>,
}

impl Anthropic {
    /// The server at `base`, for example `https://api.anthropic.com`.
    ///
    /// # Errors
    ///
    /// The system has no usable store of certificates.
    pub fn new(
        base: &Url,
        model: impl Into<String>,
        key: Option<Secret>,
    ) -> Result<Self, reqwest::Error> {
        let endpoint = Endpoint::new(base, "/v1/messages", key)?;
        Ok(Self { endpoint, model: model.into(), effort: None })
    }

    /// The same, which asks for this effort.
    pub fn with_effort(self, effort: Option<Effort>) -> Self {
        Self { effort, ..self }
    }

    /// `output_config` sets the answer's format instead of a forced tool: models with thinking
    /// refuse forced tools.
    fn body<'a>(&'a self, request: &'a Request<'_>) -> Body<'a> {
        let mut content = vec![Part::Text { text: &request.text }];
        content.extend(request.images.iter().map(|image| Part::Image {
            source: Source::Base64 {
                media_type: &image.media_type,
                data: Base64 { beginning: String::new(), bytes: &image.bytes },
            },
        }));
        Body {
            model: &self.model,
            max_tokens: request.max_output_tokens,
            system: request
                .system_parts()
                .map(|text| Cached {
                    kind: "text",
                    text,
                    cache_control: Mark { kind: "ephemeral" },
                })
                .collect(),
            messages: [Turn { role: "user", content }],
            output_config: OutputConfig {
                format: json!({"type": "json_schema", "schema": request.schema}),
                effort: self.effort,
            },
        }
    }

    fn failure(&self, answer: &Answer) -> ProviderError {
        let Failure { error } = answer.read().unwrap_or_default();
        let text = excerpt(&format!("{} {}", error.kind, error.message));
        http::failure(answer, self.endpoint.redact(text))
    }
}

fn answer(reply: Reply) -> Result<Value, ProviderError> {
    match reply.stop_reason.as_deref() {
        Some("max_tokens" | "model_context_window_exceeded") => {
            return Err(ProviderError::Truncated);
        }
        Some("refusal") => return Err(ProviderError::Refused),
        _ => {}
    }
    let text: String = reply
        .content
        .into_iter()
        .filter(|block| block.kind == "text")
        .filter_map(|block| block.text)
        .collect();
    parse(&text)
}

impl From<Tokens> for TokenUsage {
    /// Anthropic counts what is read from the cache or written to it apart from other input.
    fn from(tokens: Tokens) -> Self {
        let Tokens { input_tokens, output_tokens, .. } = tokens;
        let [cached_input_tokens, cache_write_tokens] =
            [tokens.cache_read_input_tokens, tokens.cache_creation_input_tokens]
                .map(Option::unwrap_or_default);
        Self {
            requests: 1,
            input_tokens: input_tokens + cached_input_tokens + cache_write_tokens,
            cached_input_tokens,
            cache_write_tokens,
            output_tokens,
        }
    }
}

impl Provider for Anthropic {
    fn name(&self) -> &'static str {
        "anthropic"
    }

    fn model(&self) -> &str {
        &self.model
    }

    fn complete<'a>(
        &'a self,
        request: &'a Request<'a>,
        timeout: Duration,
    ) -> BoxFuture<'a, Result<Completion, ProviderError>> {
        async move {
            let mut post = self.endpoint.post().header("anthropic-version", VERSION);
            if let Some(key) = &self.endpoint.key {
                post = post.header("x-api-key", key.reveal());
            }
            let post = http::with_body(post, request, &self.body(request))?;
            let answer = http::send(post, timeout).await?;
            if !answer.status.is_success() {
                return Err(self.failure(&answer));
            }
            let reply: Reply = answer.read()?;
            Ok(Completion { usage: reply.usage.into(), answer: self::answer(reply) })
        }
        .boxed()
    }
}

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    max_tokens: u32,
    system: Vec<Cached<'a>>,
    messages: [Turn<'a>; 1],
    output_config: OutputConfig,
}

#[derive(Serialize)]
struct OutputConfig {
    format: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    effort: Option<Effort>,
}

/// A text up to which the provider keeps the request in its prompt cache, if it is long enough for that.
#[derive(Serialize)]
struct Cached<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    text: &'a str,
    cache_control: Mark,
}

#[derive(Serialize)]
struct Mark {
    #[serde(rename = "type")]
    kind: &'static str,
}

#[derive(Serialize)]
struct Turn<'a> {
    role: &'static str,
    content: Vec<Part<'a>>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Part<'a> {
    Text { text: &'a str },
    Image { source: Source<'a> },
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Source<'a> {
    Base64 { media_type: &'a str, data: Base64<'a> },
}

#[derive(Deserialize)]
struct Reply {
    content: Vec<Block>,
    stop_reason: Option<String>,
    #[serde(default)]
    usage: Tokens,
}

#[derive(Deserialize)]
struct Block {
    #[serde(rename = "type")]
    kind: String,
    text: Option<String>,
}

#[derive(Clone, Copy, Default, Deserialize)]
struct Tokens {
    #[serde(default)]
    input_tokens: u64,
    cache_read_input_tokens: Option<u64>,
    cache_creation_input_tokens: Option<u64>,
    #[serde(default)]
    output_tokens: u64,
}

#[derive(Default, Deserialize)]
struct Failure {
    error: Reason,
}

#[derive(Default, Deserialize)]
struct Reason {
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(default)]
    message: String,
}
