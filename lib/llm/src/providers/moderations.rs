//! OpenAI's moderation endpoint, which needs no language model and is free.

use std::{collections::BTreeMap, fmt, ops::Range, sync::Arc, time::Duration};

use domain::{Clock, Random, Timestamp};
use engine::EngineError;
use reqwest::Url;
use serde::{Deserialize, Serialize};

use super::openai;
use crate::{
    http::{self, Endpoint},
    model::failed,
    moderation::{Reason, Verdict},
    operations::Field,
    provider::ProviderError,
    retry::{Limits, RetryPolicy},
    secret::Secret,
};

const MODEL: &str = "omni-moderation-latest";
/// Code points that are judged together, so that a long text does not hide a short offence.
const PART: usize = 4_000;
/// Code points that neighbouring parts share, so that every sentence is whole in one of them.
const OVERLAP: usize = 400;

/// A client of `POST {base}/moderations`, as defined by OpenAI.
pub struct Moderations {
    endpoint: Endpoint,
    retry: RetryPolicy,
}

impl Moderations {
    /// The endpoint under `base`, for example `https://api.openai.com/v1`.
    ///
    /// # Errors
    ///
    /// The system has no usable store of certificates.
    pub fn new(
        base: &Url,
        key: Option<Secret>,
        limits: Limits,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
    ) -> Result<Self, reqwest::Error> {
        let retry = RetryPolicy { limits, clock, random };
        Ok(Self { endpoint: Endpoint::new(base, "/moderations", key)?, retry })
    }

    /// The endpoint's verdict on all fields, in one request.
    pub(crate) async fn judge(
        &self,
        fields: &[Field<'_>],
        until: Timestamp,
    ) -> Result<Verdict, EngineError> {
        let parts: Vec<Part<'_>> = fields.iter().flat_map(|field| parts(*field)).collect();
        let input: Vec<&str> = parts.iter().map(|part| part.text).collect();
        let sent = self.retry.ask(("openai", MODEL), until, |time| self.send(&input, time)).await;
        let results = sent.map_err(|error| failed(error, &input.concat()))?;
        let reasons: Vec<Reason> =
            parts.iter().zip(results).flat_map(|(part, result)| part.reasons(result)).collect();
        Ok(if reasons.is_empty() { Verdict::Approved } else { Verdict::Blocked { reasons } })
    }

    async fn send(&self, input: &[&str], timeout: Duration) -> Result<Vec<Flags>, ProviderError> {
        let mut post = self.endpoint.post().json(&Body { model: MODEL, input });
        if let Some(key) = &self.endpoint.key {
            post = post.bearer_auth(key.reveal());
        }
        let answer = http::send(post, timeout).await?;
        if !answer.status.is_success() {
            return Err(openai::failure(&answer, &self.endpoint));
        }
        let Reply { results } = answer.read()?;
        if results.len() != input.len() {
            let message = "not as many results as texts".to_owned();
            return Err(ProviderError::Malformed { message, said: None });
        }
        Ok(results)
    }
}

impl fmt::Debug for Moderations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Moderations")
            .field("url", &self.endpoint.url.as_str())
            .finish_non_exhaustive()
    }
}

/// A part of a field, with its range in code points.
struct Part<'a> {
    field: &'static str,
    range: Range<usize>,
    text: &'a str,
}

/// The parts of a field, at most [`PART`] code points each; neighbours share [`OVERLAP`].
fn parts((field, text): Field<'_>) -> Vec<Part<'_>> {
    let mut at: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    at.push(text.len());
    let length = at.len() - 1;
    let mut parts = Vec::new();
    let mut start = 0;
    loop {
        let end = length.min(start + PART);
        parts.push(Part { field, range: start..end, text: &text[at[start]..at[end]] });
        if end == length {
            return parts;
        }
        start = end - OVERLAP;
    }
}

impl Part<'_> {
    fn reasons(&self, flags: Flags) -> Vec<Reason> {
        let mut broken: Vec<String> = flags
            .categories
            .into_iter()
            .filter(|(_, flagged)| flags.flagged && flagged.unwrap_or(false))
            .map(|(category, _)| category)
            .collect();
        if flags.flagged && broken.is_empty() {
            broken.push("other".to_owned());
        }
        broken
            .into_iter()
            .map(|category| Reason {
                rule_id: rule_id(&category),
                field: self.field.to_owned(),
                start: self.range.start,
                end: self.range.end,
                message: message(&category).to_owned(),
            })
            .collect()
    }
}

/// The rule id of a category.
fn rule_id(category: &str) -> String {
    category.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

fn message(category: &str) -> &'static str {
    match category.split('/').next().unwrap_or_default() {
        "harassment" => "This harasses or threatens somebody.",
        "hate" => "This attacks people for what they are.",
        "illicit" => "This asks for or gives advice on wrongdoing.",
        "self-harm" => "This encourages or describes self-harm.",
        "sexual" => "This is sexual content.",
        "violence" => "This shows or praises violence.",
        _ => "This must not be published.",
    }
}

#[derive(Serialize)]
struct Body<'a> {
    model: &'static str,
    input: &'a [&'a str],
}

#[derive(Deserialize)]
struct Reply {
    results: Vec<Flags>,
}

#[derive(Deserialize)]
struct Flags {
    flagged: bool,
    /// A category is null if the model does not know it.
    categories: BTreeMap<String, Option<bool>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_overlap_and_leave_nothing_out() {
        for length in [1, PART - 1, PART, PART + 1, 2 * PART - OVERLAP, 30_000] {
            let text: String = ('a'..='z').chain(['é', '東', '👩']).cycle().take(length).collect();
            let characters: Vec<char> = text.chars().collect();
            let parts = parts(("promptText", &text));
            assert_eq!((parts[0].range.start, parts[parts.len() - 1].range.end), (0, length));
            for part in &parts {
                let cut: String = characters[part.range.clone()].iter().collect();
                assert_eq!(part.text, cut);
                assert!(part.range.len() <= PART);
            }
            let shared = |pair: &[Part<'_>]| pair[0].range.end - pair[1].range.start;
            assert!(parts.windows(2).all(|pair| shared(pair) == OVERLAP), "{length}");
        }
    }
}
