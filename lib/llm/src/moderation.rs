//! Moderation of items: the rules first, then language models if any are configured.

use std::{sync::Arc, time::Duration};

use domain::{Clock, Random, Timestamp, library::Content};
use engine::EngineError;
use futures::future::join;

use crate::{
    EngineConfig, EngineName, WithoutVerdict, connect,
    connect_error::ConnectError,
    model::Model,
    operations::{self, FIELDS, Field},
    provider_keys::ProviderKeys,
    providers::Moderations,
};

pub use ::moderation::{Reason, Verdict};

/// What is reserved for each model that may still be asked.
const RESERVE: Duration = Duration::from_secs(3);

/// The host with the moderation endpoint; servers with a compatible chat API do not have it.
const OPENAI: &str = "api.openai.com";

/// Judges items before publication.
///
/// The rules of [`mod@::moderation`] come first: what they block is blocked. Otherwise OpenAI's endpoint and a language
/// model judge side by side, as far as they are configured: the endpoint knows nothing of fraud, secrets, injection or
/// spam. An item is approved if all of them approve it. Models are asked in order until one answers; each has 3 s less
/// for every model after it.
#[derive(Clone, Debug)]
pub struct Moderator {
    judges: Arc<Judges>,
    without_verdict: WithoutVerdict,
    clock: Arc<dyn Clock>,
}

/// Who judges after the rules.
#[derive(Debug, Default)]
pub struct Judges {
    /// OpenAI's endpoint for moderation.
    pub endpoint: Option<Moderations>,
    /// Language models, by a classification in a strict schema, in order of preference.
    pub models: Vec<Model>,
}

impl Moderator {
    /// The rules alone.
    pub fn of_rules(clock: Arc<dyn Clock>) -> Self {
        Self::new(Judges::default(), WithoutVerdict::Hold, clock)
    }

    /// A moderator with these judges; without any, the rules decide alone.
    pub fn new(judges: Judges, without_verdict: WithoutVerdict, clock: Arc<dyn Clock>) -> Self {
        Self { judges: Arc::new(judges), without_verdict, clock }
    }

    /// Judges an item's content and the name of its author, until then at the latest.
    ///
    /// A reason by a judge has one of the judge's rules, and as its place the whole field or the
    /// part of it that was judged together.
    ///
    /// # Errors
    ///
    /// There is no verdict: a judge has failed, was late, or declined the content. Under
    /// [`WithoutVerdict::Publish`] there always is one: content that was declined is blocked, other content approved.
    pub async fn judge_until(
        &self,
        content: &Content,
        author: Option<&str>,
        until: Timestamp,
    ) -> Result<Verdict, EngineError> {
        if let blocked @ Verdict::Blocked { .. } = rules(content, author) {
            return Ok(blocked);
        }
        let fields = fields(content, author);
        let (flagged, classified) =
            join(self.flagged(&fields, until), self.classified(&fields, until)).await;
        let failure = match (flagged, classified) {
            (Ok(Verdict::Approved), Ok(verdict)) | (Ok(verdict), Ok(Verdict::Approved)) => {
                return Ok(verdict);
            }
            (Ok(blocked @ Verdict::Blocked { .. }), _)
            | (_, Ok(blocked @ Verdict::Blocked { .. })) => return Ok(blocked),
            (Err(declined @ EngineError::Rejected { .. }), _) => declined,
            (_, Err(error)) | (Err(error), _) => error,
        };
        match (self.without_verdict, failure) {
            (WithoutVerdict::Hold, failure) => Err(failure),
            (WithoutVerdict::Publish, EngineError::Rejected { .. }) => Ok(declined(content)),
            (WithoutVerdict::Publish, _) => Ok(Verdict::Approved),
        }
    }

    async fn flagged(
        &self,
        fields: &[Field<'_>],
        until: Timestamp,
    ) -> Result<Verdict, EngineError> {
        match &self.judges.endpoint {
            Some(_) if until <= self.clock.now() => Err(EngineError::Timeout),
            Some(endpoint) => endpoint.judge(fields, until).await,
            None => Ok(Verdict::Approved),
        }
    }

    /// The verdict of the first model that gives one.
    ///
    /// # Errors
    ///
    /// If none does: that one has declined the content, or the last failure.
    async fn classified(
        &self,
        fields: &[Field<'_>],
        until: Timestamp,
    ) -> Result<Verdict, EngineError> {
        if self.judges.models.is_empty() {
            return Ok(Verdict::Approved);
        }
        let mut failure = EngineError::Timeout;
        let count = u32::try_from(self.judges.models.len()).unwrap_or(u32::MAX);
        for (position, model) in (1..).zip(&self.judges.models) {
            let cut = until - RESERVE.saturating_mul(count - position);
            if cut <= self.clock.now() {
                continue;
            }
            match operations::moderate(model, fields, cut).await {
                Ok(verdict) => return Ok(verdict),
                Err(_) if matches!(failure, EngineError::Rejected { .. }) => {}
                Err(error) => failure = error,
            }
        }
        Err(failure)
    }
}

/// The verdict of the rules alone.
pub fn rules(content: &Content, author: Option<&str>) -> Verdict {
    let texts = ::moderation::check(&content.title, &fields(content, None)[1..]);
    let name = author.map_or(Verdict::Approved, ::moderation::check_author);
    match (texts, name) {
        (Verdict::Blocked { reasons: mut all }, Verdict::Blocked { reasons }) => {
            all.extend(reasons);
            Verdict::Blocked { reasons: all }
        }
        (Verdict::Approved, verdict) | (verdict, Verdict::Approved) => verdict,
    }
}

/// The texts of an item that are not empty, the title first, the author's name last.
fn fields<'a>(content: &'a Content, author: Option<&'a str>) -> Vec<Field<'a>> {
    let texts = [
        Some(content.title.as_str()),
        Some(content.prompt_text.as_str()),
        content.description.as_deref(),
        content.what_this_prompt_does.as_deref(),
        content.tips_for_this_prompt.as_deref(),
        content.how_to_use_prompt.as_deref(),
        Some(content.category.as_str()),
        content.example_text.as_deref(),
        author,
    ];
    let named = FIELDS.into_iter().zip(texts);
    named
        .filter_map(|(name, text)| text.map(|text| (name, text)))
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

/// The moderator that `config` describes: the rules, each configured language model, and OpenAI's moderation endpoint
/// if its own servers are among them.
///
/// # Errors
///
/// [`ConnectError`].
pub fn moderator(
    config: &EngineConfig,
    keys: &ProviderKeys,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
) -> Result<Moderator, ConnectError> {
    let mut judges = Judges::default();
    for name in &config.engines {
        let (clock, random) = (clock.clone(), random.clone());
        let openai = config.openai.as_ref().filter(|_| *name == EngineName::OpenAi);
        if let Some(http) = openai.filter(|http| http.base.host_str() == Some(OPENAI)) {
            let (key, clock, random) = (keys.openai.clone(), clock.clone(), random.clone());
            let endpoint = Moderations::new(&http.base, key, config.limits, clock, random)?;
            judges.endpoint = Some(endpoint);
        }
        if let Some(provider) = connect::provider(*name, config, keys)? {
            judges.models.push(Model::new(provider, config.limits, clock, random));
        }
    }
    Ok(Moderator::new(judges, config.without_verdict, clock))
}
