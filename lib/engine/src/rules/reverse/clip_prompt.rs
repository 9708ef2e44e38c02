//! A prompt for a clip of which only measures are known, as video models are prompted.

use image_analysis::{ClipAnalysis, ShotAnalysis};

use super::appearance;
use super::image::{SUBJECT, aspects};
use super::video::{brightening, by_shot, moving, seconds};
use super::wording::Words;
use crate::Model;

/// Most shots that a prompt lists; clips that are generated at once have no more.
const MOST_SHOTS: usize = 12;

/// Writes the prompt: shots in order for models that cut, one camera move for the others.
pub fn compose(course: &ClipAnalysis, longest: &ShotAnalysis, model: &Model) -> String {
    // Models that make one shot get the look of the longest; where shots are listed, each has its own light.
    let listed = course.takes.len() > 1
        && !matches!(model.family.as_str(), "minimax" | "runway" | "ray" | "ltx");
    let words = Words::of("en");
    let look: Vec<String> = aspects(&longest.look, model)
        .into_iter()
        .filter(|(name, _)| !(listed && *name == "Lighting"))
        .map(|(name, text)| match name {
            "Palette" if listed => (name, appearance::palette(&course.palette, false)),
            "Composition" if listed => {
                let of = |look: &image_analysis::VisualFeatures| {
                    appearance::composition(look, &words).join(", ")
                };
                (name, by_shot(course, &words, of))
            }
            _ => (name, text),
        })
        .map(|(name, text)| format!("{name}: {text}."))
        .collect();
    let look = look.join(" ");
    let ratio = &longest.look.aspect_ratio;
    let camera = moving(longest, &Words::of("en")).unwrap_or_else(|| "static camera".to_owned());
    let shots: Vec<String> = course
        .takes
        .iter()
        .take(MOST_SHOTS)
        .enumerate()
        .map(|(index, take)| shot(index + 1, take, course.takes.len() == 1, model))
        .collect();
    match model.family.as_str() {
        "kling" | "seedance" => {
            format!("Subject: {SUBJECT}, the same in every shot.\n{look}\n{}", shots.join("\n"))
        }
        "minimax" => format!("{SUBJECT} {{{{action}}}}. {} {look}", bracketed(&camera)),
        "runway" | "ray" | "ltx" => {
            format!("{SUBJECT} {{{{action}}}}. {} {look}", sentence(&camera))
        }
        "veo" | "omni" | "wan" => {
            let mut lines = vec![format!("{SUBJECT} {{{{action}}}}.")];
            if course.takes.len() > 1 {
                lines.extend(shots);
            }
            lines.push(format!("Camera: {camera}, one continuous move."));
            lines.push(look);
            lines.join("\n")
        }
        _ => format!(
            "Create a clip of {} s in the format {ratio}.\nSubject: {SUBJECT}.\n{look}\n{}",
            seconds(course.seconds),
            shots.join("\n")
        ),
    }
}

/// One shot: its time, what happens, and how it is taken.
fn shot(number: usize, take: &ShotAnalysis, only: bool, model: &Model) -> String {
    let words = Words::of("en");
    let action = if only { "{{action}}".to_owned() } else { format!("{{{{action_{number}}}}}") };
    let mut light = appearance::lighting(&take.look, &words);
    light.extend(brightening(take, &words));
    let light = light.join(", ");
    let colours = appearance::palette(&take.look.palette[..take.look.palette.len().min(3)], false);
    let camera =
        moving(take, &words).map(|camera| format!(" Camera: {camera}.")).unwrap_or_default();
    let length = seconds(take.ends - take.starts);
    let (start, end) = (seconds(take.starts), seconds(take.ends));
    match model.family.as_str() {
        "kling" => {
            let camera =
                moving(take, &words).map(|camera| format!(", {camera}")).unwrap_or_default();
            format!("Shot {number} ({length} s): {action}, {light}, {colours}{camera}.")
        }
        // These take one camera move for the whole clip.
        "veo" | "omni" | "wan" => {
            format!("Shot {number} ({start}-{end} s): {action}. {light}, {colours}.")
        }
        _ => format!("[{start}-{end} s] Shot {number}: {action}. {light}, {colours}.{camera}"),
    }
}

fn sentence(camera: &str) -> String {
    match camera {
        "static camera" => "The camera stays still.".to_owned(),
        other if other.contains("in the frame") => {
            format!("The camera stays still; {other}.")
        }
        other => format!("The camera performs a {other}."),
    }
}

/// The command in brackets that comes nearest.
fn bracketed(camera: &str) -> &'static str {
    let commands = [
        ("pan left", "[Pan left]"),
        ("pan right", "[Pan right]"),
        ("tilt up", "[Tilt up]"),
        ("tilt down", "[Tilt down]"),
        ("push-in", "[Push in]"),
        ("pull-out", "[Pull out]"),
    ];
    commands
        .iter()
        .find(|(words, _)| camera.contains(words))
        .map_or("[Static shot]", |(_, command)| command)
}
