//! A prompt for a clip of which only measures are known, as video models are prompted.

use image_analysis::{ClipAnalysis, ShotAnalysis};

use super::image::{SUBJECT, aspects};
use super::shots::{MOST_COLOURS, by_shot, light, moving, seconds};
use super::wording::Words;
use super::{appearance, colours};
use engine::Model;

/// Most shots that a prompt lists; clips that are generated at once have no more.
const MOST_SHOTS: usize = 12;

/// Writes the prompt: shots in order for models that cut, one camera move for the others.
pub fn compose(course: &ClipAnalysis, longest: &ShotAnalysis, model: &Model) -> String {
    // Models that make one shot get the look of the longest; where shots are listed, each has its own light.
    let single = matches!(model.family.as_str(), "minimax" | "runway" | "ray" | "ltx");
    let listed = course.takes.len() > 1 && !single;
    let aspects = aspects(&longest.look, model).into_iter();
    let look = aspects.filter_map(|(name, text)| match name {
        "Lighting" if listed => None,
        "Palette" if listed => Some((name, colours::prompted(&course.palette, false))),
        "Composition" if listed => {
            Some((name, by_shot(course, appearance::composition, &Words::of("en"))))
        }
        _ => Some((name, text)),
    });
    let look = look.map(|(name, text)| format!("{name}: {text}.")).collect::<Vec<_>>().join(" ");
    let camera = moving(longest).unwrap_or("static camera");
    let takes = course.takes.iter().take(MOST_SHOTS).enumerate();
    let only = course.takes.len() == 1;
    let shots = takes.map(|(index, take)| shot(index + 1, take, only, model));
    let shots = shots.collect::<Vec<_>>().join("\n");
    match model.family.as_str() {
        "kling" | "seedance" => {
            format!("Subject: {SUBJECT}, the same in every shot.\n{look}\n{shots}")
        }
        "minimax" => format!("{SUBJECT} {{{{action}}}}. {} {look}", bracketed(camera)),
        _ if single => format!("{SUBJECT} {{{{action}}}}. {} {look}", sentence(camera)),
        "veo" | "omni" | "wan" => {
            let shots = if only { String::new() } else { shots + "\n" };
            format!(
                "{SUBJECT} {{{{action}}}}.\n{shots}Camera: {camera}, one continuous move.\n{look}"
            )
        }
        _ => format!(
            "Create a clip of {} s in the format {}.\nSubject: {SUBJECT}.\n{look}\n{shots}",
            seconds(course.seconds),
            longest.look.aspect_ratio
        ),
    }
}

/// One shot: its time, what happens, and how it is taken.
fn shot(number: usize, take: &ShotAnalysis, only: bool, model: &Model) -> String {
    let action = if only { "{{action}}".to_owned() } else { format!("{{{{action_{number}}}}}") };
    let light = light(take).join(", ");
    let palette = &take.look.palette[..take.look.palette.len().min(MOST_COLOURS)];
    let colours = colours::prompted(palette, false);
    let camera = |before: &str, after: &str| {
        moving(take).map(|camera| format!("{before}{camera}{after}")).unwrap_or_default()
    };
    let length = seconds(take.ends - take.starts);
    let (start, end) = (seconds(take.starts), seconds(take.ends));
    match model.family.as_str() {
        "kling" => {
            format!("Shot {number} ({length} s): {action}, {light}, {colours}{}.", camera(", ", ""))
        }
        // These take one camera move for the whole clip.
        "veo" | "omni" | "wan" => {
            format!("Shot {number} ({start}-{end} s): {action}. {light}, {colours}.")
        }
        _ => {
            let camera = camera(" Camera: ", ".");
            format!("[{start}-{end} s] Shot {number}: {action}. {light}, {colours}.{camera}")
        }
    }
}

fn sentence(camera: &str) -> String {
    match camera {
        "static camera" => "The camera stays still.".to_owned(),
        other if other.contains("in the frame") => format!("The camera stays still; {other}."),
        other => format!("The camera performs a {other}."),
    }
}

/// The command in brackets that comes nearest: "[Pan left]".
fn bracketed(camera: &str) -> String {
    let (_, name) = camera.split_once(' ').unwrap_or_default();
    let told = !camera.contains("in the frame") && camera != "static camera";
    let mut signs = name.replace('-', " ");
    if let Some(first) = signs.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    if told { format!("[{signs}]") } else { "[Static shot]".to_owned() }
}
