//! A prompt that stands in the file itself.

use image_analysis::{Recovered, VisualFeatures};
use serde_json::Value;

use super::wording::Words;
use super::{appearance, colours, result};
use engine::{
    KeyElement, Model, ModelKind, Provenance, Recovery, Reversal, ReverseBrief, ReverseKind,
};

/// Most phrases of a prompt that are listed.
const MOST_PHRASES: usize = 12;
/// A longer phrase is a sentence, and listed up to here, in characters.
const LONGEST_PHRASE: usize = 120;

/// Gives back what was recovered, word for word.
pub fn reversal(
    found: Recovered,
    look: &VisualFeatures,
    brief: &ReverseBrief,
    words: &Words,
) -> Reversal {
    let description = [
        words.say(
            "The file holds the prompt that {1} made the picture from ({2}).",
            &[&found.tool, &found.field],
        ),
        words.say("Main colours: {1}.", &[&colours::described(&look.palette, words)]),
        words.say("Light: {1}.", &[&words.list(&appearance::lighting(look))]),
    ];
    Reversal {
        recovery: Recovery::Exact,
        confidence: 1.0 / pictures(&found) as f64,
        key_elements: key_elements(&found.prompt, look, words),
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
            "The file tells of {1} pictures with different prompts and not which of them it is; all are given.",
            &[&pictures.to_string()],
        ));
    }
    if model.kind != ModelKind::Universal && !speaks(found, model) {
        list.push(words.say(
            "The prompt is given word for word as {1} wrote it, and was not adapted to {2}.",
            &[&found.tool, &model.name],
        ));
        list.push(words.say("Convention of {1}: {2}", &[&model.name, &model.guidance]));
    }
    if found.prompt.chars().count() > model.max_prompt_chars {
        let most = model.max_prompt_chars.to_string();
        list.push(
            words.say(
                "The prompt is longer than {1} takes ({2} characters).",
                &[&model.name, &most],
            ),
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
    let family = match found.tool.as_str() {
        "Midjourney" => "midjourney",
        _ if with.contains("flux") => "flux",
        _ if with.contains("qwen") => "qwen_image",
        _ => "stable_diffusion",
    };
    model.family == family
}

/// The phrases of the prompt as they stand there, and the look.
fn key_elements(prompt: &str, look: &VisualFeatures, words: &Words) -> Vec<KeyElement> {
    let mut list: Vec<KeyElement> = phrases(prompt)
        .into_iter()
        .enumerate()
        .map(|(index, value)| KeyElement {
            category: if index == 0 { "subject" } else { "detail" }.to_owned(),
            value,
            confidence: 1.0,
        })
        .collect();
    list.extend(appearance::measured(look, words));
    list
}

/// Phrases between commas and at ends of lines, without weights, networks and flags.
fn phrases(prompt: &str) -> Vec<String> {
    let mut list: Vec<String> = Vec::new();
    let words = prompt.split(" --").next().unwrap_or_default();
    for phrase in words.split([',', '\n', ';', '|']) {
        let phrase = phrase.trim();
        if phrase.starts_with('<') || phrase == "BREAK" {
            continue;
        }
        let phrase = phrase.trim_matches(['(', ')', '[', ']', '{', '}', ' ']);
        // `(phrase:1.2)`
        let phrase = match phrase.rsplit_once(':') {
            Some((phrase, weight)) if weight.parse::<f64>().is_ok() => phrase,
            _ => phrase,
        };
        let phrase: String = phrase.trim().chars().take(LONGEST_PHRASE).collect();
        if phrase.chars().any(char::is_alphanumeric) && !list.contains(&phrase) {
            list.push(phrase);
        }
        if list.len() == MOST_PHRASES {
            break;
        }
    }
    list
}
