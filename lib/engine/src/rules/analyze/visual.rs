//! Rules about prompts for pictures and clips: subject, style, light, composition, motion, camera.

use super::clarity::phrases;
use super::reading::{Medium, Reading};
use super::rule::{Rule, Spot, spot_if};
use super::span::Span;
use crate::MetricName::{Clarity, Constraints, Context, GoalOrientation, Specificity};
use crate::ModelKind;
use crate::Severity::{High, Low, Medium as Middling};
use patterns::{Pattern, pattern};

/// The rules of this file.
pub const RULES: &[Rule] = &[
    Rule { id: "visual_cliche", metric: Clarity, severity: Low, find: visual_cliche },
    Rule { id: "visual_subject", metric: GoalOrientation, severity: High, find: visual_subject },
    Rule { id: "visual_setting", metric: Context, severity: Low, find: visual_setting },
    Rule { id: "visual_style", metric: Specificity, severity: Middling, find: visual_style },
    Rule { id: "visual_light", metric: Specificity, severity: Low, find: visual_light },
    Rule { id: "visual_composition", metric: Constraints, severity: Low, find: visual_composition },
    Rule { id: "video_motion", metric: GoalOrientation, severity: Middling, find: video_motion },
    Rule { id: "video_camera", metric: Specificity, severity: Low, find: video_camera },
    Rule { id: "camera_moves", metric: Constraints, severity: Middling, find: camera_moves },
    Rule { id: "negated_picture", metric: Constraints, severity: Middling, find: negated_picture },
    Rule {
        id: "conflicting_picture",
        metric: Constraints,
        severity: High,
        find: conflicting_picture,
    },
];

/// Whether words of the prompt say something about an aspect; words that no rule reads may well do.
fn says(reading: &Reading<'_>, aspect: Pattern) -> bool {
    !reading.is_english()
        || aspect.is_match(&reading.source.prose)
        || aspect.is_match(reading.context())
}

fn visual(reading: &Reading<'_>) -> bool {
    reading.medium != Medium::Text && !super::goal::mismatched(reading)
}

fn visual_cliche(reading: &Reading<'_>) -> Vec<Spot> {
    if visual(reading) { phrases(reading, "visual_cliche") } else { Vec::new() }
}

/// "Make a beautiful image" shows nothing.
fn visual_subject(reading: &Reading<'_>) -> Vec<Spot> {
    if !visual(reading)
        || !reading.is_english()
        || !reading.source.mask.parts.is_empty()
        || reading.attached
    {
        return Vec::new();
    }
    let empty = reading.source.words.iter().all(|word| {
        super::lexicon::is_generic("en", &word.lower)
            || pattern!(r"^(?:4k|8k|hd|{analyze_visual.unsaying})$").is_match(&word.lower)
    });
    spot_if(empty, Span::at(reading.source.end()))
}

fn visual_setting(reading: &Reading<'_>) -> Vec<Spot> {
    let place = pattern!(
        r"(?i)(?-u:\b){analyze_visual.place}(?-u:\b)|(?-u:\b){analyze_visual.placeless}(?-u:\b)"
    );
    let spots = spot_if(visual(reading) && !says(reading, place), Span::at(reading.source.end()));
    // Of a subject in two or three words the model invents nearly everything.
    if reading.source.words.len() <= 4 {
        spots.into_iter().map(|spot| spot.at(Middling)).collect()
    } else {
        spots
    }
}

fn visual_style(reading: &Reading<'_>) -> Vec<Spot> {
    let style = pattern!(r"(?i)(?-u:\b)(?:3d|35mm|{analyze_visual.style})(?-u:\b)");
    let mut spots =
        spot_if(visual(reading) && !says(reading, style), Span::at(reading.source.end()));
    if reading.medium == Medium::Video {
        spots = spots.into_iter().map(|spot| spot.at(Low)).collect();
    }
    spots
}

fn visual_light(reading: &Reading<'_>) -> Vec<Spot> {
    let flat = pattern!(r"(?i)(?-u:\b){analyze_visual.flat}(?-u:\b)");
    let dark = visual(reading) && !says(reading, LIGHT) && !says(reading, flat);
    spot_if(dark, Span::at(reading.source.end()))
}

/// Words about light.
const LIGHT: Pattern = pattern!(r"(?i)(?-u:\b){analyze_visual.light}(?-u:\b)");

/// Whether words say something about light or framing; a logo needs neither, and describes neither.
pub fn describes(reading: &Reading<'_>, aspect: &str) -> bool {
    let prose = &reading.source.prose;
    match aspect {
        "light" => LIGHT.is_match(prose),
        "composition" => COMPOSITION.is_match(prose),
        _ => true,
    }
}

fn visual_composition(reading: &Reading<'_>) -> Vec<Spot> {
    let alone = pattern!(r"(?i)(?-u:\b){analyze_visual.placeless}(?-u:\b)");
    let open = visual(reading) && !says(reading, COMPOSITION) && !says(reading, alone);
    spot_if(open, Span::at(reading.source.end()))
}

/// Words about framing and format.
const COMPOSITION: Pattern = pattern!(
    r"(?i)(?-u:\b)(?:\d{2,3}mm|f/\d|{analyze_visual.composition})(?-u:\b)|--ar(?-u:\b)|(?-u:\b)\d{1,2}:\d{1,2}(?-u:\b)"
);

fn video_motion(reading: &Reading<'_>) -> Vec<Spot> {
    let motion = pattern!(r"(?i)(?-u:\b){analyze_visual.motion}(?-u:\b)");
    let still = visual(reading) && reading.medium == Medium::Video && !says(reading, motion);
    spot_if(still, Span::at(reading.source.end()))
}

/// Ways in which a camera moves or stays.
pub const CAMERA: Pattern = pattern!(r"(?i)(?-u:\b){analyze_visual.camera}(?-u:\b)");

fn video_camera(reading: &Reading<'_>) -> Vec<Spot> {
    let missing = visual(reading) && reading.medium == Medium::Video && !says(reading, CAMERA);
    spot_if(missing, Span::at(reading.source.end()))
}

/// More movements than the model takes in one clip: two are tried at times, of three it drops some.
fn camera_moves(reading: &Reading<'_>) -> Vec<Spot> {
    let bound = visual(reading)
        && reading.medium == Medium::Video
        && super::fit::takes_one_move(&reading.target.model().family);
    let moves = if bound { super::fit::moves(&reading.source.prose) } else { 0 };
    let spots = spot_if(moves >= 2, Span::at(reading.source.end()));
    match moves {
        2 => spots.into_iter().map(|spot| spot.at(Low)).collect(),
        _ => spots,
    }
}

/// "No people" for a model without a field or parameter for exclusions: what is named is often shown.
fn negated_picture(reading: &Reading<'_>) -> Vec<Spot> {
    let model = reading.target.model();
    let excludes = model.negative_prompt
        || model.family == "midjourney" && reading.source.text.contains("--no ");
    if !visual(reading) || excludes || model.kind == ModelKind::Text {
        return Vec::new();
    }
    pattern!(r"(?i)(?-u:\b){analyze_visual.exclusion}\s+\p{L}[\p{L}'’-]+(?: \p{L}[\p{L}'’-]+)?")
        .find_iter(&reading.source.prose)
        .filter(|found| !reading.source.prose[..found.start()].ends_with("--"))
        .map(|found| Spot::new(Span::new(found.start(), found.end())))
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
    if !visual(reading) || !reading.is_english() {
        return Vec::new();
    }
    let prose = &reading.source.prose;
    OPPOSITES
        .iter()
        .filter_map(|(one, other)| {
            let (one, other) = (one.find(prose)?, other.find(prose)?);
            let (earlier, later) =
                if one.start() < other.start() { (one, other) } else { (other, one) };
            Some(Spot::naming(Span::new(later.start(), later.end()), earlier.as_str().to_owned()))
        })
        .collect()
}
