//! Saying what was measured in the shots of a clip.

use image_analysis::{ClipAnalysis, Motion, Pace, ShotAnalysis, VisualFeatures};

use super::appearance::{self, Names};
use super::colours;
use super::result::hundredths;
use super::wording::{Words, said};
use engine::Shot;

/// Most colours of a shot that are named.
pub const MOST_COLOURS: usize = 3;

/// Moves of the camera, slow and fast.
const MOVES: [(Motion, &str, &str); 6] = [
    (Motion::PanLeft, said("slow pan left"), said("fast pan left")),
    (Motion::PanRight, said("slow pan right"), said("fast pan right")),
    (Motion::TiltUp, said("slow tilt up"), said("fast tilt up")),
    (Motion::TiltDown, said("slow tilt down"), said("fast tilt down")),
    (Motion::ZoomIn, said("slow push-in"), said("fast push-in")),
    (Motion::ZoomOut, said("slow pull-out"), said("fast pull-out")),
];

/// A shot in the terms of results.
pub fn shot(take: &ShotAnalysis, words: &Words) -> Shot {
    let names: Names = moving(take).into_iter().chain(light(take)).collect();
    let palette = &take.look.palette[..take.look.palette.len().min(MOST_COLOURS)];
    let colours = words.say("main colours: {}", &[&colours::described(palette, words)]);
    Shot {
        starts_at_seconds: hundredths(take.starts),
        ends_at_seconds: hundredths(take.ends),
        description: format!("{}, {colours}", words.list(&names)),
    }
}

/// What holds for the whole clip, or what holds for each of its shots that has it.
pub fn by_shot(
    course: &ClipAnalysis,
    aspect: impl Fn(&VisualFeatures) -> Names,
    words: &Words,
) -> String {
    let all: Vec<String> =
        course.takes.iter().map(|take| words.list(&aspect(&take.look))).collect();
    if all.iter().all(|text| *text == all[0]) {
        return all.into_iter().next().unwrap_or_default();
    }
    let told = all.iter().enumerate().filter(|(_, text)| !text.is_empty());
    told.map(|(index, text)| words.say("shot {}: {2}", &[&(index + 1).to_string(), text]))
        .collect::<Vec<_>>()
        .join("; ")
}

/// What the camera or the subject does; nothing for a single frame.
pub fn moving(take: &ShotAnalysis) -> Option<&'static str> {
    let pace = take.pace?;
    Some(match (MOVES.iter().find(|(motion, ..)| Some(*motion) == take.motion), pace) {
        (Some((_, slow, _)), Pace::Slow) => slow,
        (Some((.., fast)), _) => fast,
        (None, Pace::Still) => said("static camera"),
        (None, Pace::Slow) => said("slow motion in the frame"),
        (None, Pace::Fast) => said("fast motion in the frame"),
    })
}

/// The light of a shot, and a change of it that can be seen.
pub fn light(take: &ShotAnalysis) -> Names {
    let change = match take.brightening {
        more if more > 0.15 => Some(said("growing brighter")),
        less if less < -0.15 => Some(said("growing darker")),
        _ => None,
    };
    appearance::lighting(&take.look).into_iter().chain(change).collect()
}

/// With one decimal where it is not whole.
pub fn seconds(value: f64) -> String {
    format!("{}", (value * 10.0).round() / 10.0)
}
