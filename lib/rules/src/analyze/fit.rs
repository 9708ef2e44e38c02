//! How well a prompt suits its target model, by what the model's vendor documents.

use super::mask::Kind;
use super::reading::{Medium, Reading};
use super::texts::{self, Texts};
use super::visual;
use engine::{Finding, ModelFit, ModelKind};
use patterns::{Pattern, pattern};

/// Characters from which on the order and the marking of parts matter.
const LONG: usize = 700;

/// A remark that may hold: whether it does, the key of its text, and the points that it costs.
type Note = (bool, &'static str, u8);

/// Scores a prompt against the conventions of its target model.
pub fn of(reading: &Reading<'_>, findings: &[Finding], texts: &Texts) -> ModelFit {
    let model = reading.target.model();
    let found = |rule: &str| findings.iter().any(|finding| finding.rule_id.starts_with(rule));
    let mut notes: Vec<Note> = vec![(found("wrong_medium"), "medium", 70)];
    notes.extend(match model.kind {
        ModelKind::Text | ModelKind::Universal if reading.medium == Medium::Text => {
            text(reading, found)
        }
        ModelKind::Image => image(reading),
        ModelKind::Video => video(reading),
        ModelKind::Text | ModelKind::Universal => Vec::new(),
    });
    let is_too_long = reading.source.text.chars().nth(model.max_prompt_chars).is_some();
    notes.push((is_too_long, "length", 40));
    notes.retain(|(holds, ..)| *holds);
    if notes.is_empty() {
        notes.push((true, "suits", 0));
    }
    let lost: u32 = notes.iter().map(|(.., points)| u32::from(*points)).sum();
    let limit = model.max_prompt_chars.to_string();
    ModelFit {
        score: u8::try_from(100_u32.saturating_sub(lost)).unwrap_or(0),
        notes: notes
            .iter()
            .map(|(_, key, _)| texts::fill(texts::get(&texts.fit, key), &model.name, &limit))
            .collect(),
    }
}

fn text(reading: &Reading<'_>, found: impl Fn(&str) -> bool) -> Vec<Note> {
    let source = &reading.source;
    let family = reading.target.model().family.as_str();
    let is = |families: &[&str]| families.contains(&family);
    let long = source.text.chars().count() >= LONG;
    let tags = pattern!(r"(?m)</[A-Za-z][\w-]{1,40}>").is_match(source.text);
    let parts = tags || reading.sections() > 0;
    let shown = || source.mask.of(Kind::Example).next().is_some();
    vec![
        (is(&["claude"]) && long && !tags, "xml", 15),
        (!is(&["claude"]) && long && !parts, "sections", 15),
        (is(&["gpt", "mistral"]) && found("conflicting"), "conflicts", 25),
        (is(&["deepseek"]) && shown(), "few_shot", 20),
    ]
}

const EXCLUSION: Pattern = pattern!(r"(?i)(?:^|[^-\w]){analyze_fit.exclusion}\s+\p{L}");

/// What is said about exclusions in a prompt for a picture or a clip.
fn exclusions(reading: &Reading<'_>) -> Note {
    let model = reading.target.model();
    let excludes = EXCLUSION.is_match(&reading.source.prose);
    match model.family.as_str() {
        "midjourney" => (excludes && !reading.source.text.contains("--no "), "exclusions_no", 15),
        "runway" | "ray" => (excludes, "positive", 25),
        _ if model.negative_prompt => (excludes, "exclusions_field", 15),
        _ => (excludes, "exclusions_none", 20),
    }
}

fn image(reading: &Reading<'_>) -> Vec<Note> {
    let source = &reading.source;
    let family = reading.target.model().family.as_str();
    let midjourney = family == "midjourney";
    let diffusion = family == "stable_diffusion";
    let lettering = !midjourney
        && !diffusion
        && pattern!(r"(?i)(?-u:\b){analyze_fit.lettering}(?-u:\b)").is_match(&source.prose);
    let quoted = source.mask.of(Kind::Quote).next().is_some();
    vec![exclusions(reading), (lettering && !quoted, "lettering", 25)]
}

fn video(reading: &Reading<'_>) -> Vec<Note> {
    let source = &reading.source;
    let prose = &source.prose;
    let family = reading.target.model().family.as_str();
    vec![
        exclusions(reading),
        (visual::takes_one_move(family) && visual::moves(prose) > 1, "one_move", 20),
    ]
}
