//! Which constraints a remark speaks of.

use std::collections::HashSet;

use patterns::{Pattern, pattern};

use crate::ConstraintKind::{self as Kind, Audience, CodeLanguage, Format, Language, Tone};
use crate::{Constraint, ConstraintParameters as Parameters, constraints};

const LENGTH: Pattern = pattern!(r"(?i){integrity.about_length}");
const TONE: Pattern = pattern!(r"(?i){integrity.about_tone}");
const AUDIENCE: Pattern = pattern!(r"(?i){integrity.about_audience}");
const LANGUAGE: Pattern = pattern!(r"(?i){integrity.about_language}");
const FORM: Pattern = pattern!(r"(?i){integrity.about_form}");
const WORDS: Pattern = pattern!(r"(?i){integrity.about_words}");
const EDGES: Pattern = pattern!(r"(?i){integrity.about_edges}");
const WRITING: Pattern = pattern!(r"(?i){integrity.about_writing}");
const ANSWERS: Pattern = pattern!(r"(?i){integrity.about_answers}");

/// What remarks about a kind of constraint have.
const fn topics(kind: Kind) -> &'static [Pattern] {
    match kind {
        Kind::WordCount | Kind::SentenceCount | Kind::ParagraphCount | Kind::CharacterCount => {
            &[LENGTH]
        }
        Kind::ItemCount | Kind::SectionCount => &[LENGTH, FORM],
        Kind::Tone => &[TONE],
        Kind::Audience => &[AUDIENCE],
        Kind::Language => &[LANGUAGE],
        Kind::Format
        | Kind::Separator
        | Kind::HighlightCount
        | Kind::PlaceholderCount
        | Kind::QuotationMarks
        | Kind::JsonSchema
        | Kind::HeadingCount
        | Kind::CodeLanguage
        | Kind::TableColumns => &[FORM],
        Kind::Title => &[FORM, EDGES],
        Kind::IncludeWords | Kind::ExcludeWords | Kind::WordFrequency | Kind::LetterFrequency => {
            &[WORDS]
        }
        Kind::StartsWith | Kind::ParagraphStart | Kind::EndsWith | Kind::Postscript => &[EDGES],
        Kind::NoCommas | Kind::Lowercase | Kind::Uppercase | Kind::CapitalWordFrequency => {
            &[WRITING]
        }
        Kind::Choice | Kind::ResponseCount | Kind::RepeatRequest | Kind::NumberRange => &[ANSWERS],
    }
}

/// What a remark says of constraints.
pub struct Remark<'a> {
    text: &'a str,
    stems: HashSet<String>,
    words: HashSet<String>,
    kinds: HashSet<Kind>,
}

impl<'a> Remark<'a> {
    pub fn of(text: &'a str) -> Self {
        let named = |kind: &Kind| topics(*kind).iter().any(|topic| topic.is_match(text));
        let stated = constraints::of(text).into_iter().map(|one| one.kind);
        let kinds = Kind::ALL.iter().copied().filter(named).chain(stated).collect();
        Self { text, stems: stems(text).collect(), words: words(text).collect(), kinds }
    }

    /// Whether it speaks of what a constraint bounds: by its words, by its kind, by another one of its kind.
    pub fn names(&self, one: &Constraint) -> bool {
        let is_number = |stem: &String| stem.contains(|c: char| c.is_ascii_digit());
        !self.text.trim().is_empty()
            && (self.kinds.contains(&one.kind)
                || has_words(one, std::slice::from_ref(&self.stems))
                || stems(&one.quote).any(|stem| is_number(&stem) && self.stems.contains(&stem)))
    }

    /// Whether it has all words of one of these names.
    pub fn names_any<'n>(&self, mut names: impl Iterator<Item = &'n String>) -> bool {
        let has = |word: String| self.words.contains(&word);
        names.any(|name| words(name).next().is_some() && words(name).all(has))
    }
}

/// The words of a text, in lower case.
pub fn words(text: &str) -> impl Iterator<Item = String> {
    let parts = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    parts.map(str::to_lowercase)
}

/// The beginnings of the words of a text that say something, and its numbers.
pub fn stems(text: &str) -> impl Iterator<Item = String> {
    const LONG: usize = 4;
    const STEM: usize = 5;
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| {
            word.chars().nth(LONG - 1).is_some()
                || word.contains(|c: char| c.is_ascii_digit() || c > '\u{2e80}')
        })
        .map(|word| word.to_lowercase().chars().take(STEM).collect())
}

/// Whether one of the parts of a text, given by their stems, has the words that a constraint cannot do without.
pub fn has_words(one: &Constraint, parts: &[HashSet<String>]) -> bool {
    let needed: HashSet<String> = match &one.parameters {
        Parameters::Words(list) => list.words.iter().flat_map(|word| stems(word)).collect(),
        Parameters::Text(edge) => stems(&edge.text).collect(),
        Parameters::Value(named)
            if matches!(one.kind, Language | Format | Tone | Audience | CodeLanguage) =>
        {
            stems(named.value.as_deref().unwrap_or_default()).collect()
        }
        _ => stems(&one.quote).collect(),
    };
    budget::spend(needed.len() + parts.len());
    !needed.is_empty() && parts.iter().any(|known| needed.is_subset(known))
}
