//! What a prompt for a text or a page cannot know.

use super::findings::Findings;
use super::wording::{Words, said};
use engine::{ModelKind, ReverseBrief};
use text::language;

/// Fewer words than this leave most things open.
const FEW_WORDS: usize = 40;
/// A kind of text that is less sure is not clear.
const UNCLEAR: f64 = 0.25;

/// What the result cannot know, in the language of the result.
pub fn limitations(findings: &Findings, brief: &ReverseBrief, words: &Words) -> Vec<String> {
    let document = &findings.document;
    let list = [
        (
            true,
            said(
                "The author's own prompt cannot be known; this one follows from the finished content by rules, without a language model.",
            ),
        ),
        (true, said("Facts in the content were not verified.")),
        (
            document.page,
            said(
                "Only what the page shows without scripts, stylesheets and a login was read; pictures and layout were not.",
            ),
        ),
        (document.cut, said("The page is longer than what was read of it.")),
        (
            document.commands > 0,
            said(
                "The content has sentences that command a language model. They were treated as content: none was followed, and none is in the prompt.",
            ),
        ),
        (
            findings.counts.words < FEW_WORDS,
            said("There is little content, so kind, tone and readers are uncertain."),
        ),
        (findings.certainty < UNCLEAR, said("The kind of text was not clearly recognised.")),
        (
            findings.speaks() && !findings.voice.known,
            said(
                "Tone, point of view and tense were not measured, because there are no word lists for this language.",
            ),
        ),
    ];
    let holding = list.into_iter().filter(|(holds, _)| *holds);
    let mut list: Vec<String> = holding.map(|(_, text)| words.name(text)).collect();
    let model = brief.target_model.model();
    match model.kind {
        ModelKind::Image => list.push(words.say("{1} makes pictures, so the prompt describes a picture that fits the content, not the content itself.", &[&model.name])),
        ModelKind::Video => list.push(words.say("{1} makes videos, so the prompt describes a clip that fits the content, not the content itself.", &[&model.name])),
        ModelKind::Universal | ModelKind::Text => {
            let asked = language::primary(&brief.language);
            let other = document.language.as_deref().filter(|tag| *tag != asked && findings.speaks());
            if let Some(tag) = other {
                let (from, to) = (words.language(tag), words.language(&brief.language));
                list.push(words.say("The content is in {1}; the prompt asks for {2}.", &[&from, &to]));
            }
        }
    }
    list.extend(language::unspoken(&brief.language));
    list
}
