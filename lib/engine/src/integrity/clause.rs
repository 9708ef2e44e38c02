//! A clause of feedback, and what it is about.

use std::collections::HashSet;

use patterns::words;
use text::is_unspaced;

use super::numbers::values_in;
use super::squeezed;
use crate::{Constraint, ConstraintKind as Kind, constraints};

/// Words by language, as the macro `words` gives them.
pub type Rows = [(&'static str, &'static str)];

/// Words that say nothing of what a clause is about.
const EMPTY: &Rows = words!("asked.empty");

/// Letters of a word that says something, and of those that are compared of it.
const SHORTEST: usize = 4;
const STEM: usize = 5;

/// Whether one of these words is among those of a subject, in a language that is asked. `*` stands for any ending;
/// ideographs stand anywhere.
pub fn has_one(words: &[String], rows: &Rows) -> bool {
    let asked = rows.iter().filter(|(tag, _)| patterns::asks(tag));
    let known: Vec<&str> = asked.flat_map(|(_, all)| all.split_whitespace()).collect();
    budget::spend(words.len() * known.len() / 4);
    words.iter().any(|word| {
        known.iter().any(|entry| match entry.strip_suffix('*') {
            Some(beginning) => word.starts_with(beginning),
            None if entry.starts_with(is_unspaced) => word.contains(entry),
            None => word == entry,
        })
    })
}

/// A clause with what is compared of it.
pub struct Clause<'a> {
    pub text: &'a str,
    pub squeezed: String,
    /// What its numbers can mean.
    pub numbers: HashSet<String>,
    words: Vec<String>,
    /// The beginnings of its words that say something.
    stems: HashSet<String>,
    kinds: HashSet<Kind>,
}

impl<'a> Clause<'a> {
    pub fn of(text: &'a str) -> Self {
        let words: Vec<String> = words(text).collect();
        let spelled = words.iter().filter_map(|word| constraints::number_of(word));
        let spelled: Vec<String> = spelled.map(|number| number.to_string()).collect();
        Self {
            text,
            squeezed: squeezed(text),
            numbers: values_in(text).into_iter().chain(spelled).collect(),
            words,
            stems: telling(text),
            kinds: constraints::of(text).into_iter().map(|one| one.kind).collect(),
        }
    }

    /// Whether it has one of the words of a subject.
    pub fn speaks_of(&self, rows: &Rows) -> bool {
        has_one(&self.words, rows)
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
        budget::spend(stems.len() * self.stems.len());
        let alike = |one: &str, other: &str| one.starts_with(other) || other.starts_with(one);
        stems.iter().any(|stem| self.stems.iter().any(|known| alike(stem, known)))
    }
}

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
                || word.contains(|c: char| c.is_ascii_digit() || is_unspaced(c))
        })
        .map(|word| word.to_lowercase().chars().take(STEM).collect())
}

/// The same without numbers and words that nearly every prompt and feedback has; of a text without spaces, each two
/// ideographs.
pub fn telling(text: &str) -> HashSet<String> {
    let mut found = HashSet::new();
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        let signs: Vec<char> = word.to_lowercase().chars().collect();
        if word.contains(is_unspaced) {
            let is_content = |c: &char| ('\u{30a0}'..'\u{a000}').contains(c);
            let pairs = signs.windows(2).filter(|pair| pair.iter().all(is_content));
            found.extend(pairs.map(String::from_iter));
        } else if signs.len() >= SHORTEST
            && !signs.iter().any(char::is_ascii_digit)
            && !has_one(&[String::from_iter(&signs)], EMPTY)
        {
            found.insert(signs[..signs.len().min(STEM)].iter().collect());
        }
    }
    found
}
