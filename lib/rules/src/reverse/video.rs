//! Finding a prompt for a clip by measuring its frames.

use image_analysis::{ClipAnalysis, ShotAnalysis, VisualFeatures};

use super::appearance::{self, Names};
use super::image::{self, SUBJECT};
use super::result::hundredths;
use super::shots::{by_shot, moving, seconds, shot};
use super::wording::Words;
use super::{clip_prompt, colours, result};
use crate::attached;
use crate::visual::settings;
use engine::{
    EngineError, Image, KeyElement, ModelKind, Recovery, Reversal, ReverseBrief, ReverseKind, Style,
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
    words: &Words,
) -> Result<Reversal, EngineError> {
    let rejected = |reason: &str| EngineError::Rejected { reason: reason.to_owned() };
    if !seconds.is_finite() || seconds <= 0.0 {
        return Err(rejected("the clip's length is not a positive number of seconds"));
    }
    attached::within_total(frames)?;
    let pictures = frames.iter().map(image::decoded).collect::<Result<Vec<_>, _>>()?;
    let course = image_analysis::analyze_clip(&pictures, seconds);
    // The first of those that are equally long.
    let longest = course.takes.iter().rev().max_by_key(|take| take.frames);
    let Some(longest) = longest else { return Err(rejected("the clip has no frames")) };
    let model = brief.target_model.model();
    let still = model.kind == ModelKind::Image;
    let prompt = if still {
        image::prompt(&longest.look, model)
    } else {
        clip_prompt::compose(&course, longest, model)
    };
    let whole = (!still).then(|| seconds.round().max(1.0) as u32);
    let parameters = settings(model, Some(&longest.look.aspect_ratio), whole);
    let tell = |aspect: fn(&VisualFeatures) -> Names| by_shot(&course, aspect, words);
    let style = Style {
        palette: appearance::swatches(&course.palette),
        lighting: tell(appearance::lighting),
        composition: tell(appearance::composition),
        ..appearance::style(&longest.look, words)
    };
    Ok(Reversal {
        recovery: Recovery::Statistical,
        confidence: confidence(&course, longest),
        parameters,
        description: description(&course, longest, &style.lighting, words),
        key_elements: key_elements(&course, longest, words),
        style: Some(style),
        shots: Some(course.takes.iter().map(|take| shot(take, words)).collect()),
        limitations: limitations(&course, frames.len(), still, words),
        ..result::new(ReverseKind::Video, prompt, brief)
    })
}

/// As for a picture, a little less for a clip of one frame a shot, whose motion nobody can tell.
fn confidence(course: &ClipAnalysis, longest: &ShotAnalysis) -> f64 {
    let moving = course.takes.iter().filter(|take| take.pace.is_some()).count();
    let share = moving as f64 / course.takes.len().max(1) as f64;
    hundredths(appearance::clarity(&longest.look) - 0.1 + 0.1 * share)
}

fn description(
    course: &ClipAnalysis,
    longest: &ShotAnalysis,
    lighting: &str,
    words: &Words,
) -> String {
    let (count, seconds) = (course.takes.len().to_string(), seconds(course.seconds));
    [
        words.say("A clip of {} s in the format {2}.", &[&seconds, &longest.look.aspect_ratio]),
        words.say("Number of shots: {}.", &[&count]),
        words.say("Main colours: {}.", &[&colours::described(&course.palette, words)]),
        words.say("Light: {}.", &[lighting]),
    ]
    .join(" ")
}

fn key_elements(course: &ClipAnalysis, longest: &ShotAnalysis, words: &Words) -> Vec<KeyElement> {
    // What was measured in one shot is not said of another.
    let tell = |aspect: fn(&VisualFeatures) -> Names| by_shot(course, aspect, words);
    let mut list = appearance::key_elements(&longest.look, &course.palette, words, tell);
    let shots = words.say("shots: {}", &[&course.takes.len().to_string()]);
    let sure = if longest.motion.is_some() { 0.6 } else { 0.45 };
    let camera = moving(longest).map(|motion| ("camera", words.name(motion), sure));
    list.extend([Some(("editing", shots, 0.6)), camera].into_iter().flatten().map(
        |(category, value, confidence)| KeyElement {
            category: category.to_owned(),
            value,
            confidence,
        },
    ));
    list.sort_by(|one, other| other.confidence.total_cmp(&one.confidence));
    list
}

fn limitations(course: &ClipAnalysis, frames: usize, still: bool, words: &Words) -> Vec<String> {
    let apart = seconds(course.seconds / frames.max(1) as f64);
    let mut list = vec![
        words.say("What is shown was not recognised: fill in the subject at {}.", &[SUBJECT]),
        words.say(
            "Only single frames were measured: times of cuts are exact to {} s, and sound is unknown.",
            &[&apart],
        ),
        words.name("Camera moves are guesses from how parts of the picture shift."),
    ];
    if course.takes.iter().any(|take| take.pace.is_none()) {
        list.push(words.name("Shots with a single frame tell nothing about motion."));
    }
    if still {
        list.push(words.name(
            "The target model makes pictures, so the prompt is for a frame of the longest shot.",
        ));
    }
    list
}
