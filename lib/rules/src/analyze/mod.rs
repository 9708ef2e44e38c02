//! Telling what is good about a prompt and what is not.
//!
//! A prompt is taken apart into prose and material ([`source`]), understood ([`reading`]) and searched by a table
//! of [`rule`]s, the [`registry`], one file a metric. Scores follow from the findings alone, so that versions of a prompt can be
//! compared by the same rules.

mod clashes;
mod conflicts;
mod degenerate;
mod facts;
mod filler;
mod fit;
mod jobs;
mod layout;
mod lexicon;
mod marks;
mod mask;
mod mends;
mod needs;
mod phrases;
mod reading;
mod registry;
mod request;
mod requests;
mod review;
mod rule;
mod scene;
mod score;
mod secrets;
mod shots;
mod source;
mod span;
mod texts;
mod variables;
mod verdict;
mod visual;
mod wording;
mod work;

pub(super) use self::needs::UNSTATED;
pub(super) use self::review::Review;
use engine::{
    Analysis, EngineError, EngineIdentity, Finding, PromptBrief, Rating, Severity, Variable,
    constraints, tokens,
};

/// Tells what is good about a prompt and what is not, in the language of the brief where there are texts in it
/// and in English otherwise.
///
/// # Errors
///
/// [`EngineError::Rejected`] for a prompt without visible text.
pub fn analyze(brief: &PromptBrief) -> Result<Analysis, EngineError> {
    review(brief).map(|review| report(&review, brief))
}

/// Searches the prompt of a brief.
///
/// # Errors
///
/// [`EngineError::Rejected`] for a prompt without visible text.
pub fn review(brief: &PromptBrief) -> Result<Review<'_>, EngineError> {
    if !text::is_visible(&brief.prompt) {
        return Err(EngineError::Rejected { reason: "the prompt has no visible text".to_owned() });
    }
    Ok(Review::of(&brief.prompt, brief))
}

/// The analysis that follows from what was found.
pub fn report(review: &Review<'_>, brief: &PromptBrief) -> Analysis {
    let findings = review.findings();
    let Review { reading, texts, .. } = review;
    let overall_score = score(&findings);
    let rating = Rating::of(overall_score);
    Analysis {
        overall_score,
        rating,
        summary: verdict::summary(reading, &findings, rating, texts),
        metrics: score::metrics(&findings, texts),
        strengths: verdict::strengths(reading, &findings, texts),
        weaknesses: verdict::weaknesses(&findings),
        constraints: constraints::list(&brief.prompt, &reading.constraints),
        model_fit: fit::of(reading, &findings, texts),
        suggested_use_cases: verdict::uses(reading, texts),
        difficulty: verdict::difficulty(reading),
        variables: variables_of(&brief.prompt),
        token_estimate: tokens::estimate(&brief.prompt, brief.target_model),
        language: brief.language.clone(),
        engine: EngineIdentity::rules(),
        findings,
    }
}

pub(super) use self::degenerate::UNJUDGED;

/// The overall score, 0 to 100, of a prompt with these findings.
pub fn score(findings: &[Finding]) -> u8 {
    score::overall(findings)
}

/// The variables of a prompt; what to fill in is not known.
pub fn variables_of(prompt: &str) -> Vec<Variable> {
    text::variables::find(prompt)
        .into_iter()
        .map(|found| Variable {
            name: found.name.to_owned(),
            description: None,
            default_value: None,
            occurrences: found.occurrences,
        })
        .collect()
}

/// Whether a finding is more than a remark.
fn matters(finding: &Finding) -> bool {
    finding.severity >= Severity::Medium
}
