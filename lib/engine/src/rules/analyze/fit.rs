//! How well a prompt suits its target model, by what the model's vendor documents.

use super::mask::Kind;
use super::reading::{Medium, Reading};
use super::texts::{self, Texts};
use super::verdict::sections;
use crate::{Finding, ModelFit, ModelKind};
use patterns::{Pattern, pattern};

/// Characters from which on the order and the marking of parts matter.
const LONG: usize = 700;

/// Remarks about a prompt: the key of a text, the points it costs (none if it is praise), a second value.
type Notes = Vec<(&'static str, u8, String)>;

/// Scores a prompt against the conventions of its target model.
pub fn of(reading: &Reading<'_>, findings: &[Finding], texts: &Texts) -> ModelFit {
    let model = reading.target.model();
    let mut notes = Notes::new();
    let mut note = |key, points| notes.push((key, points, String::new()));
    if findings.iter().any(|finding| finding.rule_id == "wrong_medium") {
        note("medium", 70);
    }
    match model.kind {
        ModelKind::Text | ModelKind::Universal if reading.medium == Medium::Text => {
            text(reading, findings, &mut note)
        }
        ModelKind::Image => image(reading, &mut note),
        ModelKind::Video => video(reading, &mut note),
        ModelKind::Text | ModelKind::Universal => {}
    }
    if reading.source.text.chars().nth(model.max_prompt_chars).is_some() {
        notes.push(("length", 40, model.max_prompt_chars.to_string()));
    }
    let lost: u32 = notes.iter().map(|(_, points, _)| u32::from(*points)).sum();
    if lost == 0 && notes.is_empty() {
        notes.push(("suits", 0, String::new()));
    }
    ModelFit {
        score: u8::try_from(100_u32.saturating_sub(lost)).unwrap_or(0),
        notes: notes
            .iter()
            .map(|(key, _, second)| texts::fill(texts::get(&texts.fit, key), &model.name, second))
            .collect(),
    }
}

fn text(reading: &Reading<'_>, findings: &[Finding], note: &mut impl FnMut(&'static str, u8)) {
    let source = &reading.source;
    let family = reading.target.model().family.as_str();
    let long = source.text.chars().count() >= LONG;
    let tags = pattern!(r"(?m)</[A-Za-z][\w-]{1,40}>").is_match(source.text);
    let found =
        |rules: &[&str]| findings.iter().any(|finding| rules.contains(&finding.rule_id.as_str()));
    if family == "claude" {
        if tags {
            note("xml_used", 0);
        } else if long {
            note("xml", 15);
        }
    } else if long && sections(reading) + usize::from(tags) == 0 {
        note("sections", 15);
    } else if long {
        note("sections_used", 0);
    }
    if matches!(family, "claude" | "gemini" | "glm")
        && let Some(last) = request_is_last(reading)
    {
        if last { note("long_first_used", 0) } else { note("long_first", 15) }
    }
    if matches!(family, "gpt" | "mistral")
        && findings.iter().any(|finding| finding.rule_id.starts_with("conflicting"))
    {
        note("conflicts", 25);
    }
    if family == "mistral"
        && found(&["vague_quantity", "vague_quality", "vague_length", "vague_criterion"])
    {
        note("vague", 15);
    }
    if family == "deepseek"
        && pattern!(
            r"(?i)(?-u:\b){analyze_fit.step_by_step}(?-u:\b)|<{analyze_examples.tag}>|^\W*{analyze_fit.examples}:|(?-u:\b){analyze_fit.example} \d"
        )
        .is_match(source.text)
    {
        note("few_shot", 20);
    }
    if matches!(family, "glm" | "muse" | "kimi")
        && long
        && !pattern!(
            r"(?i)(?-u:\b){analyze_fit.you_are}(?-u:\b)|## {analyze_fit.role}|<{analyze_fit.role}>"
        )
        .is_match(&source.prose)
    {
        note("role", 10);
    }
    if family == "grok"
        && reading.is_about(&["research", "market_research", "comparison"])
        && !pattern!(r"(?i)(?-u:\b){analyze_fit.sources}(?-u:\b)").is_match(&source.prose)
    {
        note("sources", 10);
    }
}

/// Whether the request follows the long material; `None` if there is no long material.
fn request_is_last(reading: &Reading<'_>) -> Option<bool> {
    let (material, _) = reading
        .source
        .mask
        .material()
        .filter(|(span, _)| span.end - span.start >= 2000)
        .max_by_key(|(span, _)| span.end - span.start)?;
    let late = reading
        .requests
        .iter()
        .any(|number| reading.source.sentences[*number].span.start >= material.end);
    Some(late)
}

fn parameters(reading: &Reading<'_>) -> Option<bool> {
    let prose = &reading.source.prose;
    let first = pattern!(r"(?:^|\s)--[a-z]{1,10}(?-u:\b)").find(prose)?;
    let tail = prose[first.start()..].trim();
    // Values of --no may have several words, those of other parameters have one.
    Some(pattern!(r"^(?:--no [^.!?\n]{1,200}?|--[a-z]{1,10}(?:[ =]+[^\s-][^\s]*){0,2})(?:\s+(?:--no [^.!?\n]{1,200}?|--[a-z]{1,10}(?:[ =]+[^\s-][^\s]*){0,2}))*$").is_match(tail))
}

const EXCLUSION: Pattern = pattern!(r"(?i)(?:^|[^-\w]){analyze_fit.exclusion}\s+\p{L}");

fn image(reading: &Reading<'_>, note: &mut impl FnMut(&'static str, u8)) {
    let source = &reading.source;
    let family = reading.target.model().family.as_str();
    let excludes = EXCLUSION.is_match(&source.prose);
    match (family, parameters(reading)) {
        ("midjourney", Some(true)) => note("parameters_used", 0),
        ("midjourney", Some(false)) => note("parameters_end", 25),
        (_, Some(_)) => note("parameters_foreign", 20),
        _ => {}
    }
    if excludes {
        match family {
            "midjourney" if source.text.contains("--no ") => {}
            "midjourney" => note("exclusions_no", 15),
            _ if reading.target.model().negative_prompt => note("exclusions_field", 15),
            _ => note("exclusions_none", 20),
        }
    }
    if family == "midjourney" && source.text.trim().contains("\n\n") {
        note("one_line", 15);
    }
    let lettering =
        pattern!(r"(?i)(?-u:\b){analyze_fit.lettering}(?-u:\b)").is_match(&source.prose);
    if lettering && family != "midjourney" && family != "stable_diffusion" {
        if source.mask.of(Kind::Quote).next().is_some() {
            note("lettering_used", 0)
        } else {
            note("lettering", 25)
        }
    }
    keywords(reading, family, note);
}

/// Whether it is a row of keywords or running text, and which of them the family wants.
fn keywords(reading: &Reading<'_>, family: &str, note: &mut impl FnMut(&'static str, u8)) {
    let prose = &reading.source.prose;
    let commas = prose.matches(',').count();
    let words = reading.source.words.len();
    let row = commas >= 5 && words <= commas * 4;
    if row
        && matches!(
            family,
            "nano_banana"
                | "flux"
                | "seedream"
                | "grok_imagine"
                | "gpt_image"
                | "ltx"
                | "omni"
                | "ray"
        )
    {
        note("sentences", 15);
    }
    if family == "stable_diffusion" && words > 120 {
        note("keywords", 15);
    }
}

fn video(reading: &Reading<'_>, note: &mut impl FnMut(&'static str, u8)) {
    let source = &reading.source;
    let prose = &source.prose;
    let family = reading.target.model().family.as_str();
    if parameters(reading).is_some() {
        note("parameters_foreign", 20);
    }
    if EXCLUSION.is_match(prose) {
        match family {
            "runway" | "ray" => note("positive", 25),
            _ if reading.target.model().negative_prompt => note("exclusions_field", 15),
            _ => note("exclusions_none", 20),
        }
    }
    if takes_one_move(family) && moves(prose) > 1 {
        note("one_move", 20);
    }
    let speaks = pattern!(r"(?i)(?-u:\b){analyze_fit.speaks}(?-u:\b)").is_match(prose);
    if speaks
        && matches!(family, "veo" | "omni" | "kling" | "seedance")
        && source.mask.of(Kind::Quote).next().is_none()
    {
        note("dialogue", 15);
    }
    if matches!(family, "kling" | "seedance")
        && pattern!(r"(?i)(?-u:\b){analyze_fit.then}(?-u:\b)").find_iter(prose).count() >= 2
        && !pattern!(r"(?i)(?-u:\b){analyze_fit.shot} \d|(?m)^\s*\d[.)] ").is_match(prose)
    {
        note("shots", 15);
    }
    if family == "minimax"
        && super::visual::CAMERA.is_match(prose)
        && !pattern!(r"\[[A-Z][^\]\n]{2,40}\]").is_match(source.text)
    {
        note("brackets", 15);
    }
    keywords(reading, family, note);
}

/// Whether clips of a family of models keep to one movement of the camera.
pub fn takes_one_move(family: &str) -> bool {
    matches!(family, "veo" | "runway" | "ray")
}

/// Different movements of the camera that are named.
pub fn moves(prose: &str) -> usize {
    [
        pattern!(r"(?i)(?-u:\b){analyze_fit.pan}(?-u:\b)"),
        pattern!(r"(?i)(?-u:\b){analyze_fit.tilt}(?-u:\b)"),
        pattern!(r"(?i)(?-u:\b){analyze_fit.zoom}(?-u:\b)"),
        pattern!(r"(?i)(?-u:\b){analyze_fit.dolly}(?-u:\b)"),
        pattern!(r"(?i)(?-u:\b){analyze_fit.orbit}(?-u:\b)"),
        pattern!(r"(?i)(?-u:\b){analyze_fit.crane}(?-u:\b)"),
        pattern!(r"(?i)(?-u:\b){analyze_fit.track}(?-u:\b)"),
        pattern!(r"(?i)(?-u:\b){analyze_fit.other_move}(?-u:\b)"),
    ]
    .into_iter()
    .filter(|pattern| pattern.is_match(prose))
    .count()
}
