//! What makes the content what it is, once: the description, the key elements and the prompt say it from here.

use super::findings::Findings;
use super::found::Found;
use super::result::hundredths;
use super::wording::{Words, said};
use engine::KeyElement;
use text::variables;

/// Where a trait is said beside the key elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Among the facts that the prompt gives.
    Context,
    /// Among what the prompt requires.
    Requirement,
    /// Behind the shape of the answer.
    Output,
}

/// How a trait is said: its category, the English sentence, whether the description has it, and its place in the
/// prompt.
type Saying = (&'static str, &'static str, bool, Option<Place>);

/// What is said of traits beside the key elements; `{1}` stands for the value.
const SAYINGS: [Saying; 13] = [
    ("format", said("Kind of text: {1}."), true, None),
    ("topic", said("Topic: {1}."), true, None),
    ("audience", said("Readers: {1}."), true, Some(Place::Context)),
    ("programming_language", said("Programming language: {1}."), true, Some(Place::Context)),
    ("length", said("Length: {1}."), true, Some(Place::Requirement)),
    ("tone", said("Tone: {1}."), true, Some(Place::Requirement)),
    ("register", said("Register: {1}."), false, Some(Place::Requirement)),
    ("point_of_view", said("Point of view: {1}."), false, Some(Place::Requirement)),
    ("tense", said("Tense: mainly {1}."), false, Some(Place::Requirement)),
    ("reading_level", said("Reading level: {1}."), false, Some(Place::Requirement)),
    ("language", said("Language: {1}."), true, None),
    ("formatting", said("Formatting: {1}."), true, Some(Place::Output)),
    ("devices", said("Use these devices: {1}."), false, Some(Place::Requirement)),
];

/// One thing that makes the content what it is.
#[derive(Debug)]
pub struct Trait {
    /// What it is about, as results name it.
    pub category: &'static str,
    /// What it is, in the language of the result; empty if it has none.
    pub value: String,
    /// How sure that is, 0 to 1.
    confidence: f64,
    /// Its sentence, in the language of the result.
    pub sentence: String,
    /// Whether the description says it.
    described: bool,
    /// Where the prompt says it.
    pub place: Option<Place>,
}

/// All traits of the content, in the order in which they are said.
pub fn of(findings: &Findings, words: &Words) -> Vec<Trait> {
    let evidence = (findings.counts.words as f64 / 200.0).min(1.0);
    let certainty = findings.certainty;
    let (voice, document) = (&findings.voice, &findings.document);
    let named = |name: Option<&str>| name.map(|name| words.name(name)).unwrap_or_default();
    let (readers, told) = findings.readers;
    let readers_sure = if told { 0.75 } else { 0.3 + 0.3 * certainty };
    let register_sure = if voice.register == Some("neutral") { 0.5 } else { 0.7 };
    let programming = findings.programming_language.unwrap_or_default().to_owned();
    let language = document.language.as_deref().map(|tag| words.language(tag));
    let calls = if findings.calls { findings.actions.join(", ") } else { String::new() };
    let commands = match document.commands {
        0 => String::new(),
        count => {
            let count = count.to_string();
            words.say("sentences that command a language model: {1}", &[&count])
        }
    };
    // Whether it is said of data and programs, too.
    let list = [
        (true, "format", words.label(&findings.genre.name), 0.3 + 0.65 * certainty),
        (true, "topic", findings.topics.join(", "), 0.5 + 0.3 * evidence),
        (true, "audience", words.name(readers), readers_sure),
        (true, "programming_language", programming, 0.85),
        (true, "length", size(findings, words), 0.95),
        (false, "tone", words.list(&voice.tones), 0.4 + 0.35 * evidence),
        (false, "register", named(voice.register), register_sure),
        (false, "point_of_view", named(voice.person), 0.55 + 0.3 * evidence),
        (false, "tense", named(voice.tense), 0.5 + 0.2 * evidence),
        (false, "reading_level", named(findings.counts.level()), 0.7),
        (false, "language", language.unwrap_or_default(), 0.6 + 0.35 * evidence),
        (true, "formatting", words.list(&findings.formatting), 0.9),
        (true, "devices", words.list(&findings.devices), 0.75),
        (true, "call_to_action", calls, 0.85),
        (true, "variables", findings.variables.join(", "), 0.95),
        (true, "embedded_instructions", commands, 0.9),
    ];
    let meant = list.into_iter().filter(|(always, ..)| *always || findings.speaks());
    let mut list = said_of(meant.map(|(_, category, value, sure)| (category, value, sure)), words);
    if document.page {
        list[0].sentence = words.say("Kind of page: {1}.", &[&list[0].value]);
    }
    list
}

/// The traits of a text that is a prompt itself.
pub fn of_prompt(own: &Found, findings: &Findings, words: &Words) -> Vec<Trait> {
    let name = if own.visual { said("an image prompt") } else { said("a prompt") };
    let variables = variables::find(&own.prompt);
    let variables: Vec<&str> = variables.iter().map(|found| found.name).collect();
    let list = [
        ("format", words.label(name), 0.95),
        ("variables", variables.join(", "), 0.95),
        ("exclusions", own.negative.clone().unwrap_or_default(), 0.95),
    ];
    let mut list = said_of(list.into_iter(), words);
    for mut other in of(findings, words) {
        let length = other.category == "length";
        let known = list.iter().any(|known| known.category == other.category);
        if !known && (length || !own.visual) {
            other.described &= length;
            list.push(other);
        }
    }
    list
}

/// Those that have a value, with their sentences.
fn said_of(list: impl Iterator<Item = (&'static str, String, f64)>, words: &Words) -> Vec<Trait> {
    let having = list.filter(|(_, value, _)| !value.is_empty());
    let one = |(category, value, confidence): (&'static str, String, f64)| {
        let saying = SAYINGS.iter().find(|(known, ..)| *known == category);
        let sentence = saying.map(|(_, english, ..)| words.say(english, &[&value]));
        Trait {
            category,
            sentence: sentence.unwrap_or_default(),
            described: saying.is_some_and(|(.., described, _)| *described),
            place: saying.and_then(|(.., place)| *place),
            confidence: hundredths(confidence),
            value,
        }
    };
    having.map(one).collect()
}

/// What was sent, in a few sentences.
pub fn description(traits: &[Trait]) -> String {
    let described = traits.iter().filter(|one| one.described);
    described.map(|one| one.sentence.as_str()).collect::<Vec<_>>().join(" ")
}

/// What makes the content what it is, the surest first.
pub fn key_elements(traits: &[Trait]) -> Vec<KeyElement> {
    let element = |one: &Trait| KeyElement {
        category: one.category.to_owned(),
        value: one.value.clone(),
        confidence: one.confidence,
    };
    let mut list: Vec<KeyElement> = traits.iter().map(element).collect();
    list.sort_by(|one, other| other.confidence.total_cmp(&one.confidence));
    list
}

/// The length in words, in characters or in lines.
fn size(findings: &Findings, words: &Words) -> String {
    let counts = &findings.counts;
    if !findings.speaks() || findings.verse {
        return match counts.lines {
            1 => words.name("one line"),
            lines => words.say("about {1} lines", &[&lines.to_string()]),
        };
    }
    let count = round(counts.words).to_string();
    match (counts.in_characters, counts.paragraphs) {
        (true, _) => words.say("about {1} characters", &[&count]),
        (false, 0 | 1) => words.say("about {1} words", &[&count]),
        (false, paragraphs) => {
            words.say("about {1} words in {2} paragraphs", &[&count, &paragraphs.to_string()])
        }
    }
}

/// A number as people say it: to two figures, and to fives below a hundred.
fn round(number: usize) -> usize {
    match number {
        0..=9 => number,
        10..=99 => (number + 2) / 5 * 5,
        _ => {
            let unit = 10_usize.pow(number.ilog10().saturating_sub(1));
            (number + unit / 2) / unit * unit
        }
    }
}
