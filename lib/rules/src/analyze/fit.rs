//! How well a prompt suits its target model, by what the model's vendor documents.

use super::mask::Kind;
use super::reading::{Medium, Reading};
use super::scene;
use super::texts::{self, Texts};
use super::work::RESEARCH;
use engine::{Finding, ModelFit, ModelKind};
use patterns::{Pattern, pattern};

/// Characters from which on the order and the marking of parts matter.
const LONG: usize = 700;
/// Bytes of material from which on its place matters.
const LONG_MATERIAL: usize = 2000;

/// A remark that may hold: whether it does, the key of its text, and the points that it costs; none if it is praise.
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
    let last = request_is_last(reading);
    let shown = || {
        pattern!(
            r"(?i)(?-u:\b){analyze_fit.step_by_step}(?-u:\b)|<{analyze_examples.tag}>|^\W*{analyze_fit.examples}:|(?-u:\b){analyze_fit.example} \d"
        )
        .is_match(source.text)
    };
    let role = || {
        pattern!(
            r"(?i)(?-u:\b){analyze_fit.you_are}(?-u:\b)|## {analyze_fit.role}|<{analyze_fit.role}>"
        )
        .is_match(&source.prose)
    };
    let cites = || pattern!(r"(?i)(?-u:\b){analyze_fit.sources}(?-u:\b)").is_match(&source.prose);
    let long_first = is(&["claude", "gemini", "glm"]);
    let vague = ["vague_quantity", "vague_quality", "vague_length", "vague_criterion"];
    vec![
        (is(&["claude"]) && tags, "xml_used", 0),
        (is(&["claude"]) && long && !tags, "xml", 15),
        (!is(&["claude"]) && long && parts, "sections_used", 0),
        (!is(&["claude"]) && long && !parts, "sections", 15),
        (long_first && last == Some(true), "long_first_used", 0),
        (long_first && last == Some(false), "long_first", 15),
        (is(&["gpt", "mistral"]) && found("conflicting"), "conflicts", 25),
        (is(&["mistral"]) && vague.into_iter().any(found), "vague", 15),
        (is(&["deepseek"]) && shown(), "few_shot", 20),
        (is(&["glm", "muse", "kimi"]) && long && !role(), "role", 10),
        (is(&["grok"]) && RESEARCH.is_asked(reading) && !cites(), "sources", 10),
    ]
}

/// Whether the request follows the long material; `None` if there is no long material.
fn request_is_last(reading: &Reading<'_>) -> Option<bool> {
    let long = |(span, _): &(super::span::Span, Kind)| span.end - span.start >= LONG_MATERIAL;
    let material = reading.source.mask.material().filter(long);
    let (material, _) = material.max_by_key(|(span, _)| span.end - span.start)?;
    let mut places =
        reading.requests.iter().map(|number| reading.source.sentences[*number].span.start);
    Some(places.any(|start| start >= material.end))
}

/// Whether parameters such as `--ar` stand at the end; `None` where there are none.
fn parameters_last(reading: &Reading<'_>) -> Option<bool> {
    let prose = &reading.source.prose;
    let first = pattern!(r"(?:^|\s)--[a-z]{1,10}(?-u:\b)").find(prose)?;
    let tail = prose[first.start()..].trim();
    // Values of --no may have several words, those of other parameters have one.
    Some(pattern!(r"^(?:--no [^.!?\n]{1,200}?|--[a-z]{1,10}(?:[ =]+[^\s-][^\s]*){0,2})(?:\s+(?:--no [^.!?\n]{1,200}?|--[a-z]{1,10}(?:[ =]+[^\s-][^\s]*){0,2}))*$").is_match(tail))
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

/// Whether it is a row of keywords where the family wants sentences.
fn keywords(reading: &Reading<'_>) -> Note {
    let commas = reading.source.prose.matches(',').count();
    let is_row = commas >= 5 && reading.source.words.len() <= commas * 4;
    let wants_sentences = matches!(
        reading.target.model().family.as_str(),
        "nano_banana" | "flux" | "seedream" | "grok_imagine" | "gpt_image" | "ltx" | "omni" | "ray"
    );
    (is_row && wants_sentences, "sentences", 15)
}

fn image(reading: &Reading<'_>) -> Vec<Note> {
    let source = &reading.source;
    let family = reading.target.model().family.as_str();
    let midjourney = family == "midjourney";
    let diffusion = family == "stable_diffusion";
    let last = parameters_last(reading);
    let lettering = !midjourney
        && !diffusion
        && pattern!(r"(?i)(?-u:\b){analyze_fit.lettering}(?-u:\b)").is_match(&source.prose);
    let quoted = source.mask.of(Kind::Quote).next().is_some();
    vec![
        (midjourney && last == Some(true), "parameters_used", 0),
        (midjourney && last == Some(false), "parameters_end", 25),
        (!midjourney && last.is_some(), "parameters_foreign", 20),
        exclusions(reading),
        (midjourney && source.text.trim().contains("\n\n"), "one_line", 15),
        (lettering && quoted, "lettering_used", 0),
        (lettering && !quoted, "lettering", 25),
        keywords(reading),
        (diffusion && source.words.len() > 120, "keywords", 15),
    ]
}

fn video(reading: &Reading<'_>) -> Vec<Note> {
    let source = &reading.source;
    let prose = &source.prose;
    let family = reading.target.model().family.as_str();
    let is = |families: &[&str]| families.contains(&family);
    let speaks = || {
        pattern!(r"(?i)(?-u:\b){analyze_fit.speaks}(?-u:\b)").is_match(prose)
            && source.mask.of(Kind::Quote).next().is_none()
    };
    let in_turns = || {
        pattern!(r"(?i)(?-u:\b){analyze_fit.then}(?-u:\b)").find_iter(prose).count() >= 2
            && !pattern!(r"(?i)(?-u:\b){analyze_fit.shot} \d|(?m)^\s*\d[.)] ").is_match(prose)
    };
    let bare_camera = || {
        scene::CAMERA.is_match(prose) && !pattern!(r"\[[A-Z][^\]\n]{2,40}\]").is_match(source.text)
    };
    vec![
        (parameters_last(reading).is_some(), "parameters_foreign", 20),
        exclusions(reading),
        (scene::takes_one_move(family) && scene::moves(prose) > 1, "one_move", 20),
        (is(&["veo", "omni", "kling", "seedance"]) && speaks(), "dialogue", 15),
        (is(&["kling", "seedance"]) && in_turns(), "shots", 15),
        (is(&["minimax"]) && bare_camera(), "brackets", 15),
        keywords(reading),
    ]
}
