//! Finding a prompt for a clip by measuring its frames.

use image_analysis::{ClipAnalysis, Motion, Pace, ShotAnalysis};
use serde_json::json;

use super::image::{self, SUBJECT};
use super::wording::Words;
use super::{appearance, clip_prompt};
use crate::rules::{attached, identity};
use crate::{
    EngineError, Image, KeyElement, ModelKind, Recovery, Reversal, ReverseBrief, ReverseKind, Shot,
    Style, tokens,
};

/// Finds a prompt that would produce something like the clip that the frames are taken from.
///
/// # Errors
///
/// [`EngineError::Rejected`] if there is no frame, one cannot be decoded, they are more than 120
/// megapixels together, or the length is no positive number of seconds.
pub fn reverse(
    frames: &[Image],
    seconds: f64,
    brief: &ReverseBrief,
) -> Result<Reversal, EngineError> {
    let rejected = |reason: &str| EngineError::Rejected { reason: reason.to_owned() };
    if !seconds.is_finite() || seconds <= 0.0 {
        return Err(rejected("the clip's length is not a positive number of seconds"));
    }
    attached::within_total(frames)?;
    let pictures = frames.iter().map(image::decoded).collect::<Result<Vec<_>, _>>()?;
    let course = image_analysis::analyze_clip(&pictures, seconds);
    let Some(longest) = longest(&course) else { return Err(rejected("the clip has no frames")) };
    let words = Words::of(&brief.language);
    let model = brief.target_model.model();
    let still = model.kind == ModelKind::Image;
    let prompt = if still {
        image::prompt(&longest.look, model)
    } else {
        clip_prompt::compose(&course, longest, model)
    };
    let mut parameters = image::parameters(model, &longest.look.aspect_ratio);
    let whole = seconds.round().max(1.0) as u64;
    if !still {
        for key in ["durationSeconds", "duration"] {
            if let Some(value) = parameters.get_mut(key) {
                *value = if value.is_string() { json!(format!("{whole}s")) } else { json!(whole) };
            }
        }
        if model.kind != ModelKind::Video {
            parameters.insert("durationSeconds".to_owned(), json!(whole));
        }
    }
    let style = Style {
        palette: appearance::swatches(&course.palette),
        lighting: by_shot(&course, &words, |look| appearance::lighting(look, &words).join(", ")),
        composition: by_shot(&course, &words, |look| {
            appearance::composition(look, &words).join(", ")
        }),
        ..appearance::style(&longest.look, &words)
    };
    Ok(Reversal {
        kind: ReverseKind::Video,
        recovery: Recovery::Statistical,
        confidence: confidence(&course, longest),
        token_estimate: tokens::estimate(&prompt, brief.target_model),
        prompt,
        negative_prompt: None,
        parameters,
        provenance: None,
        description: description(&course, longest, &words),
        key_elements: key_elements(&course, longest, &words),
        style: Some(style),
        shots: Some(course.takes.iter().map(|take| shot(take, &words)).collect()),
        structure: None,
        limitations: limitations(&course, frames.len(), still, &words),
        language: words.tag().to_owned(),
        engine: identity(),
    })
}

fn longest(course: &ClipAnalysis) -> Option<&ShotAnalysis> {
    // The first of those that are equally long.
    course.takes.iter().rev().max_by_key(|take| take.frames)
}

/// As for a picture, a little less for a clip of one frame a shot, whose motion nobody can tell.
fn confidence(course: &ClipAnalysis, longest: &ShotAnalysis) -> f64 {
    let moving = course.takes.iter().filter(|take| take.pace.is_some()).count();
    let share = moving as f64 / course.takes.len().max(1) as f64;
    let sum = appearance::clarity(&longest.look) - 0.1 + 0.1 * share;
    (sum * 100.0).round() / 100.0
}

fn description(course: &ClipAnalysis, longest: &ShotAnalysis, words: &Words) -> String {
    let count = course.takes.len().to_string();
    let seconds = seconds(course.seconds);
    [
        words.say("A clip of {1} s in the format {2}.", &[&seconds, &longest.look.aspect_ratio]),
        words.say("Number of shots: {1}.", &[&count]),
        words.say("Main colours: {1}.", &[&appearance::colours(&course.palette, words)]),
        words.say(
            "Light: {1}.",
            &[&by_shot(course, words, |look| appearance::lighting(look, words).join(", "))],
        ),
    ]
    .join(" ")
}

/// With one decimal where it is not whole.
pub fn seconds(value: f64) -> String {
    let tenths = (value * 10.0).round() / 10.0;
    format!("{tenths}")
}

fn key_elements(course: &ClipAnalysis, longest: &ShotAnalysis, words: &Words) -> Vec<KeyElement> {
    let mut list = appearance::key_elements(&longest.look, words);
    // What was measured in one shot is not said of another.
    for element in &mut list {
        element.value = match element.category.as_str() {
            "palette" => appearance::colours(&course.palette, words),
            "lighting" => {
                by_shot(course, words, |look| appearance::lighting(look, words).join(", "))
            }
            "composition" => {
                by_shot(course, words, |look| appearance::composition(look, words).join(", "))
            }
            "rendering" => {
                by_shot(course, words, |look| appearance::rendering(look, words).join(", "))
            }
            "colour" => by_shot(course, words, |look| {
                appearance::colourfulness(look, words).unwrap_or_default()
            }),
            _ => continue,
        };
    }
    let mut add = |category: &str, value: String, confidence: f64| {
        list.push(KeyElement { category: category.to_owned(), value, confidence });
    };
    let count = course.takes.len().to_string();
    add("editing", words.say("shots: {1}", &[&count]), 0.6);
    if let Some(motion) = moving(longest, words) {
        let sure = if longest.motion.is_some() { 0.6 } else { 0.45 };
        add("camera", motion, sure);
    }
    list.sort_by(|one, other| other.confidence.total_cmp(&one.confidence));
    list
}

/// What holds for the whole clip, or what holds for each of its shots that has it.
pub fn by_shot(
    course: &ClipAnalysis,
    words: &Words,
    of: impl Fn(&image_analysis::VisualFeatures) -> String,
) -> String {
    let all: Vec<String> = course.takes.iter().map(|take| of(&take.look)).collect();
    if all.iter().all(|text| *text == all[0]) {
        return all.into_iter().next().unwrap_or_default();
    }
    all.iter()
        .enumerate()
        .filter(|(_, text)| !text.is_empty())
        .map(|(index, text)| words.say("shot {1}: {2}", &[&(index + 1).to_string(), text]))
        .collect::<Vec<_>>()
        .join("; ")
}

fn shot(take: &ShotAnalysis, words: &Words) -> Shot {
    let mut list: Vec<String> = moving(take, words).into_iter().collect();
    list.extend(appearance::lighting(&take.look, words));
    list.extend(brightening(take, words));
    list.push(words.say(
        "main colours: {1}",
        &[&appearance::colours(&take.look.palette[..take.look.palette.len().min(3)], words)],
    ));
    let hundredths = |value: f64| (value * 100.0).round() / 100.0;
    Shot {
        starts_at_seconds: hundredths(take.starts),
        ends_at_seconds: hundredths(take.ends),
        description: list.join(", "),
    }
}

/// What the camera or the subject does; nothing for a single frame.
pub fn moving(take: &ShotAnalysis, words: &Words) -> Option<String> {
    let slow = take.pace? == Pace::Slow;
    Some(match take.motion {
        Some(Motion::PanLeft) if slow => words.name("slow pan left"),
        Some(Motion::PanLeft) => words.name("fast pan left"),
        Some(Motion::PanRight) if slow => words.name("slow pan right"),
        Some(Motion::PanRight) => words.name("fast pan right"),
        Some(Motion::TiltUp) if slow => words.name("slow tilt up"),
        Some(Motion::TiltUp) => words.name("fast tilt up"),
        Some(Motion::TiltDown) if slow => words.name("slow tilt down"),
        Some(Motion::TiltDown) => words.name("fast tilt down"),
        Some(Motion::ZoomIn) if slow => words.name("slow push-in"),
        Some(Motion::ZoomIn) => words.name("fast push-in"),
        Some(Motion::ZoomOut) if slow => words.name("slow pull-out"),
        Some(Motion::ZoomOut) => words.name("fast pull-out"),
        None => match take.pace? {
            Pace::Still => words.name("static camera"),
            Pace::Slow => words.name("slow motion in the frame"),
            Pace::Fast => words.name("fast motion in the frame"),
        },
    })
}

/// A change of light within a shot that can be seen.
pub fn brightening(take: &ShotAnalysis, words: &Words) -> Option<String> {
    match take.brightening {
        more if more > 0.15 => Some(words.name("growing brighter")),
        less if less < -0.15 => Some(words.name("growing darker")),
        _ => None,
    }
}

fn limitations(course: &ClipAnalysis, frames: usize, still: bool, words: &Words) -> Vec<String> {
    let apart = seconds(course.seconds / frames.max(1) as f64);
    let mut list = vec![
        words.say("What is shown was not recognised: fill in the subject at {1}.", &[SUBJECT]),
        words.say(
            "Only single frames were measured: times of cuts are exact to {1} s, and sound is unknown.",
            &[&apart],
        ),
        words.say("Camera moves are guesses from how parts of the picture shift.", &[]),
    ];
    if course.takes.iter().any(|take| take.pace.is_none()) {
        list.push(words.say("Shots with a single frame tell nothing about motion.", &[]));
    }
    if still {
        list.push(words.say(
            "The target model makes pictures, so the prompt is for a frame of the longest shot.",
            &[],
        ));
    }
    list
}
