//! A clause of feedback, and what it is about.

use std::collections::HashSet;

use patterns::words;
use text::variables;

use super::{squeezed, values_in};
use crate::{Constraint, ConstraintKind as Kind, constraints};

/// Words by language, as the macro `words` gives them.
pub type Rows = [(&'static str, &'static str)];

/// What takes something out.
pub const DISMISS: &Rows = words!("asked.dismiss");
/// What adds something.
pub const ADDING: &Rows = words!("asked.adding");
/// What texts are measured in: it says something of a length beside a number only.
const UNITS: &Rows = words!("asked.units");
/// What is about a length.
pub const LENGTH: &Rows = words!("asked.length");
const TONE: &Rows = words!("asked.tone");
const AUDIENCE: &Rows = words!("asked.audience");
const LANGUAGE: &Rows = words!("asked.language");
const FORM: &Rows = words!("asked.form");
const WORDS: &Rows = words!("asked.words");
const EDGES: &Rows = words!("asked.edges");
const WRITING: &Rows = words!("asked.writing");
const ANSWERS: &Rows = words!("asked.answers");
/// Words that say nothing of what a clause is about.
const EMPTY: &Rows = words!("asked.empty");

/// What is said of style: it may change a length, a tone and a form alike.
pub const STYLE: [&Rows; 3] = [LENGTH, TONE, FORM];

/// What else a passage and a clause may both speak of.
pub const SUBJECTS: [&Rows; 6] = [AUDIENCE, LANGUAGE, WORDS, EDGES, WRITING, ANSWERS];

/// What feedback about a kind of constraint speaks of.
pub const fn topics(kind: Kind) -> &'static [&'static Rows] {
    match kind {
        Kind::WordCount | Kind::SentenceCount | Kind::ParagraphCount | Kind::CharacterCount => {
            &[LENGTH]
        }
        Kind::ItemCount | Kind::SectionCount => &[LENGTH, FORM],
        Kind::Tone => &[TONE],
        Kind::Audience => &[AUDIENCE],
        Kind::Language => &[LANGUAGE],
        Kind::Format | Kind::JsonSchema | Kind::TableColumns => &[FORM],
        Kind::IncludeWords | Kind::ExcludeWords => &[WORDS],
        Kind::StartsWith | Kind::EndsWith => &[EDGES],
        Kind::Lowercase | Kind::Uppercase => &[WRITING],
        Kind::Choice | Kind::NumberRange => &[ANSWERS],
    }
}

/// Whether one of these words is among those of a subject, in a language that is asked. `*` stands for any ending; ideographs stand anywhere.
pub fn has_one(words: &[String], rows: &Rows) -> bool {
    let asked = rows.iter().filter(|(tag, _)| patterns::asks(tag));
    let known: Vec<&str> = asked.flat_map(|(_, all)| all.split_whitespace()).collect();
    budget::spend(words.len() * known.len() / 4);
    words.iter().any(|word| {
        known.iter().any(|entry| match entry.strip_suffix('*') {
            Some(beginning) => word.starts_with(beginning),
            None if entry.starts_with(is_ideograph) => word.contains(entry),
            None => word == entry,
        })
    })
}

fn is_ideograph(c: char) -> bool {
    c >= '\u{2e80}'
}

/// A clause with what is compared of it.
pub struct Clause<'a> {
    pub text: &'a str,
    pub squeezed: String,
    pub words: Vec<String>,
    /// The beginnings of its words that say something.
    pub stems: HashSet<String>,
    /// What its numbers can mean.
    pub numbers: HashSet<String>,
    /// The names of its `{{variables}}`.
    pub variables: HashSet<String>,
    kinds: HashSet<Kind>,
}

impl<'a> Clause<'a> {
    pub fn of(text: &'a str) -> Self {
        let words: Vec<String> = words(text).collect();
        let spelled = words.iter().filter_map(|word| constraints::number_of(word));
        let spelled: Vec<String> = spelled.map(|number| number.to_string()).collect();
        let kinds = constraints::of(text).into_iter().map(|one| one.kind).collect();
        Self {
            text,
            squeezed: squeezed(text),
            stems: telling(text),
            numbers: values_in(text).into_iter().chain(spelled).collect(),
            variables: variables::find(text).iter().map(|found| squeezed(found.name)).collect(),
            words,
            kinds,
        }
    }

    /// Whether it has one of the words of a subject.
    pub fn speaks_of(&self, rows: &Rows) -> bool {
        let measures = || !self.numbers.is_empty() && has_one(&self.words, UNITS);
        has_one(&self.words, rows) || rows == LENGTH && measures()
    }

    /// Whether it states another constraint of its kind, or has its number or all its words.
    pub fn names(&self, one: &Constraint) -> bool {
        let is_number = |stem: &String| stem.contains(|c: char| c.is_ascii_digit());
        self.kinds.contains(&one.kind)
            || super::constraints::has_words(one, std::slice::from_ref(&self.stems))
            || stems(&one.quote).any(|stem| is_number(&stem) && self.numbers.contains(&stem))
    }

    /// Whether it has all words of a name.
    pub fn has_all(&self, name: &str) -> bool {
        let mut parts = words(name).peekable();
        parts.peek().is_some() && parts.all(|word| self.words.contains(&word))
    }

    /// Whether it shares a word that says something.
    pub fn shares(&self, stems: &HashSet<String>) -> bool {
        budget::spend(stems.len() + self.stems.len());
        stems.iter().any(|stem| {
            self.stems.contains(stem)
                || self.stems.iter().any(|known| known.starts_with(stem.as_str()))
                || (SHORTEST..stem.len()).any(|end| {
                    stem.get(..end).is_some_and(|beginning| self.stems.contains(beginning))
                })
        })
    }
}

/// Letters of a word that says something, and of those that are compared of it.
const SHORTEST: usize = 4;
const STEM: usize = 5;

/// The words of a text, in lower case.
pub fn words(text: &str) -> impl Iterator<Item = String> {
    let inside = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '’');
    let parts = text.split(move |c: char| !inside(c)).filter(|word| !word.is_empty());
    parts.map(|word| word.to_lowercase().replace('’', "'"))
}

/// The beginnings of the words of a text that say something, and its numbers.
pub fn stems(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| {
            word.chars().nth(SHORTEST - 1).is_some()
                || word.contains(|c: char| c.is_ascii_digit() || is_ideograph(c))
        })
        .map(|word| word.to_lowercase().chars().take(STEM).collect())
}

/// The same without numbers and words that nearly every prompt and feedback has.
pub fn telling(text: &str) -> HashSet<String> {
    let tells = |word: &str| {
        word.chars().nth(SHORTEST - 1).is_some()
            && !word.contains(|c: char| c.is_ascii_digit())
            && !has_one(&[word.to_lowercase()], EMPTY)
    };
    let words = text.split(|c: char| !c.is_alphanumeric());
    let (unspaced, spaced): (Vec<&str>, Vec<&str>) =
        words.partition(|word| word.contains(is_ideograph));
    let stems = spaced.into_iter().filter(|word| tells(word));
    let stems = stems.map(|word| word.to_lowercase().chars().take(STEM).collect());
    stems.chain(unspaced.into_iter().flat_map(pairs)).collect()
}

/// The pairs of ideographs of a text without spaces.
fn pairs(text: &str) -> Vec<String> {
    let signs: Vec<char> = text.chars().collect();
    let is_content = |c: &char| ('\u{30a0}'..'\u{a000}').contains(c);
    signs
        .windows(2)
        .filter(|pair| pair.iter().all(is_content))
        .map(|pair| pair.iter().collect())
        .collect()
}
