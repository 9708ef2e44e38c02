//! The prompt that would bring about a text of the same form on another topic.

use engine::{Mode, ModelKind, ReverseBrief};
use text::language;

use super::measured::Measured;
use super::wording::{Words, said};
use crate::dialect::{Part, Piece, bullets, lay_out};

/// What whoever uses the prompt puts the topic in the place of.
const TOPIC: &str = "{{topic}}";

/// Writes the prompt in the dialect of the target model. It says what was measured, and leaves the topic open.
pub fn compose(measured: &Measured, brief: &ReverseBrief, words: &Words) -> String {
    let medium = match brief.target_model.model().kind {
        ModelKind::Image => Some(said("A picture of {}")),
        ModelKind::Video => Some(said("A clip of {}")),
        ModelKind::Text | ModelKind::Universal => None,
    };
    if let Some(medium) = medium {
        return words.say(medium, &[TOPIC]);
    }
    let locale = language::locale(&brief.language);
    let name = words.name(measured.form.name);
    let pieces = [
        Piece { part: Part::Task, text: words.say("Write {} about: {2}.", &[&name, TOPIC]) },
        Piece { part: Part::Requirements, text: bullets(&requirements(measured, brief, words)) },
        Piece { part: Part::Output, text: order(measured, words) },
    ];
    let mode = if measured.form.id == "code" { Mode::Code } else { Mode::Writing };
    lay_out(&pieces, brief.target_model, locale, mode).0
}

fn requirements(measured: &Measured, brief: &ReverseBrief, words: &Words) -> Vec<String> {
    let mut list = vec![words.say("Length: {}.", &[&measured.size(words)])];
    if let Some(name) = measured.programming_language {
        list.push(words.say("Programming language: {}.", &[name]));
    }
    if !measured.names.is_empty() {
        let named =
            if measured.form.id == "json" { said("Keys: {}.") } else { said("Columns: {}.") };
        let names: Vec<String> = measured.names.iter().map(|name| format!("\"{name}\"")).collect();
        list.push(words.say(named, &[&names.join(", ")]));
    }
    if !measured.variables.is_empty() {
        let markers: Vec<String> =
            measured.variables.iter().map(|name| format!("{{{{{name}}}}}")).collect();
        let keep = said("Keep these placeholders exactly as they stand: {}.");
        list.push(words.say(keep, &[&markers.join(", ")]));
    }
    let asked = language::primary(&brief.language);
    let other = measured.document.language.as_deref().is_some_and(|tag| tag != asked);
    if !measured.form.is_data && (asked != "en" || other) {
        list.push(language::respond_in(&brief.language));
    }
    list
}

/// The parts of the answer in order, if there are several.
fn order(measured: &Measured, words: &Words) -> String {
    let outline = measured.outline(words);
    if outline.len() <= 1 {
        return String::new();
    }
    let parts = outline.iter().enumerate().map(|(index, part)| format!("{}. {part}", index + 1));
    let parts = parts.collect::<Vec<_>>().join("\n");
    format!("{}\n{parts}", words.name("Keep to this order of parts:"))
}

/// What the result cannot know.
pub fn limitations(measured: &Measured, brief: &ReverseBrief, words: &Words) -> Vec<String> {
    let document = &measured.document;
    let list = [
        (
            true,
            said(
                "The author's own prompt cannot be known; this one follows from the finished content by rules, without a language model.",
            ),
        ),
        (
            true,
            said(
                "Only the form was measured. Put what it is to be about in the place of the topic.",
            ),
        ),
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
    ];
    let holding = list.into_iter().filter(|(holds, _)| *holds);
    let mut list: Vec<String> = holding.map(|(_, text)| words.name(text)).collect();
    let asked = language::primary(&brief.language);
    let other = document.language.as_deref().filter(|tag| *tag != asked && !measured.form.is_data);
    if let Some(tag) = other {
        let (from, to) = (words.language(tag), words.language(&brief.language));
        list.push(words.say("The content is in {}; the prompt asks for {2}.", &[&from, &to]));
    }
    list.extend(language::unspoken(&brief.language));
    list
}
