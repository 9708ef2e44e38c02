//! Rules about prompts for pictures and clips: subject, style, light, composition, motion, camera.

use super::lexicon;
use super::reading::{Medium, Reading};
use super::rule::{Rule, Spot, phrases};
use super::scene::{self, CAMERA, COMPOSITION, FLAT, LIGHT, MOTION, PLACE, PLACELESS, STYLE};
use super::span::Span;
use engine::MetricName::{Clarity, Constraints, Context, GoalOrientation, Specificity};
use engine::ModelKind;
use engine::Severity::{self, High, Low, Medium as Middling};
use patterns::{Pattern, pattern};

/// The rules of this file.
pub const RULES: &[Rule] = &[
    Rule::code("visual_cliche", Clarity, Low, visual_cliche),
    Rule::code("visual_subject", GoalOrientation, High, visual_subject),
    Rule::code("visual_setting", Context, Low, visual_setting),
    Rule::code("visual_style", Specificity, Middling, visual_style),
    Rule::code("visual_light", Specificity, Low, visual_light),
    Rule::code("visual_composition", Constraints, Low, visual_composition),
    Rule::code("video_motion", GoalOrientation, Middling, video_motion),
    Rule::code("video_camera", Specificity, Low, video_camera),
    Rule::code("camera_moves", Constraints, Middling, camera_moves),
    Rule::code("negated_picture", Constraints, Middling, negated_picture),
    Rule::code("conflicting_picture", Constraints, High, conflicting_picture),
];

fn is_visual(reading: &Reading<'_>) -> bool {
    reading.medium != Medium::Text && !reading.is_mismatched()
}

/// The end of a prompt for a picture whose words, as far as rules read them, say nothing about any of the aspects.
fn lacks(reading: &Reading<'_>, aspects: &[Pattern], severity: Severity) -> Vec<Spot> {
    let says = |aspect: &Pattern| {
        aspect.is_match(&reading.source.prose) || aspect.is_match(reading.context())
    };
    let silent = is_visual(reading) && reading.has_known_words() && !aspects.iter().any(says);
    Spot::new(Span::at(reading.source.end())).at(severity).when(silent)
}

fn visual_cliche(reading: &Reading<'_>) -> Vec<Spot> {
    if is_visual(reading) { phrases(reading, "visual_cliche") } else { Vec::new() }
}

/// "Make a beautiful image" shows nothing.
fn visual_subject(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    let shows = |word: &str| {
        !lexicon::is_generic(source.language, word)
            && !pattern!(r"^(?:4k|8k|hd|{analyze_visual.unsaying})$").is_match(word)
    };
    let empty = is_visual(reading)
        && reading.has_known_words()
        && source.mask.parts.is_empty()
        && !reading.attached
        && !source.words.iter().any(|word| shows(&word.lower));
    Spot::new(Span::at(source.end())).when(empty)
}

fn visual_setting(reading: &Reading<'_>) -> Vec<Spot> {
    // Of a subject in two or three words the model invents nearly everything.
    let severity = if reading.source.words.len() <= 4 { Middling } else { Low };
    lacks(reading, &[PLACE], severity)
}

fn visual_style(reading: &Reading<'_>) -> Vec<Spot> {
    let severity = if reading.medium == Medium::Video { Low } else { Middling };
    lacks(reading, &[STYLE], severity)
}

fn visual_light(reading: &Reading<'_>) -> Vec<Spot> {
    lacks(reading, &[LIGHT, FLAT], Low)
}

fn visual_composition(reading: &Reading<'_>) -> Vec<Spot> {
    // How the camera moves says what it frames.
    if reading.medium == Medium::Video {
        return lacks(reading, &[COMPOSITION, CAMERA], Low);
    }
    lacks(reading, &[COMPOSITION, PLACELESS], Low)
}

fn video_motion(reading: &Reading<'_>) -> Vec<Spot> {
    if reading.medium == Medium::Video { lacks(reading, &[MOTION], Middling) } else { Vec::new() }
}

fn video_camera(reading: &Reading<'_>) -> Vec<Spot> {
    if reading.medium == Medium::Video { lacks(reading, &[CAMERA], Low) } else { Vec::new() }
}

/// More movements than the model takes in one clip: two are tried at times, of three it drops some.
fn camera_moves(reading: &Reading<'_>) -> Vec<Spot> {
    let bound = is_visual(reading)
        && reading.medium == Medium::Video
        && scene::takes_one_move(&reading.target.model().family);
    let moves = if bound { scene::moves(&reading.source.prose) } else { 0 };
    let severity = if moves == 2 { Low } else { Middling };
    Spot::new(Span::at(reading.source.end())).at(severity).when(moves >= 2)
}

/// "No people" for a model without a field or parameter for exclusions: what is named is often shown.
fn negated_picture(reading: &Reading<'_>) -> Vec<Spot> {
    let model = reading.target.model();
    let excludes = model.negative_prompt
        || model.family == "midjourney" && reading.source.text.contains("--no ");
    if !is_visual(reading) || excludes || model.kind == ModelKind::Text {
        return Vec::new();
    }
    pattern!(r"(?i)(?-u:\b){analyze_visual.exclusion}\s+\p{L}[\p{L}'’-]+(?: \p{L}[\p{L}'’-]+)?")
        .find_iter(&reading.source.prose)
        .filter(|found| !reading.source.prose[..found.start()].ends_with("--"))
        .map(|found| Spot::new(found.range().into()))
        .collect()
}

/// Pairs of which a picture can be only one.
const OPPOSITES: &[(Pattern, Pattern)] = &[
    (
        pattern!(r"(?i)(?-u:\b){analyze_visual.photograph}(?-u:\b)"),
        pattern!(r"(?i)(?-u:\b){analyze_visual.drawn}(?-u:\b)"),
    ),
    (
        pattern!(r"(?i)(?-u:\b){analyze_visual.empty}(?-u:\b)"),
        pattern!(r"(?i)(?-u:\b){analyze_visual.crowded}(?-u:\b)"),
    ),
    (
        pattern!(r"(?i)(?-u:\b){analyze_visual.colourless}(?-u:\b)"),
        pattern!(r"(?i)(?-u:\b){analyze_visual.colourful}(?-u:\b)"),
    ),
    (
        pattern!(r"(?i)(?-u:\b){analyze_visual.night}(?-u:\b)"),
        pattern!(r"(?i)(?-u:\b){analyze_visual.noon}(?-u:\b)"),
    ),
];

fn conflicting_picture(reading: &Reading<'_>) -> Vec<Spot> {
    if !is_visual(reading) || !reading.is_english() {
        return Vec::new();
    }
    let prose = &reading.source.prose;
    OPPOSITES
        .iter()
        .filter_map(|(one, other)| {
            let (one, other) = (one.find(prose)?, other.find(prose)?);
            let (earlier, later) =
                if one.start() < other.start() { (one, other) } else { (other, one) };
            Some(Spot::naming(later.range().into(), earlier.as_str().to_owned()))
        })
        .collect()
}
