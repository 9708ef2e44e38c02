//! Finding a prompt for a clip by measuring its frames.

use image_analysis::{ClipAnalysis, ShotAnalysis};

use super::look::{Look, SUBJECT, filled, lighting, moving};
use super::{MEASURED, colours, hundredths, picture, rejected, result};
use crate::visual::{family, settings};
use crate::wording::{Voice, said};
use engine::{
    EngineError, Image, Model, ModelKind, Recovery, Reversal, ReverseBrief, ReverseKind, Shot,
};

/// Most shots that a prompt lists; clips that are generated at once have no more.
const MOST_SHOTS: usize = 12;

/// Finds a prompt that would produce something like the clip that the frames are taken from.
///
/// # Errors
///
/// [`EngineError::Rejected`] if there is no frame, one cannot be decoded, they are more than 120
/// megapixels together, or the length is no positive number of seconds.
pub fn reverse(
    frames: &[Image],
    length: f64,
    brief: &ReverseBrief,
    words: &Voice,
) -> Result<Reversal, EngineError> {
    if !length.is_finite() || length <= 0.0 {
        return Err(rejected("the clip's length is not a positive number of seconds"));
    }
    image_analysis::within_total(frames.iter().map(|frame| frame.bytes.as_slice()))
        .map_err(|error| rejected(&error.to_string()))?;
    let pictures = frames.iter().map(picture::decoded).collect::<Result<Vec<_>, _>>()?;
    let course = image_analysis::analyze_clip(&pictures, length);
    // The first of those that are equally long.
    let longest = course.takes.iter().rev().max_by_key(|take| take.frames);
    let longest = longest.ok_or_else(|| rejected("the clip has no frames"))?;
    let look = Look { main: &longest.look, palette: &course.palette };
    let (model, ratio) = (brief.target_model.model(), &look.main.aspect_ratio);
    let still = model.kind == ModelKind::Image;
    let prompt = match still {
        true => picture::prompt(Look::of(look.main), model),
        false => compose(&course, look, longest, model),
    };
    let whole = (!still).then(|| length.round().max(1.0) as u32);
    let made = Reversal {
        recovery: Recovery::Statistical,
        confidence: MEASURED,
        parameters: settings(model, Some(ratio), whole),
        shots: Some(course.takes.iter().map(|take| shot(take, words)).collect()),
        limitations: limitations(&course, frames.len(), still, words),
        ..result(ReverseKind::Video, prompt, brief)
    };
    let count = course.takes.len().to_string();
    let first = [
        words.say("A clip of {} s in the format {2}.", &[&seconds(length), ratio]),
        words.say("Number of shots: {}.", &[&count]),
    ];
    let camera = moving(longest).map(|motion| words.name(motion)).unwrap_or_default();
    let known = [("editing", words.say("shots: {}", &[&count]), 0.6), ("camera", camera, 0.45)];
    Ok(look.told(first.join(" "), known, words, made))
}

/// Writes the prompt: the look, and the shots in order for models that are told of them.
fn compose(course: &ClipAnalysis, look: Look<'_>, longest: &ShotAnalysis, model: &Model) -> String {
    let (own, general) = (family::of(model), family::named("universal"));
    let of = |field: fn(&family::Family) -> Option<&str>| {
        field(own).or_else(|| field(general)).unwrap_or_default()
    };
    let (template, form) = (of(|own| own.filmed.as_deref()), of(|own| own.shot.as_deref()));
    let shots = course.takes.iter().take(MOST_SHOTS).enumerate();
    let more = vec![
        ("action", "{{action}}".to_owned()),
        ("shots", shots.map(|(at, take)| listed_shot(form, at + 1, take) + "\n").collect()),
        ("moving", camera(longest)),
        ("seconds", seconds(course.seconds)),
    ];
    // Where shots are listed, each has its own light.
    look.prompt(template, model, template.contains("{shots}"), more)
}

/// One shot for a prompt: its time, what happens, and how it is taken.
fn listed_shot(form: &str, number: usize, take: &ShotAnalysis) -> String {
    let values = [
        ("number", number.to_string()),
        ("start", seconds(take.starts)),
        ("end", seconds(take.ends)),
        ("length", seconds(take.ends - take.starts)),
        ("action", format!("{{{{action_{number}}}}}")),
        ("light", lighting(&take.look).join(", ")),
        ("colours", colours::prompted(&take.look.palette, false)),
        ("camera", moving(take).map(|_| camera(take)).unwrap_or_default()),
    ];
    filled(form, &values).trim_end().to_owned()
}

/// A shot in the terms of results.
fn shot(take: &ShotAnalysis, words: &Voice) -> Shot {
    let names: Vec<_> = moving(take).into_iter().chain(lighting(&take.look)).collect();
    let colours = colours::described(&take.look.palette, words);
    let colours = words.say("main colours: {}", &[&colours]);
    Shot {
        starts_at_seconds: hundredths(take.starts),
        ends_at_seconds: hundredths(take.ends),
        description: format!("{}, {colours}", words.list(&names)),
    }
}

fn camera(take: &ShotAnalysis) -> String {
    format!("Camera: {}.", moving(take).unwrap_or("static camera"))
}

/// With one decimal where it is not whole.
fn seconds(value: f64) -> String {
    format!("{}", (value * 10.0).round() / 10.0)
}

fn limitations(course: &ClipAnalysis, frames: usize, still: bool, words: &Voice) -> Vec<String> {
    let apart = seconds(course.seconds / frames.max(1) as f64);
    let single = course.takes.iter().any(|take| take.pace.is_none());
    let list = [
        (true, words.say("What is shown was not recognised: fill in the subject at {}.", &[SUBJECT])),
        (true, words.say("Only single frames were measured: times of cuts are exact to {} s, and sound is unknown.", &[&apart])),
        (true, words.name("Camera moves are guesses from how parts of the picture shift.")),
        (single, words.name("Shots with a single frame tell nothing about motion.")),
        (still, words.name(said("The target model makes pictures, so the prompt is for a frame of the longest shot."))),
    ];
    list.into_iter().filter_map(|(holds, text)| holds.then_some(text)).collect()
}
