//! Amazon Bedrock's Converse API.

use std::{error::Error, fmt, time::Duration};

use aws_config::{SdkConfig, retry::RetryConfig, timeout::TimeoutConfig};
use aws_sdk_bedrockruntime::{
    Client,
    config::{
        Builder, ConfigBag, Intercept, RuntimeComponents,
        interceptors::BeforeDeserializationInterceptorContextRef,
    },
    error::{BuildError, ProvideErrorMetadata, SdkError},
    operation::converse::{ConverseError, ConverseOutput},
    primitives::Blob,
    types::{
        AutoToolChoice, CachePointBlock, CachePointType, ContentBlock, ConversationRole,
        ImageBlock, ImageFormat, ImageSource, InferenceConfiguration, Message, StopReason,
        SystemContentBlock, Tool, ToolChoice, ToolConfiguration, ToolInputSchema,
        ToolSpecification,
    },
};
use aws_smithy_runtime_api::{box_error::BoxError, client::orchestrator::HttpResponse};
use aws_smithy_types::Document;
use domain::TokenUsage;
use engine::Image;
use futures::{FutureExt, future::BoxFuture};
use serde_json::{Value, json};

use super::document;
use crate::{
    effort::Effort,
    http,
    provider::{Completion, Provider, ProviderError, Request, about_content, excerpt, parse},
};

/// Any model of `Converse` that supports tools.
#[derive(Debug)]
pub struct Bedrock {
    client: Client,
    model: String,
    effort: Option<Effort>,
}

impl Bedrock {
    /// The service of `config`, without the SDK's retries: the caller retries within its budget.
    pub fn new(config: &SdkConfig, model: impl Into<String>) -> Self {
        let config = Builder::from(config)
            .retry_config(RetryConfig::disabled())
            .interceptor(LimitAnswer)
            .build();
        Self { client: Client::from_conf(config), model: model.into(), effort: None }
    }

    /// The same, which asks for this effort; Anthropic's models alone are told.
    pub fn with_effort(self, effort: Option<Effort>) -> Self {
        Self { effort, ..self }
    }

    /// The system prompt with cache points, if the model takes them. It asks for the call of the tool: models whose
    /// thinking is always on (Claude Opus 5.5, Fable 5.1) refuse requests that force it.
    fn system(&self, request: &Request<'_>) -> Result<Vec<SystemContentBlock>, BuildError> {
        let call = format!(
            "Give the answer as the input of the tool `{}`: call the tool once, and write nothing else.",
            request.schema_name
        );
        let mut blocks = vec![SystemContentBlock::Text(call)];
        for part in request.system_parts() {
            blocks.push(SystemContentBlock::Text(part.to_owned()));
            if takes_cache_points(&self.model) {
                let point = CachePointBlock::builder().r#type(CachePointType::Default).build()?;
                blocks.push(SystemContentBlock::CachePoint(point));
            }
        }
        Ok(blocks)
    }

    /// The effort, as Anthropic's models take it on Bedrock. Claude Opus 4.5 has it only as a beta.
    fn extra_fields(&self) -> Option<Document> {
        let effort = self.effort.filter(|_| self.model.contains("anthropic.claude-"))?;
        let mut fields = json!({"output_config": {"effort": effort}});
        if self.model.contains("claude-opus-4-5") {
            fields["anthropic_beta"] = json!(["effort-2025-11-24"]);
        }
        Some(document::of_json(&fields))
    }

    async fn ask(
        &self,
        request: &Request<'_>,
        timeout: Duration,
    ) -> Result<Completion, ProviderError> {
        let (system, message, tools) = self
            .system(request)
            .and_then(|system| Ok((system, message(request)?, tools(request)?)))
            .map_err(|error| ProviderError::BadRequest { message: error.to_string() })?;
        let limits = i32::try_from(request.max_output_tokens).unwrap_or(i32::MAX);
        let timeouts = TimeoutConfig::builder().operation_timeout(timeout).build();
        let answer = self
            .client
            .converse()
            .model_id(&self.model)
            .set_system(Some(system))
            .messages(message)
            .inference_config(InferenceConfiguration::builder().max_tokens(limits).build())
            .tool_config(tools)
            .set_additional_model_request_fields(self.extra_fields())
            .customize()
            .config_override(Builder::default().timeout_config(timeouts))
            .send()
            .await;
        let output = answer.map_err(explain)?;
        Ok(Completion { answer: self::answer(&output), usage: usage(&output) })
    }
}

/// Whether a model takes cache points; others refuse requests that have them. The name of an application inference
/// profile does not tell its model, so it has none. (AWS, "Prompt caching for faster model inference")
fn takes_cache_points(model: &str) -> bool {
    const WITHOUT: [&str; 6] = [
        "claude-v2",
        "claude-instant",
        "claude-3-haiku",
        "claude-3-sonnet",
        "claude-3-opus",
        "claude-3-5-sonnet",
    ];
    let is_old = WITHOUT.iter().any(|name| model.contains(name));
    (model.contains("anthropic.claude-") && !is_old) || model.contains("amazon.nova-")
}

fn message(request: &Request<'_>) -> Result<Message, BuildError> {
    let mut content = vec![ContentBlock::Text(request.text.clone())];
    for image in request.images {
        content.push(ContentBlock::Image(picture(image)?));
    }
    Message::builder().role(ConversationRole::User).set_content(Some(content)).build()
}

fn picture(image: &Image) -> Result<ImageBlock, BuildError> {
    let format = image.media_type.trim_start_matches("image/");
    ImageBlock::builder()
        .format(ImageFormat::from(format))
        .source(ImageSource::Bytes(Blob::new(image.bytes.clone())))
        .build()
}

/// The one tool, whose input is the answer.
fn tools(request: &Request<'_>) -> Result<ToolConfiguration, BuildError> {
    let name = request.schema_name;
    let specification = ToolSpecification::builder()
        .name(name)
        .description("Takes the finished result.")
        .input_schema(ToolInputSchema::Json(document::of_json(request.schema)))
        .build()?;
    ToolConfiguration::builder()
        .tools(Tool::ToolSpec(specification))
        .tool_choice(ToolChoice::Auto(AutoToolChoice::builder().build()))
        .build()
}

fn answer(output: &ConverseOutput) -> Result<Value, ProviderError> {
    match output.stop_reason() {
        StopReason::MaxTokens | StopReason::ModelContextWindowExceeded => {
            return Err(ProviderError::Truncated);
        }
        StopReason::ContentFiltered | StopReason::GuardrailIntervened => {
            return Err(ProviderError::Refused);
        }
        StopReason::MalformedModelOutput | StopReason::MalformedToolUse => {
            return Err(malformed("the model's call of the tool"));
        }
        // The SDK does not know this stop reason of Anthropic's models.
        other if other.as_str() == "refusal" => return Err(ProviderError::Refused),
        _ => {}
    }
    let message = output.output().and_then(|output| output.as_message().ok());
    let blocks = message.map(Message::content).unwrap_or_default();
    if let Some(call) = blocks.iter().find_map(|block| block.as_tool_use().ok()) {
        return Ok(document::to_json(call.input()));
    }
    // A model may write the JSON instead of calling the tool.
    let text: String = blocks.iter().filter_map(|block| block.as_text().ok()).cloned().collect();
    parse(&text)
}

/// Bedrock counts what is read from the cache or written to it apart from other input.
fn usage(output: &ConverseOutput) -> TokenUsage {
    let Some(usage) = output.usage() else {
        return TokenUsage { requests: 1, ..TokenUsage::default() };
    };
    let count = |tokens: i32| u64::try_from(tokens).unwrap_or(0);
    let [cached_input_tokens, cache_write_tokens] =
        [usage.cache_read_input_tokens(), usage.cache_write_input_tokens()]
            .map(|tokens| count(tokens.unwrap_or(0)));
    TokenUsage {
        requests: 1,
        input_tokens: count(usage.input_tokens()) + cached_input_tokens + cache_write_tokens,
        cached_input_tokens,
        cache_write_tokens,
        output_tokens: count(usage.output_tokens()),
    }
}

fn explain(error: SdkError<ConverseError, HttpResponse>) -> ProviderError {
    if causes(&error).any(|cause| cause.is::<AnswerTooLarge>()) {
        return ProviderError::AnswerTooLarge;
    }
    let innermost = || causes(&error).last().map(ToString::to_string).unwrap_or_default();
    match &error {
        SdkError::TimeoutError(_) => ProviderError::Timeout,
        SdkError::DispatchFailure(failure) if failure.is_timeout() => ProviderError::Timeout,
        // Not sent: no credentials were found.
        SdkError::DispatchFailure(failure) if !failure.is_io() && failure.as_other().is_none() => {
            ProviderError::Unauthorized { message: innermost() }
        }
        SdkError::DispatchFailure(_) => ProviderError::Unreachable { message: innermost() },
        SdkError::ConstructionFailure(_) => ProviderError::BadRequest { message: innermost() },
        SdkError::ServiceError(failure) => declined(failure.err(), failure.raw()),
        _ => malformed("not the provider's format"),
    }
}

fn declined(error: &ConverseError, response: &HttpResponse) -> ProviderError {
    let retry_after = response.headers().get("retry-after").and_then(http::seconds);
    let status = response.status().as_u16();
    let text = error.message().unwrap_or_default();
    let message = excerpt(&format!("{} {text}", error.code().unwrap_or_default()));
    if let Some(error) = about_content(status, &message) {
        return error;
    }
    match error {
        ConverseError::AccessDeniedException(_) => ProviderError::Unauthorized { message },
        ConverseError::ThrottlingException(_) => ProviderError::RateLimited { retry_after },
        ConverseError::ModelTimeoutException(_) => ProviderError::Timeout,
        ConverseError::ValidationException(_) | ConverseError::ResourceNotFoundException(_) => {
            ProviderError::BadRequest { message }
        }
        ConverseError::InternalServerException(_)
        | ConverseError::ModelErrorException(_)
        | ConverseError::ModelNotReadyException(_)
        | ConverseError::ServiceUnavailableException(_) => {
            ProviderError::Server { status, retry_after }
        }
        _ => match status {
            401 | 403 => ProviderError::Unauthorized { message },
            413 => ProviderError::TooLarge,
            429 => ProviderError::RateLimited { retry_after },
            200..300 => malformed("not the provider's format"),
            500.. => ProviderError::Server { status, retry_after },
            _ => ProviderError::BadRequest { message },
        },
    }
}

fn malformed(message: &str) -> ProviderError {
    ProviderError::Malformed { message: message.to_owned(), said: None }
}

/// An error and its causes, outermost first.
fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |error| (**error).source())
}

/// Refuses an answer by its `Content-Length`, before it is read.
#[derive(Debug)]
struct LimitAnswer;

#[derive(Debug)]
struct AnswerTooLarge;

impl fmt::Display for AnswerTooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the answer is too large")
    }
}

impl Error for AnswerTooLarge {}

impl Intercept for LimitAnswer {
    fn name(&self) -> &'static str {
        "LimitAnswer"
    }

    fn read_after_transmit(
        &self,
        context: &BeforeDeserializationInterceptorContextRef<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let length = context.response().headers().get("content-length");
        match length.and_then(|length| length.parse::<usize>().ok()) {
            Some(length) if length > http::LARGEST_ANSWER => Err(AnswerTooLarge.into()),
            _ => Ok(()),
        }
    }
}

impl Provider for Bedrock {
    fn name(&self) -> &'static str {
        "bedrock"
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
