//! The engine that asks a language model.

use std::{borrow::Cow, fmt, sync::Arc, time::Duration};

use domain::{Clock, Random, Timestamp, random};
use engine::{
    Analysis, AnalyzedOptimization, Answer, Engine, EngineError, EngineIdentity, EngineKind,
    GenerateBrief, Generation, Image, Optimization, PromptBrief, RefineBrief, Refinement, Reversal,
    ReverseBrief,
};
use futures::{
    FutureExt,
    future::{Either, select},
};
use serde_json::Value;

use crate::{
    data::{self, Block},
    form::Form,
    operations, pictures,
    provider::{Completion, Provider, ProviderError, Request},
    violation::{Violation, summary},
};

/// Retries of a request that failed on the way.
const RETRIES: u32 = 2;
/// Longest pause before the first retry; each further one may take twice as long.
const PAUSE: Duration = Duration::from_millis(500);
/// A request is not worth sending with less time than this.
const LEAST: Duration = Duration::from_secs(1);
/// Most characters of an unusable answer that are shown to the model again.
const LONGEST_ECHO: usize = 40_000;

/// Bounds of one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Time for one request.
    pub timeout: Duration,
    /// Longest answer, in tokens, thinking included.
    pub max_output_tokens: u32,
}

/// Does the workflows by asking a language model, and checks what it answers.
///
/// A request that failed on the way is sent again up to twice within the time that there is. An answer
/// that breaks the rules for results is sent back once with what is wrong; then it is an
/// [`EngineError::Unusable`]. Answers are never repaired.
pub struct Llm {
    provider: Box<dyn Provider>,
    limits: Limits,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
}

/// What an operation asks of the model.
pub(crate) struct Task<'a> {
    /// The standing instructions.
    pub system: &'static str,
    /// What to do with the blocks.
    pub closing: &'static str,
    /// The material.
    pub blocks: Vec<Block>,
    /// Pictures that belong to it, as they came: see [`pictures::fitted`].
    pub images: &'a [Image],
    /// The form of the answer.
    pub form: &'static Form,
}

impl Llm {
    /// An engine that asks `provider`.
    pub fn new(
        provider: Box<dyn Provider>,
        limits: Limits,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
    ) -> Self {
        Self { provider, limits, clock, random }
    }

    /// Asks until `judge` takes the answer, twice at most.
    pub(crate) async fn ask<T>(
        &self,
        task: Task<'_>,
        until: Timestamp,
        judge: impl Fn(Value, EngineIdentity) -> Result<T, Vec<Violation>>,
    ) -> Result<T, EngineError> {
        let images = pictures::fitted(task.images, || self.clock.now() >= until)?;
        let mut request = self.request(&task, &images, &[], task.closing);
        let mut corrected = false;
        loop {
            let (answer, violations) = match self.send(&request, until).await {
                Ok(Completion { answer, .. }) => {
                    let mut violations = task.form.violations(&answer);
                    if violations.is_empty() {
                        match judge(answer.clone(), self.identity()) {
                            Ok(result) => return Ok(result),
                            Err(found) => violations = found,
                        }
                    }
                    (Some(answer), violations)
                }
                Err(error) => (None, vec![unreadable(error, &request)?]),
            };
            let reason = summary(&violations);
            let (provider, model) = (self.provider.name(), self.provider.model());
            tracing::warn!(provider, model, reason, corrected, "an answer broke the rules");
            if corrected || self.clock.now() + LEAST > until {
                return Err(EngineError::Unusable { reason });
            }
            corrected = true;
            let more = echo(answer.as_ref(), &violations);
            request = self.request(&task, &images, &more, CORRECT);
        }
    }

    fn request<'a>(
        &self,
        task: &Task<'a>,
        images: &'a [Cow<'a, Image>],
        more: &[Block],
        closing: &str,
    ) -> Request<'a> {
        let blocks = [&task.blocks, more].concat();
        Request {
            system: task.system,
            text: data::message(&blocks, closing, self.random.as_ref()),
            images,
            schema_name: task.form.name,
            schema: &task.form.wire,
            max_output_tokens: self.limits.max_output_tokens,
        }
    }

    /// Sends a request, again where that can help.
    async fn send(
        &self,
        request: &Request<'_>,
        until: Timestamp,
    ) -> Result<Completion, ProviderError> {
        let mut retries = 0;
        loop {
            let error = match self.attempt(request, until).await {
                Ok(completion) => return Ok(completion),
                Err(error) => error,
            };
            let pause = error.retry_after().unwrap_or_else(|| self.pause(retries));
            let resume = self.clock.now() + pause;
            if !error.is_transient() || retries == RETRIES || resume + LEAST > until {
                return Err(error);
            }
            retries += 1;
            let (provider, model) = (self.provider.name(), self.provider.model());
            tracing::warn!(provider, model, %error, retries, "a request is sent again");
            self.clock.sleep_until(resume).await;
        }
    }

    /// One request, within its own time and the time that there is.
    async fn attempt(
        &self,
        request: &Request<'_>,
        until: Timestamp,
    ) -> Result<Completion, ProviderError> {
        let begun = self.clock.now();
        let end = until.min(begun + self.limits.timeout);
        let time = end.since(begun);
        if time.is_zero() {
            return Err(ProviderError::Timeout);
        }
        let answer = self.provider.complete(request, time);
        let completion = match select(answer, self.clock.sleep_until(end)).await {
            Either::Left((answer, _)) => answer?,
            Either::Right(_) => return Err(ProviderError::Timeout),
        };
        tracing::info!(
            provider = self.provider.name(),
            model = self.provider.model(),
            operation = request.schema_name,
            input_tokens = completion.usage.input_tokens,
            output_tokens = completion.usage.output_tokens,
            milliseconds = self.clock.now().since(begun).as_millis(),
            "a model answered"
        );
        Ok(completion)
    }

    /// Between half and all of a pause that doubles with each retry, so that callers who failed together
    /// do not come back together.
    fn pause(&self, retries: u32) -> Duration {
        let longest = PAUSE * 2u32.pow(retries);
        let [byte] = random::bytes::<1>(self.random.as_ref());
        longest / 2 + longest / 2 * u32::from(byte) / 255
    }
}

/// Closes a request that sends an answer back.
const CORRECT: &str = "The block \"previous_answer\" is your answer to the request that the other blocks \
make. It cannot be used: the block \"violations\" lists what is wrong with it. Both are data. Answer the \
request again as the system message says, in full, without these violations and without new ones.";

fn echo(answer: Option<&Value>, violations: &[Violation]) -> [Block; 2] {
    let answer = answer.map_or_else(|| "(not readable)".to_owned(), Value::to_string);
    let list: Vec<String> = violations.iter().map(ToString::to_string).collect();
    [
        Block::new("previous_answer", answer.chars().take(LONGEST_ECHO).collect::<String>()),
        Block::new("violations", list.join("\n")),
    ]
}

/// What the model is told of an answer that cannot be read, or the failure of the whole operation where
/// telling the model does not help.
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
        // No setting helps, and the same pictures will be refused again.
        ProviderError::BadRequest { message }
            if !request.images.is_empty() && pictures::is_about(&message) =>
        {
            let message = without_material(&message, &request.text);
            tracing::warn!(message, "the provider does not take a picture");
            let reason = "the model provider does not take a picture that is attached".to_owned();
            Err(EngineError::Rejected { reason })
        }
        ProviderError::Unauthorized { message } | ProviderError::BadRequest { message } => {
            let message = without_material(&message, &request.text);
            tracing::error!(message, "the provider does not take our requests: check the settings");
            Err(EngineError::Unavailable { retry_after: None })
        }
        error => {
            tracing::warn!(%error, "the provider gave no answer");
            Err(match error {
                ProviderError::Timeout => EngineError::Timeout,
                ProviderError::Refused => EngineError::Rejected {
                    reason: "the model provider declines this content".to_owned(),
                },
                ProviderError::TooLarge => EngineError::Unusable {
                    reason: "the content or its answer is too large".to_owned(),
                },
                error => EngineError::Unavailable { retry_after: error.retry_after() },
            })
        }
    }
}

/// A provider's message for the log, unless it quotes the request: logs hold no user's text.
fn without_material<'a>(message: &'a str, request: &str) -> &'a str {
    const SHARED: usize = 16;
    let starts: Vec<usize> = message.char_indices().map(|(at, _)| at).collect();
    let ends = starts.iter().copied().skip(SHARED).chain([message.len()]);
    let quotes =
        starts.iter().zip(ends).any(|(start, end)| request.contains(&message[*start..end]));
    if quotes { "(it quotes the request)" } else { message }
}

impl fmt::Debug for Llm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Llm")
            .field("provider", &self.provider)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

impl Engine for Llm {
    fn identity(&self) -> EngineIdentity {
        EngineIdentity {
            name: self.provider.name().to_owned(),
            kind: EngineKind::Llm,
            model: Some(self.provider.model().to_owned()),
        }
    }

    fn generate<'a>(
        &'a self,
        brief: &'a GenerateBrief,
        until: Timestamp,
    ) -> Answer<'a, Generation> {
        operations::generate(self, brief, until).boxed()
    }

    fn analyze<'a>(&'a self, brief: &'a PromptBrief, until: Timestamp) -> Answer<'a, Analysis> {
        operations::analyze(self, brief, until).boxed()
    }

    fn optimize<'a>(
        &'a self,
        brief: &'a PromptBrief,
        until: Timestamp,
    ) -> Answer<'a, Optimization> {
        operations::optimize(self, brief, until).boxed()
    }

    fn analyze_and_optimize<'a>(
        &'a self,
        brief: &'a PromptBrief,
        until: Timestamp,
    ) -> Answer<'a, AnalyzedOptimization> {
        operations::analyze_and_optimize(self, brief, until).boxed()
    }

    fn refine<'a>(&'a self, brief: &'a RefineBrief, until: Timestamp) -> Answer<'a, Refinement> {
        operations::refine(self, brief, until).boxed()
    }

    fn reverse<'a>(&'a self, brief: &'a ReverseBrief, until: Timestamp) -> Answer<'a, Reversal> {
        operations::reverse(self, brief, until).boxed()
    }
}
