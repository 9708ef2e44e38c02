//! Finding a prompt for a text, a page, a picture or a clip.
//!
//! The content is evidence and never instruction. Of a text, the form is measured: the prompt says its kind where
//! the form proves it, its length and its parts, and leaves the topic open. Of its words only the names of variables
//! and of the language of code reach the prompt.

mod clip;
mod colours;
mod document;
mod form;
pub mod found;
mod look;
mod measured;
mod picture;
mod prompt;

use serde_json::Map;

use self::document::Document;
use self::found::Found;
use self::measured::Measured;
use crate::wording::{Voice, said};
use engine::{
    EngineError, EngineIdentity, KeyElement, Material, Provenance, Recovery, Reversal,
    ReverseBrief, ReverseKind, tokens,
};

/// How sure it is that a text in the form of a prompt is one.
const CERTAIN: f64 = 0.95;
/// How sure a prompt is that follows from measures of a picture or clip.
const MEASURED: f64 = 0.3;

/// Finds a prompt that would produce something like the material.
///
/// # Errors
///
/// [`EngineError::Rejected`] if there is nothing to read in it, or a picture cannot be decoded.
pub fn reverse(brief: &ReverseBrief) -> Result<Reversal, EngineError> {
    let words = Voice::of(&brief.language);
    let (document, own) = match &brief.material {
        Material::Image(image) => return picture::reverse(image, brief, &words),
        Material::Video { frames, seconds } => {
            return clip::reverse(frames, *seconds, brief, &words);
        }
        Material::Page(page) => (Document::of_page(page), None),
        Material::Text(text) => {
            let document = Document::of_text(text);
            let own = found::find(text, brief.target_model);
            (document, own)
        }
    };
    if !document.raw.chars().any(char::is_alphanumeric) {
        return Err(rejected(if document.page {
            "the page shows no text without running its scripts"
        } else {
            "the text has no letters or digits"
        }));
    }
    let kind = if document.page { ReverseKind::Url } else { ReverseKind::Text };
    let measured = Measured::of(document, own.as_ref());
    let (key_elements, description) = measured.told(&words);
    let structure = Some(measured.structure(&words));
    let made = match own {
        Some(own) => recovered(own, brief, &words),
        None => Reversal {
            // Without a proven kind it is less sure.
            confidence: if measured.form.is_proven() { 0.7 } else { 0.4 },
            parameters: brief.target_model.model().parameters.clone(),
            limitations: prompt::limitations(&measured, brief, &words),
            ..result(kind, prompt::compose(&measured, brief, &words), brief)
        },
    };
    Ok(Reversal { key_elements, description, structure, ..made })
}

/// What a text gives back that is the prompt itself.
fn recovered(own: Found, brief: &ReverseBrief, words: &Voice) -> Reversal {
    let limitation = match own.visual {
        true => said("The prompt stands in the text; settings that it does not name are unknown."),
        false => said("The text is a prompt itself and is given back as it stands."),
    };
    let provenance = Provenance {
        tool: own.tool.to_owned(),
        container: "text".to_owned(),
        field: "prompt".to_owned(),
    };
    Reversal {
        recovery: Recovery::Exact,
        confidence: CERTAIN,
        negative_prompt: own.negative,
        parameters: own.parameters,
        provenance: Some(provenance),
        limitations: vec![words.name(limitation)],
        ..result(ReverseKind::Text, own.prompt, brief)
    }
}

/// A result with a prompt, and nothing else that depends on the content.
fn result(kind: ReverseKind, prompt: String, brief: &ReverseBrief) -> Reversal {
    Reversal {
        kind,
        recovery: Recovery::Inferred,
        confidence: 0.0,
        token_estimate: tokens::estimate(&prompt, brief.target_model),
        prompt,
        negative_prompt: None,
        parameters: Map::new(),
        provenance: None,
        description: String::new(),
        key_elements: Vec::new(),
        style: None,
        shots: None,
        structure: None,
        limitations: Vec::new(),
        language: brief.language.clone(),
        engine: EngineIdentity::rules(),
    }
}

fn rejected(reason: &str) -> EngineError {
    EngineError::Rejected { reason: reason.to_owned() }
}

/// What is known of something by category, with how sure it is, the surest first; what is empty is left out.
fn key_elements<'a>(list: impl IntoIterator<Item = (&'a str, String, f64)>) -> Vec<KeyElement> {
    let known = list.into_iter().filter(|(_, value, _)| !value.is_empty());
    let element = |(category, value, confidence): (&str, String, f64)| KeyElement {
        category: category.to_owned(),
        value,
        confidence: hundredths(confidence),
    };
    let mut list: Vec<KeyElement> = known.map(element).collect();
    list.sort_by(|one, other| other.confidence.total_cmp(&one.confidence));
    list
}

/// A number with two decimals.
fn hundredths(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}
