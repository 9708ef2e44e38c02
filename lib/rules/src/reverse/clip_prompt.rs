//! A prompt for a clip of which only measures are known, as its model is prompted.

use image_analysis::{ClipAnalysis, ShotAnalysis};

use super::image::{SUBJECT, aspects, filled};
use super::shots::{MOST_COLOURS, by_shot, light, moving, seconds};
use super::wording::Words;
use super::{appearance, colours};
use crate::visual::family;
use engine::Model;

/// Most shots that a prompt lists; clips that are generated at once have no more.
const MOST_SHOTS: usize = 12;
/// How a shot is told where the family says nothing else.
const SHOT: &str = "[{start}-{end} s] Shot {number}: {action}. {light}, {colours}.{camera}";

/// Writes the prompt: the look, and the shots in order for models that are told of them.
pub fn compose(course: &ClipAnalysis, longest: &ShotAnalysis, model: &Model) -> String {
    let own = family::of(model);
    let template = own.filmed.as_deref().or(family::named("universal").filmed.as_deref());
    let template = template.unwrap_or_default();
    // Models that make one shot get the look of the longest; where shots are listed, each has its own light.
    let only = course.takes.len() == 1;
    let listed = !only && template.contains("{shots}");
    let look = aspects(&longest.look, model).into_iter().filter_map(|(name, text)| match name {
        "Lighting" if listed => None,
        "Palette" if listed => Some((name, colours::prompted(&course.palette, false))),
        "Composition" if listed => {
            Some((name, by_shot(course, appearance::composition, &Words::of("en"))))
        }
        _ => Some((name, text)),
    });
    let look = look.map(|(name, text)| format!("{name}: {text}.")).collect::<Vec<_>>().join(" ");
    let form = own.shot.as_deref().unwrap_or(SHOT);
    let takes = course.takes.iter().take(MOST_SHOTS).enumerate();
    // What happens is said once.
    let takes = takes.filter(|_| !(only && template.contains("{action}")));
    let shots: String = takes.map(|(at, take)| shot(form, at + 1, take, only) + "\n").collect();
    let text = filled(
        template,
        &[
            ("subject", SUBJECT.to_owned()),
            ("action", "{{action}}".to_owned()),
            ("sentences", look),
            ("shots", shots),
            ("moving", camera(longest)),
            ("seconds", seconds(course.seconds)),
            ("ratio", longest.look.aspect_ratio.clone()),
        ],
    );
    text.trim_end().to_owned()
}

/// One shot: its time, what happens, and how it is taken.
fn shot(form: &str, number: usize, take: &ShotAnalysis, only: bool) -> String {
    let action = if only { "{{action}}".to_owned() } else { format!("{{{{action_{number}}}}}") };
    let palette = &take.look.palette[..take.look.palette.len().min(MOST_COLOURS)];
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
            ("colours", colours::prompted(palette, false)),
            ("camera", camera.unwrap_or_default()),
        ],
    )
}

fn camera(take: &ShotAnalysis) -> String {
    format!("Camera: {}.", moving(take).unwrap_or("static camera"))
}
