//! Finding a prompt for a clip by measuring its frames.

use image_analysis::{ClipAnalysis, ShotAnalysis};

use super::look::{Look, SUBJECT, filled};
use super::names::{light, moving};
use super::wording::{Words, said};
use super::{colours, hundredths, picture, rejected, result};
use crate::attached;
use crate::visual::{family, settings};
use engine::{
    EngineError, Image, Model, ModelKind, Recovery, Reversal, ReverseBrief, ReverseKind, Shot,
};

/// Most shots that a prompt lists; clips that are generated at once have no more.
const MOST_SHOTS: usize = 12;
/// How a shot is told where the family says nothing else.
const SHOT: &str = "[{start}-{end} s] Shot {number}: {action}. {light}, {colours}.{camera}";

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
    words: &Words,
) -> Result<Reversal, EngineError> {
    if !length.is_finite() || length <= 0.0 {
        return Err(rejected("the clip's length is not a positive number of seconds"));
    }
    attached::within_total(frames)?;
    let pictures = frames.iter().map(picture::decoded).collect::<Result<Vec<_>, _>>()?;
    let course = image_analysis::analyze_clip(&pictures, length);
    // The first of those that are equally long.
    let longest = course.takes.iter().rev().max_by_key(|take| take.frames);
    let longest = longest.ok_or_else(|| rejected("the clip has no frames"))?;
    let takes = course.takes.iter().map(|take| &take.look).collect();
    let look = Look { main: &longest.look, takes, palette: &course.palette };
    let model = brief.target_model.model();
    let still = model.kind == ModelKind::Image;
    let prompt = if still {
        picture::prompt(&Look::of(look.main), model)
    } else {
        compose(&course, &look, longest, model)
    };
    let whole = (!still).then(|| length.round().max(1.0) as u32);
    // Of a shot of one frame, nobody can tell the motion.
    let single = course.takes.iter().filter(|take| take.pace.is_none()).count() as f64;
    let made = Reversal {
        recovery: Recovery::Statistical,
        confidence: hundredths(look.clarity() - 0.1 * single / course.takes.len() as f64),
        parameters: settings(model, Some(&look.main.aspect_ratio), whole),
        shots: Some(course.takes.iter().map(|take| shot(take, words)).collect()),
        limitations: limitations(&course, frames.len(), still, words),
        ..result(ReverseKind::Video, prompt, brief)
    };
    let count = course.takes.len().to_string();
    let ratio = &look.main.aspect_ratio;
    let first = [
        words.say("A clip of {} s in the format {2}.", &[&seconds(length), ratio]),
        words.say("Number of shots: {}.", &[&count]),
    ];
    let camera = moving(longest).map(|motion| words.name(motion)).unwrap_or_default();
    let sure = if longest.motion.is_some() { 0.6 } else { 0.45 };
    let known = [("editing", words.say("shots: {}", &[&count]), 0.6), ("camera", camera, sure)];
    Ok(look.told(first.join(" "), known, words, made))
}

/// Writes the prompt: the look, and the shots in order for models that are told of them.
fn compose(
    course: &ClipAnalysis,
    look: &Look<'_>,
    longest: &ShotAnalysis,
    model: &Model,
) -> String {
    let own = family::of(model);
    let template = own.filmed.as_deref().or(family::named("universal").filmed.as_deref());
    let template = template.unwrap_or_default();
    let form = own.shot.as_deref().unwrap_or(SHOT);
    let only = course.takes.len() == 1;
    // What happens is said once.
    let most = if only && template.contains("{action}") { 0 } else { MOST_SHOTS };
    let takes = course.takes.iter().take(most).enumerate();
    let more = vec![
        ("action", "{{action}}".to_owned()),
        ("shots", takes.map(|(at, take)| listed_shot(form, at + 1, take, only) + "\n").collect()),
        ("moving", camera(longest)),
        ("seconds", seconds(course.seconds)),
    ];
    // Models that make one shot get the look of the longest; where shots are listed, each has its own light.
    let listed = !only && template.contains("{shots}");
    let look = if listed { look.clone() } else { Look::of(look.main) };
    look.prompt(template, model, listed, more)
}

/// One shot for a prompt: its time, what happens, and how it is taken.
fn listed_shot(form: &str, number: usize, take: &ShotAnalysis, only: bool) -> String {
    let action = if only { "{{action}}".to_owned() } else { format!("{{{{action_{number}}}}}") };
    let camera = moving(take).map(|_| format!(" {}", camera(take)));
    filled(
        form,
        &[
            ("number", number.to_string()),
            ("start", seconds(take.starts)),
            ("end", seconds(take.ends)),
            ("length", seconds(take.ends - take.starts)),
            ("action", action),
            ("light", light(take).join(", ")),
            ("colours", colours::prompted(&take.look.palette, false)),
            ("camera", camera.unwrap_or_default()),
        ],
    )
}

/// A shot in the terms of results.
fn shot(take: &ShotAnalysis, words: &Words) -> Shot {
    let names: Vec<_> = moving(take).into_iter().chain(light(take)).collect();
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
    let single = course.takes.iter().any(|take| take.pace.is_none());
    list.extend(single.then(|| words.name("Shots with a single frame tell nothing about motion.")));
    let framed =
        said("The target model makes pictures, so the prompt is for a frame of the longest shot.");
    list.extend(still.then(|| words.name(framed)));
    list
}
