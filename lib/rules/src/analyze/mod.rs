//! Telling what is wrong with a prompt, as far as rules can prove it.
//!
//! A prompt is taken apart into prose and material ([`source`]) and searched by the [`table`] of rules. Scores follow
//! from the findings alone, so that versions of a prompt can be compared by the same rules; that nothing was found is
//! no praise.

mod clashes;
mod counts;
mod form;
mod missing;
mod names;
mod numbers;
mod reading;
mod references;
mod review;
mod rule;
mod score;
mod secrets;
mod sets;
mod source;
mod table;
mod variables;
mod verdict;
mod visual;

pub(super) use self::review::Review;
pub(super) use self::score::overall as score;
use engine::{
    Analysis, EngineError, EngineIdentity, PromptBrief, Rating, Variable, constraints, tokens,
};

/// Tells what is wrong with a prompt, in the language of the brief where there are texts in it and in English
/// otherwise.
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
    let Review { reading, voice, .. } = review;
    let overall_score = score(&findings);
    Analysis {
        overall_score,
        rating: Rating::of(overall_score),
        summary: verdict::summary(&findings, voice),
        metrics: score::metrics(&findings, voice),
        strengths: verdict::strengths(reading, voice),
        weaknesses: verdict::weaknesses(&findings),
        constraints: constraints::list(&brief.prompt, &reading.constraints),
        model_fit: verdict::fit(reading, &findings, voice),
        suggested_use_cases: verdict::uses(reading, voice),
        difficulty: verdict::difficulty(reading),
        variables: variables_of(&brief.prompt),
        token_estimate: tokens::estimate(&brief.prompt, brief.target_model),
        language: brief.language.clone(),
        engine: EngineIdentity::rules(),
        findings,
    }
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
