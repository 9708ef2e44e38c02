//! OpenAI's chat completions, which many servers offer.

use std::{borrow::Cow, time::Duration};

use domain::TokenUsage;
use futures::{FutureExt, future::BoxFuture};
use reqwest::Url;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    http::{self, Answer, Base64, Endpoint},
    provider::{Completion, Provider, ProviderError, Request, excerpt, parse},
    secret::Secret,
};

/// A server with `POST {base}/chat/completions`.
#[derive(Debug)]
pub struct OpenAi {
    endpoint: Endpoint,
    model: String,
}

impl OpenAi {
    /// The server at `base`, for example `https://api.openai.com/v1`. Servers in a private network
    /// often need no key.
    ///
    /// # Errors
    ///
    /// The system has no usable store of certificates.
    pub fn new(
        base: &Url,
        model: impl Into<String>,
        key: Option<Secret>,
    ) -> Result<Self, reqwest::Error> {
        Ok(Self { endpoint: Endpoint::new(base, "/chat/completions", key)?, model: model.into() })
    }

    fn body<'a>(&'a self, request: &'a Request<'_>) -> Body<'a> {
        // The provider caches what requests have in common at their beginning, without marks.
        let system: String = request.system_parts().collect();
        Body {
            model: &self.model,
            max_completion_tokens: request.max_output_tokens,
            messages: [
                Turn { role: "system", content: Content::Text(system.into()) },
                Turn { role: "user", content: content(request) },
            ],
            response_format: json!({
                "type": "json_schema",
                "json_schema": {
                    "name": request.schema_name,
                    "strict": true,
                    "schema": request.schema,
                },
            }),
        }
    }
}

/// The error in a failure of a server of this protocol.
pub(super) fn failure(answer: &Answer, endpoint: &Endpoint) -> ProviderError {
    let Failure { error } = answer.read().unwrap_or_default();
    let code = error.code.as_ref().and_then(Value::as_str).unwrap_or_default();
    let text = excerpt(&format!("{code} {}", error.message));
    let message = endpoint.redact(text);
    match code {
        "context_length_exceeded" => ProviderError::TooLarge,
        "content_filter" | "content_policy_violation" => ProviderError::Refused,
        // An account without credit gets the status of a busy one, but waiting does not help.
        "insufficient_quota" => ProviderError::Unauthorized { message },
        _ => http::failure(answer, message),
    }
}

/// A text without pictures is sent as a string, because some servers do not accept lists.
fn content<'a>(request: &'a Request<'_>) -> Content<'a> {
    if request.images.is_empty() {
        return Content::Text(request.text.as_str().into());
    }
    let mut parts = vec![Part::Text { text: &request.text }];
    parts.extend(request.images.iter().map(|image| {
        let beginning = format!("data:{};base64,", image.media_type);
        Part::ImageUrl { image_url: Link { url: Base64 { beginning, bytes: &image.bytes } } }
    }));
    Content::Parts(parts)
}

fn answer(reply: Reply) -> Result<Value, ProviderError> {
    let malformed = |message: &str| ProviderError::Malformed { message: message.to_owned() };
    let choice = reply.choices.into_iter().next().ok_or_else(|| malformed("no choice"))?;
    match choice.finish_reason.as_deref() {
        Some("length") => return Err(ProviderError::Truncated),
        Some("content_filter") => return Err(ProviderError::Refused),
        _ => {}
    }
    if choice.message.refusal.is_some_and(|refusal| !refusal.is_empty()) {
        return Err(ProviderError::Refused);
    }
    let text = choice.message.content.ok_or_else(|| malformed("no content"))?;
    parse(&text)
}

impl From<Tokens> for TokenUsage {
    fn from(tokens: Tokens) -> Self {
        let Details { cached_tokens, cache_write_tokens } =
            tokens.prompt_tokens_details.unwrap_or_default();
        Self {
            requests: 1,
            input_tokens: tokens.prompt_tokens,
            cached_input_tokens: cached_tokens.unwrap_or_default(),
            cache_write_tokens: cache_write_tokens.unwrap_or_default(),
            output_tokens: tokens.completion_tokens,
        }
    }
}

impl Provider for OpenAi {
    fn name(&self) -> &'static str {
        "openai"
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
            let post = self.endpoint.post();
            let mut post = http::with_body(post, request, &self.body(request))?;
            if let Some(key) = &self.endpoint.key {
                post = post.bearer_auth(key.reveal());
            }
            let answer = http::send(post, timeout).await?;
            if !answer.status.is_success() {
                return Err(failure(&answer, &self.endpoint));
            }
            let mut reply: Reply = answer.read()?;
            let usage = reply.usage.take().unwrap_or_default().into();
            Ok(Completion { usage, answer: self::answer(reply) })
        }
        .boxed()
    }
}

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    max_completion_tokens: u32,
    messages: [Turn<'a>; 2],
    response_format: Value,
}

#[derive(Serialize)]
struct Turn<'a> {
    role: &'static str,
    content: Content<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Content<'a> {
    Text(Cow<'a, str>),
    Parts(Vec<Part<'a>>),
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Part<'a> {
    Text { text: &'a str },
    ImageUrl { image_url: Link<'a> },
}

#[derive(Serialize)]
struct Link<'a> {
    url: Base64<'a>,
}

#[derive(Deserialize)]
struct Reply {
    choices: Vec<Choice>,
    usage: Option<Tokens>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Message {
    content: Option<String>,
    refusal: Option<String>,
}

#[derive(Default, Deserialize)]
struct Tokens {
    #[serde(default)]
    prompt_tokens: u64,
    #[serde(default)]
    completion_tokens: u64,
    prompt_tokens_details: Option<Details>,
}

/// Parts of `prompt_tokens`, from servers with a prompt cache.
#[derive(Default, Deserialize)]
struct Details {
    cached_tokens: Option<u64>,
    cache_write_tokens: Option<u64>,
}

#[derive(Default, Deserialize)]
struct Failure {
    error: Reason,
}

#[derive(Default, Deserialize)]
struct Reason {
    #[serde(default)]
    message: String,
    /// A name; some servers send the status as a number.
    code: Option<Value>,
}
