//! Finding a prompt for a picture: the one that stands in the file, else one that its measures suggest.

use image_analysis::{Picture, VisualFeatures};
use serde_json::{Map, Value, json};

use super::wording::Words;
use super::{appearance, colours, exact, result};
use engine::{EngineError, Image, Model, ModelKind, Recovery, Reversal, ReverseBrief, ReverseKind};

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
        negative_prompt: negative_prompt(&look, model),
        parameters: parameters(model, &look.aspect_ratio),
        description: description(&look, words),
        key_elements: appearance::measured(&look, words),
        style: Some(appearance::style(&look, words)),
        limitations: vec![
            words.say("What is shown was not recognised: fill in the subject at {1}.", &[SUBJECT]),
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
        words.say("A picture in the format {1}.", &[&look.aspect_ratio]),
        words.say("Main colours: {1}.", &[&colours::described(&look.palette, words)]),
        words.say("Light: {1}.", &[&words.list(&appearance::lighting(look))]),
        words.say("Composition: {1}.", &[&words.list(&appearance::composition(look))]),
        words.say("Rendering: {1}.", &[&words.list(&appearance::rendering(look))]),
    ];
    if look.transparent > TRANSPARENT {
        let percent = (look.transparent * 100.0).round().to_string();
        list.push(words.say("Transparent: {1} % of the area.", &[&percent]));
    }
    list.join(" ")
}

/// The aspects of the look for a prompt, with their names; prompts for pictures are written in English.
pub fn aspects(look: &VisualFeatures, model: &Model) -> Vec<(&'static str, String)> {
    let codes = matches!(model.family.as_str(), "flux" | "recraft" | "ideogram" | "gpt_image");
    let colours = [colours::prompted(&look.palette, codes)];
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
    let ratio = &look.aspect_ratio;
    match model.family.as_str() {
        "midjourney" => format!("{SUBJECT}, {} --ar {ratio}", listed(&aspects)),
        "stable_diffusion" => format!("{SUBJECT}, {}", listed(&aspects)),
        "gpt_image" => {
            let lines = aspects.iter().map(|(name, text)| format!("{name}: {text}"));
            format!("Subject: {SUBJECT}\n{}\nFormat: {ratio}", lines.collect::<Vec<_>>().join("\n"))
        }
        _ => {
            let sentences = aspects.iter().map(|(name, text)| format!("{name}: {text}."));
            let opening = match model.kind {
                ModelKind::Text | ModelKind::Universal => format!("Create a picture of {SUBJECT}."),
                ModelKind::Video => format!("A clip of {SUBJECT}. The camera stays still."),
                ModelKind::Image => format!("A picture of {SUBJECT}."),
            };
            let sentences = sentences.collect::<Vec<_>>().join(" ");
            format!("{opening} {sentences} Aspect ratio {ratio}.")
        }
    }
}

fn listed(aspects: &[(&str, String)]) -> String {
    aspects.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join(", ")
}

/// What would contradict the measures, for models that have a field for it.
fn negative_prompt(look: &VisualFeatures, model: &Model) -> Option<String> {
    let list: Vec<&str> = [
        (look.monochrome, "bright colours"),
        (look.medium.0 == image_analysis::Medium::Graphic, "photograph, noise, fine texture"),
        (look.medium.0 == image_analysis::Medium::Photographic, "flat graphic, cartoon"),
        (look.negative_space >= 0.4, "clutter"),
    ]
    .into_iter()
    .filter_map(|(is, text)| is.then_some(text))
    .collect();
    (model.negative_prompt && !list.is_empty()).then(|| list.join(", "))
}

/// The settings of the model with this ratio.
pub fn parameters(model: &Model, ratio: &str) -> Map<String, Value> {
    let mut parameters = model.parameters.clone();
    if !matches!(model.kind, ModelKind::Image | ModelKind::Video) {
        parameters.clear();
        parameters.insert("aspectRatio".to_owned(), json!(ratio));
    }
    for (key, value) in &mut parameters {
        match (key.as_str(), model.family.as_str()) {
            ("aspectRatio" | "aspect_ratio" | "ar" | "ratio", _) | ("size", "recraft" | "wan") => {
                *value = json!(ratio);
            }
            ("size", "gpt_image") => *value = json!(size(ratio)),
            _ => {}
        }
    }
    parameters
}

/// The size out of three that comes nearest to a ratio.
fn size(ratio: &str) -> &'static str {
    let (wide, high) = ratio.split_once(':').unwrap_or(("1", "1"));
    let ratio = wide.parse::<f64>().unwrap_or(1.0) / high.parse::<f64>().unwrap_or(1.0);
    match ratio {
        upright if upright < 0.8 => "1024x1536",
        across if across > 1.25 => "1536x1024",
        _ => "1024x1024",
    }
}
