//! Whether an item may be published: the rules first, then a language model where there is one.

use std::{sync::Arc, time::Duration};

use aws_config::SdkConfig;
use domain::{Clock, Random, Timestamp, library::Content};
use engine::EngineError;

use crate::{
    EngineConfig, EngineName,
    aws::{self, Keys},
    connect::{self, ConnectError},
    llm::Llm,
    operations,
    providers::Moderations,
    retry::RetryPolicy,
};

pub use ::moderation::{Reason, Verdict};

/// Time for all judges together: a caller waits for the answer.
const BUDGET: Duration = Duration::from_secs(20);
/// Milliseconds kept back for each judge that could still be asked.
const RESERVE: i64 = 3_000;

/// The host whose servers offer the endpoint; servers that imitate its chat completions do not.
const OPENAI: &str = "api.openai.com";

/// Names of an item's texts, as the API gives them.
pub(crate) const FIELDS: [&str; 8] = [
    "title",
    "promptText",
    "description",
    "whatThisPromptDoes",
    "tipsForThisPrompt",
    "howToUsePrompt",
    "category",
    "exampleText",
];

/// A text of an item with its name, one of [`FIELDS`].
pub(crate) type Field<'a> = (&'static str, &'a str);

/// Judges items that are to be published.
///
/// The rules of [`mod@::moderation`] come first: what they block stays blocked. What they let pass is shown to
/// the judges in order until one answers. A provider that declines to read an item has answered, too: the
/// item is blocked. Whoever is not the last gets 3 s less for every judge behind it.
#[derive(Clone, Debug)]
pub struct Moderator {
    judges: Arc<[Classifier]>,
    rules_suffice: bool,
    clock: Arc<dyn Clock>,
}

/// Who is asked about an item beside the rules.
#[derive(Debug)]
pub enum Classifier {
    /// A language model, by a classification in a strict schema.
    Model(Llm),
    /// OpenAI's endpoint for moderation.
    Endpoint(Moderations),
}

impl Classifier {
    async fn judge(&self, fields: &[Field<'_>], until: Timestamp) -> Result<Verdict, EngineError> {
        match self {
            Self::Model(llm) => operations::moderate(llm, fields, until).await,
            Self::Endpoint(moderations) => moderations.judge(fields, until).await,
        }
    }
}

impl Moderator {
    /// Asks `judges` in this order. `rules_suffice` says whether the rules' verdict stands when no judge
    /// answers; without judges it always does.
    pub fn new(judges: Vec<Classifier>, rules_suffice: bool, clock: Arc<dyn Clock>) -> Self {
        let rules_suffice = rules_suffice || judges.is_empty();
        Self { judges: judges.into(), rules_suffice, clock }
    }

    /// Judges what an author wrote, within 20 s.
    ///
    /// A reason that comes from a judge names a rule of its own, and as its place the whole field or the
    /// part of it that was judged together.
    ///
    /// # Errors
    ///
    /// The last judge's failure, if none answered and the rules do not suffice.
    pub async fn judge(&self, content: &Content) -> Result<Verdict, EngineError> {
        self.judge_until(content, self.clock.now() + BUDGET).await
    }

    /// As [`judge`](Self::judge), until `until` at the latest.
    ///
    /// # Errors
    ///
    /// As [`judge`](Self::judge).
    pub async fn judge_until(
        &self,
        content: &Content,
        until: Timestamp,
    ) -> Result<Verdict, EngineError> {
        if let blocked @ Verdict::Blocked { .. } = rules(content) {
            return Ok(blocked);
        }
        let fields = fields(content);
        let mut failure = EngineError::Timeout;
        let count = i64::try_from(self.judges.len()).unwrap_or(i64::MAX);
        for (position, judge) in (1..).zip(&*self.judges) {
            let cut = Timestamp::from_millis(until.millis() - RESERVE * (count - position));
            if cut <= self.clock.now() {
                continue;
            }
            match judge.judge(&fields, cut).await {
                Err(EngineError::Rejected { .. }) => return Ok(declined(content)),
                Err(error) => failure = error,
                Ok(verdict) => return Ok(verdict),
            }
        }
        if self.rules_suffice { Ok(Verdict::Approved) } else { Err(failure) }
    }
}

/// What the rules alone say of what an author wrote.
pub fn rules(content: &Content) -> Verdict {
    ::moderation::check(&content.title, &fields(content)[1..])
}

/// The texts of an item that are not empty, the title first.
fn fields(content: &Content) -> Vec<Field<'_>> {
    let texts = [
        Some(&content.title),
        Some(&content.prompt_text),
        content.description.as_ref(),
        content.what_this_prompt_does.as_ref(),
        content.tips_for_this_prompt.as_ref(),
        content.how_to_use_prompt.as_ref(),
        Some(&content.category),
        content.example_text.as_ref(),
    ];
    let named = FIELDS.into_iter().zip(texts);
    named
        .filter_map(|(name, text)| text.map(|text| (name, text.as_str())))
        .filter(|(name, text)| *name == FIELDS[0] || !text.is_empty())
        .collect()
}

/// The judgement on what a provider does not want to read.
fn declined(content: &Content) -> Verdict {
    Verdict::Blocked {
        reasons: vec![Reason {
            rule_id: "declined".to_owned(),
            field: "promptText".to_owned(),
            start: 0,
            end: content.prompt_text.chars().count(),
            message: "The provider that checks items declines this content.".to_owned(),
        }],
    }
}

/// The moderator that `config` describes: the rules, and for each language model its provider, OpenAI's
/// own servers by their endpoint for moderation. Keys are fetched here, once.
///
/// # Errors
///
/// [`ConnectError`].
pub async fn moderator(
    config: &EngineConfig,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
) -> Result<Moderator, ConnectError> {
    moderator_on(config, &aws::load(config).await, clock, random).await
}

/// As [`moderator`], with AWS reached as `aws` says.
///
/// # Errors
///
/// [`ConnectError`].
pub async fn moderator_on(
    config: &EngineConfig,
    aws: &SdkConfig,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
) -> Result<Moderator, ConnectError> {
    let mut judges = Vec::new();
    let retry = RetryPolicy { limits: config.limits, clock: clock.clone(), random: random.clone() };
    let keys = Keys { aws, retry };
    for name in &config.engines {
        let (clock, random) = (clock.clone(), random.clone());
        let openai = config.openai.as_ref().filter(|_| *name == EngineName::OpenAi);
        if let Some(http) = openai.filter(|http| http.base.host_str() == Some(OPENAI)) {
            let key = keys.fetch(http.key.as_ref()).await?;
            let endpoint = Moderations::new(&http.base, key, config.limits, clock, random)?;
            judges.push(Classifier::Endpoint(endpoint));
        } else if let Some(provider) = connect::provider(*name, config, &keys).await? {
            judges.push(Classifier::Model(Llm::new(provider, config.limits, clock, random)));
        }
    }
    Ok(Moderator::new(judges, config.uses_rules(), clock))
}
