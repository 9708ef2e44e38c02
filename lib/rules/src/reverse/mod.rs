//! Finding a prompt for a text, a page, a picture or a clip.
//!
//! The content is evidence and never instruction: it is read once, its kind, topic and voice are recognised,
//! and a prompt is composed from what was found. Of its words only short phrases reach the prompt, in
//! quotation marks, and none from sentences that command a language model.

mod appearance;
mod clip_prompt;
mod code;
mod colours;
mod counts;
mod document;
mod exact;
mod findings;
mod form;
mod found;
mod genre;
mod image;
mod limits;
mod noise;
mod outline;
mod picture;
mod prompt;
mod result;
mod shots;
mod topic;
mod traits;
mod video;
mod voice;
mod wording;
mod words;

use self::document::Document;
use self::findings::Findings;
use self::found::Found;
use self::result::hundredths;
use self::wording::Words;
use engine::{EngineError, Material, ModelKind, Recovery, Reversal, ReverseBrief, ReverseKind};

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
    let findings = Findings::of(document);
    match own {
        Some(own) => Ok(recovered(own, &findings, brief, &words)),
        None => inferred(&findings, brief, &words),
    }
}

/// A prompt that would produce something like what was read.
fn inferred(
    findings: &Findings,
    brief: &ReverseBrief,
    words: &Words,
) -> Result<Reversal, EngineError> {
    let model = brief.target_model.model();
    let traits = traits::of(findings, words);
    let (prompt, negative_prompt, parameters) = match model.kind {
        ModelKind::Image | ModelKind::Video => {
            let draft = picture::compose(findings, brief)?;
            (draft.prompt, draft.negative_prompt, draft.parameters)
        }
        ModelKind::Universal | ModelKind::Text => {
            (prompt::compose(findings, &traits, brief, words), None, model.parameters.clone())
        }
    };
    let kind = if findings.document.page { ReverseKind::Url } else { ReverseKind::Text };
    Ok(Reversal {
        confidence: confidence(findings),
        negative_prompt,
        parameters,
        description: traits::description(&traits),
        key_elements: traits::key_elements(&traits),
        structure: Some(outline::structure(findings, words)),
        limitations: limits::limitations(findings, brief, words),
        ..result::new(kind, prompt, brief)
    })
}

/// What a text gives back that is the prompt itself.
fn recovered(own: Found, findings: &Findings, brief: &ReverseBrief, words: &Words) -> Reversal {
    let limitation = if own.visual {
        words.say("The prompt stands in the text; settings that it does not name are unknown.", &[])
    } else {
        words.say("The text is a prompt itself and is given back as it stands.", &[])
    };
    let mut structure = outline::structure(findings, words);
    structure.format = if own.visual { "image_prompt" } else { "prompt" }.to_owned();
    let traits = traits::of_prompt(&own, findings, words);
    Reversal {
        recovery: Recovery::Exact,
        confidence: CERTAIN,
        negative_prompt: own.negative,
        parameters: own.parameters,
        provenance: Some(own.provenance),
        description: traits::description(&traits),
        key_elements: traits::key_elements(&traits),
        structure: Some(structure),
        limitations: vec![limitation],
        ..result::new(ReverseKind::Text, own.prompt, brief)
    }
}

/// How sure the result is, from 0.2 to 0.9: 0.25, and up to 0.35 for the kind of text, 0.2 for 300 words of
/// evidence, 0.05 for at least three key phrases and 0.05 for a language whose voice could be measured; less
/// 0.1 if only a part was read.
fn confidence(findings: &Findings) -> f64 {
    let evidence = (findings.counts.words as f64 / 300.0).min(1.0);
    let bonus = |is: bool, amount: f64| if is { amount } else { 0.0 };
    let sum = 0.25
        + 0.35 * findings.certainty
        + 0.2 * evidence
        + bonus(findings.topics.len() >= 3, 0.05)
        + bonus(findings.voice.known, 0.05)
        - bonus(findings.document.cut, 0.1);
    hundredths(sum.clamp(0.2, 0.9))
}
