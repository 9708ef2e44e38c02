//! Moderation of items: the rules first, then language models if any are configured.

use std::{sync::Arc, time::Duration};

use aws_config::SdkConfig;
use domain::{Clock, Random, Timestamp, library::Content};
use engine::EngineError;

use crate::{
    EngineConfig, EngineName,
    aws::{self, Keys},
    connect,
    connect_error::ConnectError,
    model::Model,
    operations::{self, FIELDS, Field},
    providers::Moderations,
};

pub use ::moderation::{Reason, Verdict};

/// Time for all judges together, since a caller waits for the answer.
const BUDGET: Duration = Duration::from_secs(20);
/// Milliseconds that are reserved for each judge that may still be asked.
const RESERVE: i64 = 3_000;

/// The host with the moderation endpoint; servers with a compatible chat API do not have it.
const OPENAI: &str = "api.openai.com";

/// Judges items before publication.
///
/// The rules of [`mod@::moderation`] come first: what they block is blocked. Otherwise the judges
/// are asked in order until one answers. If a provider declines the content, that counts as an
/// answer: the item is blocked. A judge has 3 s less for every judge after it.
#[derive(Clone, Debug)]
pub struct Moderator {
    judges: Arc<[Classifier]>,
    rules_suffice: bool,
    clock: Arc<dyn Clock>,
}

/// A judge that is asked after the rules.
#[derive(Debug)]
pub enum Classifier {
    /// A language model, by a classification in a strict schema.
    Model(Model),
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
    /// Asks `judges` in this order. `rules_suffice` says whether the rules' verdict counts if no
    /// judge answers; without judges it always does.
    pub fn new(judges: Vec<Classifier>, rules_suffice: bool, clock: Arc<dyn Clock>) -> Self {
        let rules_suffice = rules_suffice || judges.is_empty();
        Self { judges: judges.into(), rules_suffice, clock }
    }

    /// Judges an item's content, within 20 s.
    ///
    /// A reason by a judge has one of the judge's rules, and as its place the whole field or the
    /// part of it that was judged together.
    ///
    /// # Errors
    ///
    /// The last judge's failure, if none answered and the rules do not suffice.
    pub async fn judge(&self, content: &Content) -> Result<Verdict, EngineError> {
        self.judge_until(content, self.clock.now() + BUDGET).await
    }

    /// As [`judge`](Self::judge), but ends at `until` at the latest.
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

/// The verdict of the rules alone.
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

/// The verdict on content that a provider declines.
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

/// The moderator that `config` describes: the rules, and each configured language model; for
/// OpenAI's own servers, their moderation endpoint instead. Keys are fetched here, once.
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

/// As [`moderator`], with the given AWS configuration.
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
    let keys = Keys::new(config, aws, &clock, &random);
    for name in &config.engines {
        let (clock, random) = (clock.clone(), random.clone());
        let openai = config.openai.as_ref().filter(|_| *name == EngineName::OpenAi);
        if let Some(http) = openai.filter(|http| http.base.host_str() == Some(OPENAI)) {
            let key = keys.fetch(http.key.as_ref()).await?;
            let endpoint = Moderations::new(&http.base, key, config.limits, clock, random)?;
            judges.push(Classifier::Endpoint(endpoint));
        } else if let Some(provider) = connect::provider(*name, config, &keys).await? {
            judges.push(Classifier::Model(Model::new(provider, config.limits, clock, random)));
        }
    }
    Ok(Moderator::new(judges, config.uses_rules(), clock))
}
