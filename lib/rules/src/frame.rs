//! The frame around what is wanted: "can you write …", "I need …", "quiero un prompt que …".
//!
//! It is cut where the rest stands for itself, as an instruction or as the name of what is wanted. Elsewhere the user's
//! sentence stays whole, with a lead that makes it a task.

use super::imperative::{starts_work, unwrapped};
use super::split::{capitalize, stop};
use patterns::{pattern, words};

const ASSISTANT: &[(&str, &str)] = words!("frame.assistant");
const HELPER: &[(&str, &str)] = words!("frame.helper");
const DUTY: &[(&str, &str)] = words!("frame.duty");
const PRONOUN: &[(&str, &str)] = words!("frame.pronoun");

/// Words of a name that is no task by itself.
const BARE_WORDS: usize = 3;

/// What stands before the user's words to make a task of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lead {
    /// Nothing: they are an instruction or the name of what is wanted.
    Plain,
    /// Words of their own language that their clause completes: "Be an assistant that", and in a title "Assistant that".
    Clause {
        /// The words in a task.
        order: String,
        /// The words in a title.
        name: String,
    },
    /// That a question is to be answered.
    Question,
    /// That a wish is to be fulfilled.
    Wish,
    /// That something is to be done about a state of affairs.
    Situation,
}

/// What is wanted, in the user's words.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// What makes a task of the text.
    pub lead: Lead,
    /// A sentence, or a clause that completes the lead.
    pub text: String,
}

impl Wanted {
    fn plain(text: &str) -> Self {
        let text = text.trim_end_matches(['?', ' ', ',']);
        Self { lead: Lead::Plain, text: stop(&capitalize(text)) }
    }

    fn whole(lead: Lead, text: &str) -> Self {
        Self { lead, text: stop(&capitalize(text)) }
    }

    /// A clause with its pronoun about what an assistant does.
    fn assistant(pronoun: &str, text: &str, language: &str) -> Self {
        let behind = |words: &str| format!("{words} {pronoun}");
        Self::clause(behind(of(ASSISTANT, language)), behind(of(HELPER, language)), text)
    }

    /// An infinitive with its particle, which only a duty can stand before.
    fn duty(text: &str, language: &str) -> Self {
        Self::clause(of(DUTY, language).to_owned(), String::new(), text)
    }

    fn clause(order: String, name: String, text: &str) -> Self {
        let text = stop(text.trim_end_matches(['?', ' ']));
        Self { lead: Lead::Clause { order, name }, text }
    }
}

/// What a wanted prompt is to do; `None` if the sentence asks for no prompt as a means to something.
///
/// `language` is the one of the sentence.
pub fn of_prompt(sentence: &str, language: &str) -> Option<Wanted> {
    let text = unwrapped(sentence);
    let found = pattern!(r"(?i)^(?:{frame.wanted} ?)?{frame.prompt}(?: {frame.for_model})?(?: {frame.made})?[,:]? (?P<rest>\S.*)$")
        .captures(text)?;
    let rest = found.name("rest")?.as_str();
    if let Some(means) = pattern!(r"(?i)^{frame.in_order_to} ").find(rest) {
        return Some(Wanted::duty(&rest[means.end()..], language));
    }
    if let Some(model) = pattern!(r"(?i)^{frame.so_that} ").find(rest) {
        let text = &rest[model.end()..];
        return Some(Wanted::assistant(of(PRONOUN, language), text, language));
    }
    if let Some(means) = pattern!(r"(?i)^{frame.means} ").find(rest) {
        return Some(Wanted::plain(&rest[means.end()..]));
    }
    let relative = pattern!(r"(?i)^(?P<v>{frame.relative}) ").captures(rest)?;
    Some(Wanted::assistant(&relative["v"], &rest[relative[0].len()..], language))
}

/// What a sentence wants. `is_known` says that the kind of its task is, so that what it names is something to make.
///
/// `language` is the one of the sentence.
pub fn of_sentence(sentence: &str, is_known: bool, language: &str) -> Wanted {
    let whole = sentence.trim();
    let text = unwrapped(whole);
    let is_question = pattern!(r"(?i)^{frame.question}").is_match(text);
    if is_question {
        let mark = if text.ends_with(['.', '!', '?', ':', '…']) { "" } else { "?" };
        return Wanted::whole(Lead::Question, &format!("{text}{mark}"));
    }
    if let Some(found) = pattern!(r"(?i)^{frame.in_order_to} (?P<v>\S.*)$").captures(text)
        && pattern!(r"(?i)\b{frame.particle}\b").is_match(&found["v"])
    {
        return Wanted::duty(&found["v"], language);
    }
    if let Some(found) = pattern!(r"(?i)^{frame.before_work}(?:\s+|['’])").find(text)
        && starts_work(&text[found.end()..])
    {
        return Wanted::plain(&text[found.end()..]);
    }
    if is_known
        && let Some(found) =
            pattern!(r"(?i)^{frame.before_thing}\s*(?P<v>{frame.thing}[\s'’].*)$").captures(text)
    {
        return Wanted::plain(&found["v"]);
    }
    if pattern!(r"(?i)^{frame.wish}").is_match(text) {
        return Wanted::whole(Lead::Wish, text);
    }
    if is_situation(text) {
        return Wanted::whole(Lead::Situation, text);
    }
    if text.ends_with('?') && text.len() == whole.len() {
        return Wanted::whole(Lead::Question, text);
    }
    // "A cat" says nothing of what is to be done with one.
    if !is_known && !starts_work(text) && text.split_whitespace().count() <= BARE_WORDS {
        return Wanted::whole(Lead::Wish, text);
    }
    Wanted::plain(text)
}

/// Whether a sentence says how things are and asks for nothing.
fn is_situation(text: &str) -> bool {
    !starts_work(text)
        && pattern!(r"(?i)^(?:{frame.owner} (?:[\p{L}\p{N}'’-]+ ){1,4}?{frame.state}|(?:[\p{L}\p{N}'’-]+ ){1,5}?{frame.broken})(?:\s|$)")
            .is_match(text)
}

/// What a language says for a concept, English where it says nothing.
fn of(concept: &[(&str, &'static str)], language: &str) -> &'static str {
    let said = |tag: &str| concept.iter().find(|(known, _)| *known == tag).map(|(_, words)| *words);
    said(language).or_else(|| said("en")).unwrap_or_default()
}
