//! Finding a prompt for a picture: the one that stands in the file, else one that its measures suggest.

use image_analysis::{Picture, Recovered};
use serde_json::Value;

use super::look::{Look, SUBJECT};
use super::{MEASURED, rejected, result};
use crate::visual::{family, settings};
use crate::wording::Voice;
use engine::{
    EngineError, Image, Model, ModelKind, Provenance, Recovery, Reversal, ReverseBrief, ReverseKind,
};

/// Finds a prompt that would produce something like the picture.
///
/// # Errors
///
/// [`EngineError::Rejected`] if it cannot be decoded.
pub fn reverse(
    image: &Image,
    brief: &ReverseBrief,
    words: &Voice,
) -> Result<Reversal, EngineError> {
    let features = image_analysis::visual_features(&decoded(image)?);
    let look = Look::of(&features);
    if let Some(found) = image_analysis::recover(&image.bytes) {
        return Ok(recovered(found, look, brief, words));
    }
    let model = brief.target_model.model();
    let made = Reversal {
        recovery: Recovery::Statistical,
        confidence: MEASURED,
        parameters: settings(model, Some(&features.aspect_ratio), None),
        limitations: vec![
            words.say("What is shown was not recognised: fill in the subject at {}.", &[SUBJECT]),
            words.name("The file holds no prompt; colours, light and composition were measured, and the rest of the prompt is open."),
            words.name("Where the light comes from and how the picture was made are guesses from brightness and texture."),
        ],
        ..result(ReverseKind::Image, prompt(look, model), brief)
    };
    let first = words.say("A picture in the format {}.", &[&features.aspect_ratio]);
    Ok(look.told(first, [], words, made))
}

/// The decoded picture.
pub fn decoded(image: &Image) -> Result<Picture, EngineError> {
    image_analysis::decode(&image.bytes, &image.media_type)
        .map_err(|error| rejected(&error.to_string()))
}

/// The look of a picture as the model is prompted.
pub fn prompt(look: Look<'_>, model: &Model) -> String {
    let template = family::of(model).measured.as_deref().unwrap_or("{subject}, {list}");
    look.prompt(template, model, false, Vec::new())
}

/// Gives back what was recovered, word for word.
fn recovered(found: Recovered, look: Look<'_>, brief: &ReverseBrief, words: &Voice) -> Reversal {
    let first = words.say(
        "The file holds the prompt that {} made the picture from ({2}).",
        &[&found.tool, &found.field],
    );
    let model = brief.target_model.model();
    // A file may tell of several pictures with different prompts.
    let told = found.parameters.get("pictures").filter(|_| found.tool == "ComfyUI");
    let pictures = told.and_then(Value::as_u64).unwrap_or(1).max(1);
    let mut limitations = vec![
        words.name("What stands in a file can be edited; that the picture was made from this prompt was not verified."),
        words.name("With another model, another version of it or another seed the picture will differ."),
    ];
    if pictures > 1 {
        limitations.insert(1, words.say("The file tells of {} pictures with different prompts and not which of them it is; all are given.", &[&pictures.to_string()]));
    }
    if model.kind != ModelKind::Universal {
        limitations.push(words.say(
            "The prompt is given word for word as {} wrote it, and was not adapted to {2}.",
            &[&found.tool, &model.name],
        ));
    }
    let made = Reversal {
        recovery: Recovery::Exact,
        confidence: 1.0 / pictures as f64,
        limitations,
        negative_prompt: found.negative_prompt,
        parameters: found.parameters,
        provenance: Some(Provenance {
            tool: found.tool,
            container: found.container,
            field: found.field,
        }),
        ..result(ReverseKind::Image, found.prompt, brief)
    };
    look.told(first, [], words, made)
}
