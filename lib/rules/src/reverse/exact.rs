//! A prompt that stands in the file itself.

use image_analysis::{Recovered, VisualFeatures};
use serde_json::Value;

use super::wording::Words;
use super::{appearance, colours, result};
use crate::visual::family;
use engine::{Model, ModelKind, Provenance, Recovery, Reversal, ReverseBrief, ReverseKind};

/// Gives back what was recovered, word for word.
pub fn reversal(
    found: Recovered,
    look: &VisualFeatures,
    brief: &ReverseBrief,
    words: &Words,
) -> Reversal {
    let description = [
        words.say(
            "The file holds the prompt that {} made the picture from ({2}).",
            &[&found.tool, &found.field],
        ),
        words.say("Main colours: {}.", &[&colours::described(&look.palette, words)]),
        words.say("Light: {}.", &[&words.list(&appearance::lighting(look))]),
    ];
    Reversal {
        recovery: Recovery::Exact,
        confidence: 1.0 / pictures(&found) as f64,
        key_elements: appearance::measured(look, words),
        limitations: limitations(&found, brief, words),
        negative_prompt: found.negative_prompt,
        parameters: found.parameters,
        provenance: Some(Provenance {
            tool: found.tool,
            container: found.container,
            field: found.field,
        }),
        description: description.join(" "),
        style: Some(appearance::style(look, words)),
        ..result::new(ReverseKind::Image, found.prompt, brief)
    }
}

fn limitations(found: &Recovered, brief: &ReverseBrief, words: &Words) -> Vec<String> {
    let model = brief.target_model.model();
    let mut list = vec![words.say(
        "What stands in a file can be edited; that the picture was made from this prompt was not verified.",
        &[],
    )];
    let pictures = pictures(found);
    if pictures > 1 {
        list.push(words.say(
            "The file tells of {} pictures with different prompts and not which of them it is; all are given.",
            &[&pictures.to_string()],
        ));
    }
    if model.kind != ModelKind::Universal && !speaks(found, model) {
        list.push(words.say(
            "The prompt is given word for word as {} wrote it, and was not adapted to {2}.",
            &[&found.tool, &model.name],
        ));
        list.push(words.say("Convention of {}: {2}", &[&model.name, &model.guidance]));
    }
    if found.prompt.chars().count() > model.max_prompt_chars {
        let most = model.max_prompt_chars.to_string();
        list.push(
            words
                .say("The prompt is longer than {} takes ({2} characters).", &[&model.name, &most]),
        );
    }
    list.push(words.say(
        "With another model, another version of it or another seed the picture will differ.",
        &[],
    ));
    list
}

/// How many pictures with different prompts the file tells of.
fn pictures(found: &Recovered) -> u64 {
    let told = found.parameters.get("pictures").filter(|_| found.tool == "ComfyUI");
    told.and_then(Value::as_u64).unwrap_or(1).max(1)
}

/// Whether prompts of the tool are those of the model's family.
fn speaks(found: &Recovered, model: &Model) -> bool {
    let with = found.parameters.iter().find(|(name, _)| name.eq_ignore_ascii_case("model"));
    let with = with.and_then(|(_, value)| value.as_str()).unwrap_or_default().to_lowercase();
    model.family == family::that_made(&found.tool, &with)
}
