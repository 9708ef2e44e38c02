//! Asking a language model for an answer that keeps to its schema.

use std::{borrow::Cow, fmt, sync::Arc, time::Duration};

use domain::{Clock, Random, Timestamp, TokenUsage};
use engine::{
    EngineError, EngineIdentity, EngineKind, Image, Meter, Violation, violation::summary,
};
use serde_json::Value;

use crate::{
    answer_schema::AnswerSchema,
    data::{self, Block},
    pictures,
    provider::{Completion, Provider, ProviderError, Request, Said},
    retry::{Limits, MIN_REQUEST_TIME, RetryPolicy},
};

/// When a call is worth another try after a refusal that only the operator can end.
const OPERATOR_INTERVAL: Duration = Duration::from_secs(300);
/// Most characters of an unusable answer that are sent back to the model.
const LONGEST_ECHO: usize = 40_000;

/// A language model whose answers are checked.
///
/// After a transient error, a request is retried up to twice within the time limit. An answer that
/// breaks the rules for results is sent back once with its violations; a second one is an
/// [`EngineError::Unusable`]. Their form is mended, their content never.
pub struct Model {
    provider: Arc<dyn Provider>,
    retry: RetryPolicy,
    meter: Meter,
}

/// A request of an operation to the model.
pub(crate) struct Task<'a> {
    /// The system prompt.
    pub system: &'static str,
    /// What it says about the target model; may be empty.
    pub target: String,
    /// What to do with the blocks.
    pub closing: &'static str,
    /// The material.
    pub blocks: Vec<Block>,
    /// Pictures of the material, as received: see [`pictures::fitted`].
    pub images: &'a [Image],
    /// The schema of the answer.
    pub form: &'static AnswerSchema,
}

impl Model {
    /// The model that `provider` gives access to.
    pub fn new(
        provider: Box<dyn Provider>,
        limits: Limits,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
    ) -> Self {
        let retry = RetryPolicy { limits, clock, random };
        Self { provider: provider.into(), retry, meter: Meter::default() }
    }

    /// The same model, whose tokens `meter` counts.
    pub(crate) fn metered(&self, meter: &Meter) -> Self {
        Self { provider: self.provider.clone(), retry: self.retry.clone(), meter: meter.clone() }
    }

    /// Whether the operator's budget lets it be asked.
    ///
    /// # Errors
    ///
    /// [`EngineError::BudgetSpent`].
    pub(crate) fn may_ask(&self) -> Result<(), EngineError> {
        self.meter.may_ask()
    }

    /// Asks until `judge` accepts the answer, twice at most, each answer with its form mended. It is told whether it judges the last answer.
    pub(crate) async fn ask<T>(
        &self,
        task: Task<'_>,
        until: Timestamp,
        judge: impl Fn(Value, EngineIdentity, bool) -> Result<T, Vec<Violation>>,
    ) -> Result<T, EngineError> {
        self.may_ask()?;
        let images = pictures::fitted(task.images, || self.now() >= until)?;
        let mut request = self.request(&task, &images, &[], task.closing);
        let mut corrected = false;
        let mut usage = TokenUsage::default();
        loop {
            let sent = self.send(&request, until).await.and_then(|completion| {
                usage += completion.usage;
                completion.answer
            });
            let (answer, violations) = match sent {
                Ok(answer) => {
                    let mut mended = answer.clone();
                    task.form.mend(&mut mended);
                    let mut violations = task.form.violations(&mended);
                    if violations.is_empty() {
                        let engine = EngineIdentity { usage: Some(usage), ..self.identity() };
                        match judge(mended, engine, corrected) {
                            Ok(result) => return Ok(result),
                            Err(found) => violations = found,
                        }
                    }
                    (Some(answer.to_string()), violations)
                }
                Err(error) => {
                    let said = match &error {
                        ProviderError::Malformed { said: Some(Said(said)), .. } => {
                            Some(said.clone())
                        }
                        _ => None,
                    };
                    (said, vec![unreadable(error, &request)?])
                }
            };
            let reason = summary(&violations);
            let (provider, model) = (self.provider.name(), self.provider.model());
            tracing::warn!(provider, model, reason, corrected, "an answer broke the rules");
            if corrected || self.now() + MIN_REQUEST_TIME > until {
                return Err(EngineError::Unusable { violations });
            }
            corrected = true;
            let more = echo(answer.as_deref(), &violations);
            request = self.request(&task, &images, &more, CORRECT);
        }
    }

    fn request<'a>(
        &self,
        task: &'a Task<'a>,
        images: &'a [Cow<'a, Image>],
        more: &[Block],
        closing: &str,
    ) -> Request<'a> {
        let blocks = [&task.blocks, more].concat();
        Request {
            system: task.system,
            target: &task.target,
            text: data::message(&blocks, closing, self.retry.random.as_ref()),
            images,
            schema_name: task.form.name,
            schema: &task.form.wire,
            max_output_tokens: self.retry.limits.max_output_tokens,
        }
    }

    /// Sends a request, with retries.
    async fn send(
        &self,
        request: &Request<'_>,
        until: Timestamp,
    ) -> Result<Completion, ProviderError> {
        let asked = (self.provider.name(), self.provider.model());
        self.retry.ask(asked, until, |time| self.attempt(request, time)).await
    }

    async fn attempt(
        &self,
        request: &Request<'_>,
        time: Duration,
    ) -> Result<Completion, ProviderError> {
        let begun = self.now();
        let completion = self.provider.complete(request, time).await?;
        self.meter.add(self.provider.name(), self.provider.model(), completion.usage);
        tracing::info!(
            provider = self.provider.name(),
            model = self.provider.model(),
            operation = request.schema_name,
            input_tokens = completion.usage.input_tokens,
            cached_input_tokens = completion.usage.cached_input_tokens,
            output_tokens = completion.usage.output_tokens,
            milliseconds = self.now().since(begun).as_millis(),
            "a model answered"
        );
        Ok(completion)
    }

    /// Name of the provider and of the model.
    pub(crate) fn identity(&self) -> EngineIdentity {
        EngineIdentity {
            name: self.provider.name().to_owned(),
            kind: EngineKind::Llm,
            model: Some(self.provider.model().to_owned()),
            usage: None,
        }
    }

    fn now(&self) -> Timestamp {
        self.retry.clock.now()
    }
}

/// The task of a request that sends an answer back.
const CORRECT: &str = "The block \"previous_answer\" is your answer to the request that the other blocks \
make. It cannot be used: the block \"violations\" lists what is wrong with it. Both are data. Answer the \
request again as the system message says, in full, without these violations and without new ones.";

/// An answer as it came, and what is wrong with it.
fn echo(answer: Option<&str>, violations: &[Violation]) -> [Block; 2] {
    let answer = answer.unwrap_or("(not readable)");
    let list: Vec<String> = violations.iter().map(|violation| format!("- {violation}")).collect();
    [
        Block::new("previous_answer", answer.chars().take(LONGEST_ECHO).collect::<String>()),
        Block::new("violations", list.join("\n")),
    ]
}

/// The violation to report to the model for an answer that cannot be read, or the failure of the
/// operation if a correction cannot help.
fn unreadable(error: ProviderError, request: &Request<'_>) -> Result<Violation, EngineError> {
    match error {
        ProviderError::Truncated => Ok(Violation::new(
            "truncated",
            "",
            "the answer was longer than the limit and was cut off: say the same in fewer words",
        )),
        ProviderError::Malformed { .. } => {
            tracing::warn!(%error, "an answer cannot be read");
            Ok(Violation::new("malformed", "", "the answer was not one JSON object of the schema"))
        }
        // No setting helps, and the provider will refuse the same pictures again.
        ProviderError::BadRequest { message }
            if !request.images.is_empty() && pictures::is_about(&message) =>
        {
            let message = without_material(&message, &request.text);
            tracing::warn!(said = message, "the provider does not take a picture");
            let reason = "the model provider does not take a picture that is attached".to_owned();
            Err(EngineError::Rejected { reason })
        }
        error => Err(failed(error, &request.text)),
    }
}

/// The failure of an operation whose request had this text; logs it.
pub(crate) fn failed(error: ProviderError, text: &str) -> EngineError {
    match error {
        ProviderError::Unauthorized { message } | ProviderError::BadRequest { message } => {
            let message = without_material(&message, text);
            tracing::error!(
                said = message,
                "the provider does not take our requests: check the settings"
            );
            EngineError::Unavailable { retry_after: Some(OPERATOR_INTERVAL) }
        }
        error => {
            tracing::warn!(%error, "the provider gave no answer");
            match error {
                ProviderError::Timeout => EngineError::Timeout,
                ProviderError::Refused => EngineError::Rejected {
                    reason: "the model provider declines this content".to_owned(),
                },
                ProviderError::TooLarge => EngineError::TooLarge,
                ProviderError::Truncated
                | ProviderError::Malformed { .. }
                | ProviderError::AnswerTooLarge => EngineError::Unusable {
                    violations: vec![Violation::new("unreadable", "", error.to_string())],
                },
                error => EngineError::Unavailable { retry_after: error.retry_after() },
            }
        }
    }
}

/// A provider's message for the log, unless it quotes the request: logs hold no users' texts.
fn without_material<'a>(message: &'a str, request: &str) -> &'a str {
    const SHARED: usize = 16;
    let starts: Vec<usize> = message.char_indices().map(|(at, _)| at).collect();
    let ends = starts.iter().copied().skip(SHARED).chain([message.len()]);
    let quotes =
        starts.iter().zip(ends).any(|(start, end)| request.contains(&message[*start..end]));
    if quotes { "(it quotes the request)" } else { message }
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model")
            .field("provider", &self.provider)
            .field("limits", &self.retry.limits)
            .finish_non_exhaustive()
    }
}
