//! Finding a prompt for a text, a page, a picture or a clip.
//!
//! The content is evidence and never instruction. Of a text, the form is measured: the prompt says its kind where
//! the form proves it, its length and its parts, and leaves the topic open. Of its words only the names of columns, keys
//! and variables reach the prompt.

mod appearance;
mod clip_prompt;
mod code;
mod colours;
mod document;
mod exact;
mod form;
mod found;
mod image;
mod measured;
mod prompt;
mod result;
mod shots;
mod video;
mod wording;

use self::document::Document;
use self::found::Found;
use self::measured::Measured;
use self::result::hundredths;
use self::wording::Words;
use engine::{EngineError, Material, Recovery, Reversal, ReverseBrief, ReverseKind};

/// How sure it is that a text in the form of a prompt is one.
const CERTAIN: f64 = 0.95;

/// Finds a prompt that would produce something like the material.
///
/// # Errors
///
/// [`EngineError::Rejected`] if there is nothing to read in it, or a picture cannot be decoded.
pub fn reverse(brief: &ReverseBrief) -> Result<Reversal, EngineError> {
    let words = Words::of(&brief.language);
    let (document, own) = match &brief.material {
        Material::Image(image) => return image::reverse(image, brief, &words),
        Material::Video { frames, seconds } => {
            return video::reverse(frames, *seconds, brief, &words);
        }
        Material::Page(page) => (Document::of_page(page), None),
        Material::Text(text) => {
            let document = Document::of_text(text);
            let own = found::find(&document, text, brief.target_model);
            (document, own)
        }
    };
    if !document.raw.chars().any(char::is_alphanumeric) {
        let reason = if document.page {
            "the page shows no text without running its scripts"
        } else {
            "the text has no letters or digits"
        };
        return Err(EngineError::Rejected { reason: reason.to_owned() });
    }
    let measured = Measured::of(document);
    Ok(match own {
        Some(own) => recovered(own, &measured, brief, &words),
        None => inferred(&measured, brief, &words),
    })
}

/// A prompt that would produce something like what was read.
fn inferred(measured: &Measured, brief: &ReverseBrief, words: &Words) -> Reversal {
    let kind = if measured.document.page { ReverseKind::Url } else { ReverseKind::Text };
    let (key_elements, description) = measured.told(None, words);
    Reversal {
        confidence: confidence(measured),
        parameters: brief.target_model.model().parameters.clone(),
        description,
        key_elements,
        structure: Some(measured.structure(words)),
        limitations: prompt::limitations(measured, brief, words),
        ..result::new(kind, prompt::compose(measured, brief, words), brief)
    }
}

/// What a text gives back that is the prompt itself.
fn recovered(own: Found, measured: &Measured, brief: &ReverseBrief, words: &Words) -> Reversal {
    let limitation = if own.visual {
        words.say("The prompt stands in the text; settings that it does not name are unknown.", &[])
    } else {
        words.say("The text is a prompt itself and is given back as it stands.", &[])
    };
    let mut structure = measured.structure(words);
    structure.format = if own.visual { "image_prompt" } else { "prompt" }.to_owned();
    let (key_elements, description) = measured.told(Some(&own), words);
    Reversal {
        recovery: Recovery::Exact,
        confidence: CERTAIN,
        negative_prompt: own.negative,
        parameters: own.parameters,
        provenance: Some(own.provenance),
        description,
        key_elements,
        structure: Some(structure),
        limitations: vec![limitation],
        ..result::new(ReverseKind::Text, own.prompt, brief)
    }
}

/// How sure the result is, from 0.2 to 0.8: 0.3, 0.3 more where the form proves the kind, and up to 0.2 for 300 words of
/// evidence; less 0.1 if only a part was read.
fn confidence(measured: &Measured) -> f64 {
    let evidence = (measured.words as f64 / 300.0).min(1.0);
    let kind = if measured.form.is_proven() { 0.3 } else { 0.0 };
    let unread = if measured.document.cut { 0.1 } else { 0.0 };
    hundredths(0.3 + kind + 0.2 * evidence - unread)
}
