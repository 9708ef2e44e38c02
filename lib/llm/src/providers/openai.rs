//! OpenAI's chat completions, which many servers offer.

use std::{borrow::Cow, collections::BTreeMap, time::Duration};

use domain::TokenUsage;
use futures::{FutureExt, future::BoxFuture};
use reqwest::Url;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::manner::{Learned, Manner};
use crate::{
    effort::Effort,
    http::{self, Answer, Base64, Endpoint},
    provider::{Completion, Provider, ProviderError, Request, excerpt, parse},
    secret::Secret,
};

/// A server with `POST {base}/chat/completions`.
#[derive(Debug)]
pub struct OpenAi {
    endpoint: Endpoint,
    model: String,
    effort: Option<Effort>,
    learned: Learned,
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
        let endpoint = Endpoint::new(base, "/chat/completions", key)?;
        Ok(Self { endpoint, model: model.into(), effort: None, learned: Learned::default() })
    }

    /// The same, which asks for this effort.
    pub fn with_effort(self, effort: Option<Effort>) -> Self {
        Self { effort, ..self }
    }

    fn body<'a>(&'a self, request: &'a Request<'_>, manner: Manner) -> Body<'a> {
        // The provider caches what requests have in common at their beginning, without marks.
        let mut system: String = request.system_parts().collect();
        system.push_str(&manner.schema_in_text(request));
        Body {
            model: &self.model,
            length: BTreeMap::from([(manner.length_field(), request.max_output_tokens)]),
            messages: [
                Turn { role: "system", content: Content::Text(system.into()) },
                Turn { role: "user", content: content(request) },
            ],
            response_format: manner.format(request),
            reasoning_effort: self.effort.filter(|_| manner.sends_effort()),
        }
    }

    /// Sends the request as the server takes it. What the server refuses is left out and not sent again; only an
    /// answer makes that known, so that no other error can be mistaken for a refusal.
    async fn ask(
        &self,
        request: &Request<'_>,
        timeout: Duration,
    ) -> Result<Completion, ProviderError> {
        let mut manner = self.learned.manner();
        loop {
            let post = self.endpoint.post();
            let mut post = http::with_body(post, request, &self.body(request, manner))?;
            if let Some(key) = &self.endpoint.key {
                post = post.bearer_auth(key.reveal());
            }
            let answer = http::send(post, timeout).await?;
            if answer.status.is_success() {
                self.learned.keep(manner);
                return self.completion(&answer, request);
            }
            let failure = failure(&answer, &self.endpoint);
            let other = manner.without_refused(answer.status.as_u16(), &answer.text());
            match (failure, other) {
                (ProviderError::BadRequest { .. }, Some(other)) => manner = other,
                (failure, _) => return Err(failure),
            }
        }
    }

    fn completion(
        &self,
        answer: &Answer,
        request: &Request<'_>,
    ) -> Result<Completion, ProviderError> {
        let mut reply: Reply = answer.read()?;
        let usage = reply.usage.take().unwrap_or_default().into();
        let answer = self::answer(reply);
        // Some servers take any format and enforce none.
        let is_free = match &answer {
            Ok(value) => !has_required(value, request.schema),
            Err(error) => matches!(error, ProviderError::Malformed { .. }),
        };
        if is_free {
            self.learned.put_schema_in_text();
        }
        Ok(Completion { answer, usage })
    }
}

/// Whether an answer has the members that its schema requires.
fn has_required(answer: &Value, schema: &Value) -> bool {
    let required = schema["required"].as_array().into_iter().flatten();
    required.filter_map(Value::as_str).all(|name| answer.get(name).is_some())
}

/// The error in a failure of a server of this protocol. Most have it in `error`, some at the top, and some as a text.
pub(super) fn failure(answer: &Answer, endpoint: &Endpoint) -> ProviderError {
    let body: Value = answer.read().unwrap_or_default();
    let error = body.get("error").unwrap_or(&body);
    let said = ["message", "detail"].iter().find_map(|name| error.get(name)).unwrap_or(error);
    let said = said.as_str().map_or_else(|| said.to_string(), ToOwned::to_owned);
    let code = error["code"].as_str().unwrap_or_default();
    let kind = error["type"].as_str().unwrap_or_default();
    let message = endpoint.redact(excerpt(&format!("{code} {kind} {said}")));
    match code {
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
    let malformed =
        |message: &str| ProviderError::Malformed { message: message.to_owned(), said: None };
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
        self.ask(request, timeout).boxed()
    }
}

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    /// The longest answer, in the field that the server knows.
    #[serde(flatten)]
    length: BTreeMap<&'static str, u32>,
    messages: [Turn<'a>; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_effort: Option<Effort>,
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
