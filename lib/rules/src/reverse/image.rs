//! Finding a prompt for a picture: the one that stands in the file, else one that its measures suggest.

use image_analysis::{Picture, VisualFeatures};
use patterns::pattern;

use super::wording::Words;
use super::{appearance, colours, exact, result};
use crate::visual::{family, settings};
use engine::{EngineError, Image, Model, Recovery, Reversal, ReverseBrief, ReverseKind};

/// What stands for the things that measures cannot see.
pub const SUBJECT: &str = "{{subject}}";
/// A larger share of the area that is transparent is told.
const TRANSPARENT: f64 = 0.02;

/// Finds a prompt that would produce something like the picture.
///
/// # Errors
///
/// [`EngineError::Rejected`] if it cannot be decoded.
pub fn reverse(
    image: &Image,
    brief: &ReverseBrief,
    words: &Words,
) -> Result<Reversal, EngineError> {
    let look = image_analysis::visual_features(&decoded(image)?);
    if let Some(found) = image_analysis::recover(&image.bytes) {
        return Ok(exact::reversal(found, &look, brief, words));
    }
    let model = brief.target_model.model();
    Ok(Reversal {
        recovery: Recovery::Statistical,
        confidence: appearance::clarity(&look),
        parameters: settings(model, Some(&look.aspect_ratio), None),
        description: description(&look, words),
        key_elements: appearance::measured(&look, words),
        style: Some(appearance::style(&look, words)),
        limitations: vec![
            words.say("What is shown was not recognised: fill in the subject at {}.", &[SUBJECT]),
            words.name("The file holds no prompt; colours, light and composition were measured, and the rest of the prompt is open."),
            words.name("Where the light comes from and how the picture was made are guesses from brightness and texture."),
        ],
        ..result::new(ReverseKind::Image, prompt(&look, model), brief)
    })
}

/// The decoded picture.
pub fn decoded(image: &Image) -> Result<Picture, EngineError> {
    image_analysis::decode(&image.bytes, &image.media_type)
        .map_err(|error| EngineError::Rejected { reason: error.to_string() })
}

fn description(look: &VisualFeatures, words: &Words) -> String {
    let mut list = vec![
        words.say("A picture in the format {}.", &[&look.aspect_ratio]),
        words.say("Main colours: {}.", &[&colours::described(&look.palette, words)]),
        words.say("Light: {}.", &[&words.list(&appearance::lighting(look))]),
        words.say("Composition: {}.", &[&words.list(&appearance::composition(look))]),
        words.say("Rendering: {}.", &[&words.list(&appearance::rendering(look))]),
    ];
    if look.transparent > TRANSPARENT {
        let percent = (look.transparent * 100.0).round().to_string();
        list.push(words.say("Transparent: {} % of the area.", &[&percent]));
    }
    list.join(" ")
}

/// The aspects of the look for a prompt, with their names; prompts for pictures are written in English.
pub fn aspects(look: &VisualFeatures, model: &Model) -> Vec<(&'static str, String)> {
    let colours = [colours::prompted(&look.palette, family::of(model).codes)];
    let strength = appearance::colourfulness(look).into_iter().map(str::to_owned);
    let mut style = appearance::rendering(look);
    if look.transparent > TRANSPARENT {
        style.push("transparent background");
    }
    vec![
        ("Style", style.join(", ")),
        ("Composition", appearance::composition(look).join(", ")),
        ("Lighting", appearance::lighting(look).join(", ")),
        ("Palette", colours.into_iter().chain(strength).collect::<Vec<_>>().join(", ")),
    ]
}

/// The look as the model is prompted: labelled lines, a list, or sentences.
pub fn prompt(look: &VisualFeatures, model: &Model) -> String {
    let aspects = aspects(look, model);
    let joined = |between: &str, form: fn(&(&str, String)) -> String| {
        aspects.iter().map(form).collect::<Vec<_>>().join(between)
    };
    let template = family::of(model).measured.as_deref().unwrap_or("{subject}, {list}");
    filled(
        template,
        &[
            ("subject", SUBJECT.to_owned()),
            ("list", joined(", ", |(_, text)| text.clone())),
            ("lines", joined("\n", |(name, text)| format!("{name}: {text}"))),
            ("sentences", joined(" ", |(name, text)| format!("{name}: {text}."))),
            ("ratio", look.aspect_ratio.clone()),
        ],
    )
}

/// A template with values in its places.
pub fn filled(template: &str, values: &[(&str, String)]) -> String {
    let place = |found: &patterns::Captures<'_>| {
        let value = values.iter().find(|(name, _)| *name == &found[1]);
        value.map_or_else(String::new, |(_, value)| value.clone())
    };
    pattern!(r"\{(\w+)\}").replace_all(template, place).into_owned()
}
