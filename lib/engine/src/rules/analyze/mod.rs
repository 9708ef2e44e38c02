//! Telling what is good about a prompt and what is not.
//!
//! A prompt is taken apart into prose and material ([`source`]), understood ([`reading`]) and searched by a table
//! of [`rule`]s, the [`registry`], one file a metric. Scores follow from the findings alone, so that versions of a prompt can be
//! compared by the same rules.

mod clashes;
mod conflicts;
mod degenerate;
mod facts;
mod fit;
mod jobs;
mod layout;
mod lexicon;
mod marks;
mod mask;
mod needs;
mod phrases;
mod reading;
mod registry;
mod request;
mod requests;
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

use self::reading::Reading;
use self::rule::Spot;
use self::texts::Texts;
use super::identity;
use crate::code_points::CodePoints;
use crate::{
    Analysis, EngineError, Finding, PromptBrief, Rating, Severity, Variable, constraints, tokens,
};

/// Characters of a place that its message repeats.
const NAMED: usize = 60;

/// Tells what is good about a prompt and what is not, in the language of the brief where there are texts in it
/// and in English otherwise.
///
/// # Errors
///
/// [`EngineError::Rejected`] for a prompt without visible text.
pub fn analyze(brief: &PromptBrief) -> Result<Analysis, EngineError> {
    if !brief.prompt.chars().any(is_visible) {
        return Err(EngineError::Rejected { reason: "the prompt has no visible text".to_owned() });
    }
    let (language, texts) = texts::of(&brief.language);
    let reading = read(&brief.prompt, brief);
    let findings = found(&reading, texts);
    let overall_score = score(&findings);
    let rating = Rating::of(overall_score);
    Ok(Analysis {
        overall_score,
        rating,
        summary: verdict::summary(&reading, &findings, rating, texts),
        metrics: score::metrics(&findings, texts),
        strengths: verdict::strengths(&reading, &findings, texts),
        weaknesses: verdict::weaknesses(&findings),
        constraints: constraints::list(&brief.prompt, &reading.constraints),
        model_fit: fit::of(&reading, &findings, texts),
        suggested_use_cases: verdict::uses(&reading, texts),
        difficulty: verdict::difficulty(&reading),
        variables: listed(&brief.prompt),
        token_estimate: tokens::estimate(&brief.prompt, brief.target_model),
        language: language.to_owned(),
        engine: identity(),
        findings,
    })
}

/// What the rules find in another wording of the prompt of a brief, in the brief's language.
pub fn findings_in(prompt: &str, brief: &PromptBrief) -> Vec<Finding> {
    found(&read(prompt, brief), texts::of(&brief.language).1)
}

pub(super) use self::degenerate::UNJUDGED;

/// The overall score, 0 to 100, of a prompt with these findings.
pub fn score(findings: &[Finding]) -> u8 {
    score::overall(findings)
}

fn read<'a>(prompt: &'a str, brief: &PromptBrief) -> Reading<'a> {
    Reading::of(prompt, &brief.context, brief.target_model, !brief.images.is_empty())
}

/// Whether a character leaves a mark on the screen.
fn is_visible(character: char) -> bool {
    !character.is_whitespace()
        && !character.is_control()
        && !matches!(character, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

fn found(reading: &Reading<'_>, texts: &Texts) -> Vec<Finding> {
    let text = reading.source.text;
    let mut spots: Vec<(Spot, &rule::Rule)> = registry::rules()
        .flat_map(|rule| rule.spots(reading).into_iter().map(move |spot| (spot, rule)))
        .collect();
    // The sort is stable, so that places found by several rules keep the order of the rules.
    spots.sort_by_key(|(spot, _)| spot.span);
    let mut offsets = CodePoints::of(text);
    spots
        .into_iter()
        .enumerate()
        .map(|(number, (spot, rule))| {
            let quote = reading.source.slice(spot.span);
            let start = offsets.at(spot.span.start);
            let named = spot.value.unwrap_or_else(|| shortened(quote));
            let (message, suggestion) = &texts.rules[rule.id];
            Finding {
                id: format!("f{}", number + 1),
                rule_id: rule.id.to_owned(),
                metric: rule.metric,
                severity: spot.severity.unwrap_or(rule.severity),
                start,
                end: start + quote.chars().count(),
                quote: quote.to_owned(),
                message: texts::fill(message, &named, ""),
                suggestion: texts::fill(suggestion, &named, ""),
            }
        })
        .collect()
}

/// A place on one line that is short enough for a message.
fn shortened(quote: &str) -> String {
    let line = super::split::squeeze(quote);
    if line.chars().count() <= NAMED {
        return line;
    }
    let kept: String = line.chars().take(NAMED - 1).collect();
    format!("{}…", kept.trim_end())
}

fn listed(prompt: &str) -> Vec<Variable> {
    crate::variables::find(prompt)
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
