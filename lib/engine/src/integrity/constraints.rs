//! What became of the constraints of a prompt.

use std::collections::HashSet;

use patterns::{Pattern, pattern};

use super::{MOST_SEARCHES, Waiver, squeezed};
use crate::ConstraintKind::{self as Kind, Audience, Format, Language, Tone};
use crate::{
    ComparedConstraint, Constraint, ConstraintIntegrity, ConstraintParameters as Parameters,
    CountParameters, constraints,
};

/// Compares the constraints of two prompts, and tells whether all of the original's are kept but those
/// that the remark speaks of.
///
/// A constraint is kept if the new prompt states the same or a stricter one. One that is not read there
/// again, because it is worded in another way, is not missed as long as its words stand together.
pub fn compare(
    original: &str,
    rewritten: &str,
    waiver: &Waiver<'_>,
) -> (ConstraintIntegrity, bool) {
    let (old, new) = (constraints::of(original), constraints::of(rewritten));
    let mut result = ConstraintIntegrity::default();
    let mut passed = true;
    if old.is_empty() {
        return (result, passed);
    }
    let words: Vec<HashSet<String>> =
        rewritten.split(['.', '!', '?', ';', '\n']).map(|part| stems(part).collect()).collect();
    let (text, added) = (squeezed(&rewritten.to_lowercase()), unmatched(&new, &old));
    let (remark, mut searches) = (Remark::of(waiver.text), 0);
    for one in &old {
        let quote = squeezed(&one.quote.to_lowercase());
        let same = new.iter().find(|other| holds(other, one, &new));
        let loose = || added.iter().copied().find(|other| other.kind == one.kind);
        let around = |other: &&Constraint| squeezed(&other.quote.to_lowercase()).contains(&quote);
        let mut stands = |rule: &dyn Fn() -> bool| {
            searches += 1;
            searches <= MOST_SEARCHES && rule()
        };
        let requested = remark.names(one);
        let named = |new_quote: Option<&str>| ComparedConstraint {
            id: one.id.clone(),
            kind: one.kind,
            quote: one.quote.clone(),
            new_quote: new_quote.map(str::to_owned),
            requested,
        };
        if let Some(same) = same {
            let is_stricter = !holds(one, same, &old);
            let list = if is_stricter { &mut result.tightened } else { &mut result.kept };
            list.push(named(Some(&same.quote)));
        } else if loose().filter(around).is_none() && stands(&|| text.contains(&quote)) {
            result.kept.push(named(Some(&one.quote)));
        } else if let Some(other) = loose() {
            passed &= requested;
            result.loosened.push(named(Some(&other.quote)));
        } else if stands(&|| words.iter().any(|part| has_words(part, one))) {
            result.kept.push(named(None));
        } else {
            passed &= requested;
            result.lost.push(named(None));
        }
    }
    (result, passed)
}

/// The constraints that say the same as none of the others.
fn unmatched<'a>(all: &'a [Constraint], others: &[Constraint]) -> Vec<&'a Constraint> {
    all.iter().filter(|one| !others.iter().any(|other| holds(one, other, all))).collect()
}

/// Whether who obeys `new` obeys `old`; `all` are the constraints beside `new`.
fn holds(new: &Constraint, old: &Constraint, all: &[Constraint]) -> bool {
    if new.kind != old.kind {
        return false;
    }
    match (&new.parameters, &old.parameters) {
        (Parameters::Count(new), Parameters::Count(old)) => {
            let ((least, most), (low, high)) = (new.bounds(), old.bounds());
            alike(new, old) && low <= least && most <= high
        }
        // Words may stand in several lists.
        (Parameters::Words(_), Parameters::Words(wanted)) => wanted.words.iter().all(|word| {
            all.iter().filter(|other| other.kind == old.kind).any(|other| {
                let Parameters::Words(known) = &other.parameters else { return false };
                known.words.iter().any(|other| same(other, word))
            })
        }),
        (Parameters::Text(new), Parameters::Text(old)) => {
            new.paragraph == old.paragraph && same(&new.text, &old.text)
        }
        (Parameters::Value(new), Parameters::Value(wanted)) => match (&new.value, &wanted.value) {
            (_, None) => true,
            (Some(new), Some(wanted)) if matches!(old.kind, Tone | Audience) => {
                let wanted: HashSet<String> = stems(wanted).collect();
                wanted.is_subset(&stems(new).collect())
            }
            (Some(new), Some(wanted)) => same(new, wanted),
            (None, Some(_)) => false,
        },
        (Parameters::None(_), Parameters::None(_)) => true,
        _ => false,
    }
}

fn same(one: &str, other: &str) -> bool {
    squeezed(&one.to_lowercase()) == squeezed(&other.to_lowercase())
}

/// Whether two numbers count the same thing.
fn alike(new: &CountParameters, old: &CountParameters) -> bool {
    match (&new.of, &old.of) {
        (Some(new), Some(old)) => {
            let known: HashSet<String> = stems(new).collect();
            same(new, old) || stems(old).any(|stem| known.contains(&stem))
        }
        _ => true,
    }
}

/// The beginnings of the words of a text that say something, and its numbers.
fn stems(text: &str) -> impl Iterator<Item = String> {
    const LONG: usize = 4;
    const STEM: usize = 5;
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| {
            word.chars().nth(LONG - 1).is_some()
                || word.contains(|c: char| c.is_ascii_digit() || c > '\u{2e80}')
        })
        .map(|word| word.to_lowercase().chars().take(STEM).collect())
}

/// Whether a sentence has the words that a constraint cannot do without.
fn has_words(sentence: &HashSet<String>, one: &Constraint) -> bool {
    let needed: HashSet<String> = match &one.parameters {
        Parameters::Words(list) => list.words.iter().flat_map(|word| stems(word)).collect(),
        Parameters::Text(edge) => stems(&edge.text).collect(),
        Parameters::Value(named) if matches!(one.kind, Language | Format | Tone | Audience) => {
            stems(named.value.as_deref().unwrap_or_default()).collect()
        }
        _ => stems(&one.quote).collect(),
    };
    !needed.is_empty() && needed.is_subset(sentence)
}

/// What remarks call the kinds of constraints.
const TOPICS: [(Pattern, &[Kind]); 8] = [
    (
        pattern!(r"(?i){integrity.about_length}"),
        &[
            Kind::WordCount,
            Kind::SentenceCount,
            Kind::ParagraphCount,
            Kind::CharacterCount,
            Kind::ItemCount,
            Kind::SectionCount,
        ],
    ),
    (pattern!(r"(?i){integrity.about_tone}"), &[Tone]),
    (pattern!(r"(?i){integrity.about_audience}"), &[Audience]),
    (pattern!(r"(?i){integrity.about_language}"), &[Language]),
    (
        pattern!(r"(?i){integrity.about_form}"),
        &[
            Format,
            Kind::ItemCount,
            Kind::SectionCount,
            Kind::Separator,
            Kind::HighlightCount,
            Kind::PlaceholderCount,
            Kind::Title,
            Kind::QuotationMarks,
        ],
    ),
    (
        pattern!(r"(?i){integrity.about_words}"),
        &[Kind::IncludeWords, Kind::ExcludeWords, Kind::WordFrequency, Kind::LetterFrequency],
    ),
    (
        pattern!(r"(?i){integrity.about_edges}"),
        &[Kind::StartsWith, Kind::ParagraphStart, Kind::EndsWith, Kind::Postscript, Kind::Title],
    ),
    (
        pattern!(r"(?i){integrity.about_writing}"),
        &[Kind::NoCommas, Kind::Lowercase, Kind::Uppercase, Kind::CapitalWordFrequency],
    ),
];

/// What a remark says of constraints.
struct Remark<'a> {
    text: &'a str,
    stems: HashSet<String>,
    kinds: HashSet<Kind>,
}

impl<'a> Remark<'a> {
    fn of(text: &'a str) -> Self {
        let named = TOPICS.iter().filter(|(topic, _)| topic.is_match(text));
        let named = named.flat_map(|(_, kinds)| kinds.iter().copied());
        let kinds = named.chain(constraints::of(text).iter().map(|one| one.kind)).collect();
        Self { text, stems: stems(text).collect(), kinds }
    }

    /// Whether it speaks of what a constraint bounds: by its words, by its kind, by another one of its kind.
    fn names(&self, one: &Constraint) -> bool {
        let is_number = |stem: &String| stem.contains(|c: char| c.is_ascii_digit());
        !self.text.trim().is_empty()
            && (self.kinds.contains(&one.kind)
                || has_words(&self.stems, one)
                || stems(&one.quote).any(|stem| is_number(&stem) && self.stems.contains(&stem)))
    }
}
