//! The prompt that would bring about a text of the same form on another topic.

use engine::{ModelKind, ReverseBrief};
use text::language;

use super::measured::Measured;
use crate::dialect::{self, Piece, bullets, lay_out};
use crate::wording::{Voice, said};

/// What whoever uses the prompt puts the topic in the place of.
const TOPIC: &str = "{{topic}}";

/// Writes the prompt in the dialect of the target model. It says what was measured, and leaves the topic open.
pub fn compose(measured: &Measured, brief: &ReverseBrief, words: &Voice) -> String {
    match brief.target_model.model().kind {
        ModelKind::Image => return words.say("A picture of {}", &[TOPIC]),
        ModelKind::Video => return words.say("A clip of {}", &[TOPIC]),
        ModelKind::Text | ModelKind::Universal => {}
    }
    let outline = measured.outline(words);
    let parts = outline.iter().enumerate().map(|(index, part)| format!("\n{}. {part}", index + 1));
    let order = match outline.len() {
        0 | 1 => String::new(),
        _ => words.name("Keep to this order of parts:") + &parts.collect::<String>(),
    };
    let name = words.name(measured.form.name);
    let pieces = [
        Piece { part: dialect::TASK, text: words.say("Write {} about: {2}.", &[&name, TOPIC]) },
        Piece { part: dialect::REQUIREMENTS, text: bullets(&requirements(measured, brief, words)) },
        Piece { part: dialect::OUTPUT, text: order },
    ];
    lay_out(&pieces, brief.target_model, language::locale(&brief.language)).0
}

fn requirements(measured: &Measured, brief: &ReverseBrief, words: &Voice) -> Vec<String> {
    let markers = measured.variables.iter().map(|name| format!("{{{{{name}}}}}"));
    let markers: Vec<String> = markers.collect();
    let list = [
        (said("Length: {}."), measured.size(words)),
        (said("Programming language: {}."), measured.code.clone()),
        (said("Keep these placeholders exactly as they stand: {}."), markers.join(", ")),
    ];
    let list = list.iter().filter(|(_, value)| !value.is_empty());
    let mut list: Vec<String> = list.map(|(saying, value)| words.say(saying, &[value])).collect();
    let asked = language::primary(&brief.language);
    if !measured.form.is_data && (asked != "en" || other_language(measured, &asked).is_some()) {
        list.push(language::respond_in(&brief.language));
    }
    list
}

/// The language of the content, if it is not the one that is asked for.
fn other_language<'a>(measured: &'a Measured, asked: &str) -> Option<&'a str> {
    measured.document.language.as_deref().filter(|tag| *tag != asked && !measured.form.is_data)
}

/// What the result cannot know.
pub fn limitations(measured: &Measured, brief: &ReverseBrief, words: &Voice) -> Vec<String> {
    let document = &measured.document;
    let mut list = vec![
        words.name("The author's own prompt cannot be known; this one follows from the finished content by rules, without a language model."),
        words.name("Only the form was measured. Put what it is to be about in the place of the topic."),
    ];
    if document.page {
        list.push(words.name("Only what the page shows without scripts, stylesheets and a login was read, and of a long page its beginning; pictures and layout were not."));
    }
    if let Some(tag) = other_language(measured, &language::primary(&brief.language)) {
        let (from, to) = (words.language(tag), words.language(&brief.language));
        list.push(words.say("The content is in {}; the prompt asks for {2}.", &[&from, &to]));
    }
    list.extend(language::unspoken(&brief.language));
    list
}
