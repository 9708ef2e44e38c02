//! The sentences of a prompt that ask for something: orders, questions, polite wishes, whether they stand in
//! running text, in tags or as values of a JSON object, and with or without a slip of the pen.

use super::lexicon;
use super::source::{Source, Word};
use crate::imperative;
use engine::{TargetModel, tokens};
use patterns::{pattern, words};

/// Sentences in which a request is looked for, from the beginning and from the end.
const SEARCHED: (usize, usize) = (150, 20);

/// Values of an object in a sentence, and words of a value, that are looked at.
const MOST_VALUES: usize = 40;
const WORDS_OF_VALUE: usize = 12;

/// The sentences that ask for something, by number.
pub fn of(source: &Source<'_>) -> Vec<usize> {
    let count = source.sentences.len();
    let late = count.saturating_sub(SEARCHED.1).max(SEARCHED.0);
    (0..count.min(SEARCHED.0)).chain(late..count).filter(|number| asks(source, *number)).collect()
}

fn asks(source: &Source<'_>, number: usize) -> bool {
    let sentence = &source.sentences[number];
    let whole = source.prose_of(sentence.span);
    let text = untagged(whole);
    let start = sentence.span.start + (whole.len() - text.len());
    let words = source.words_of(sentence);
    let words = &words[words.partition_point(|word| word.span.start < start)..];
    if words.is_empty() {
        return false;
    }
    if !lexicon::knows(source.language) {
        return text.chars().filter(|c| c.is_alphanumeric()).count() >= 4;
    }
    if source.mask.is_object {
        return values(source, words).take(MOST_VALUES).any(|value| {
            let own = &value[..value.len().min(WORDS_OF_VALUE)];
            let end = own.last().map_or(sentence.span.end, |word| word.span.end);
            let text = source.prose[own[0].span.start..end].split('"').next().unwrap_or_default();
            let own = &own
                [..own.partition_point(|word| word.span.start < own[0].span.start + text.len())];
            begins(source.language, own, text)
                || is_polite(text)
                || misspells_order(source.language, own)
        });
    }
    begins(source.language, words, text)
        || is_polite(text)
        || misspells_order(source.language, words)
}

/// The words from the beginning of each value of an object on; its keys ask for nothing.
fn values<'w>(source: &'w Source<'_>, words: &'w [Word]) -> impl Iterator<Item = &'w [Word]> {
    (0..words.len()).map(|at| &words[at..]).filter(|value| {
        let before = source.prose[..value[0].span.start].trim_end();
        let is_key = || {
            let behind = source.prose[value[0].span.start..].split_once('"');
            behind.is_some_and(|(_, rest)| rest.trim_start().starts_with(':'))
        };
        before.ends_with('"')
            && before.trim_end_matches('"').trim_end().ends_with([':', '[', ','])
            && !is_key()
    })
}

/// Whether a text begins like a request.
fn begins(language: &str, words: &[Word], text: &str) -> bool {
    if language == "en" {
        return imperative::is_request(text)
            || clauses(text, words).any(|clause| lexicon::begins_request("en", lower(clause)));
    }
    text.ends_with('?')
        || lexicon::begins_request(language, lower(words))
        || clauses(text, words)
            .skip(1)
            .any(|clause| lexicon::begins_request(language, lower(clause).take(1)))
}

/// The words in small letters.
fn lower(words: &[Word]) -> impl Iterator<Item = &str> {
    words.iter().map(|word| word.lower.as_str())
}

/// The text behind the tags that it begins with.
fn untagged(text: &str) -> &str {
    pattern!(r"^(?:\s*</?[A-Za-z][\w-]{0,60}(?: [^<>\n]{0,120})?/?>)+\s*")
        .find(text)
        .map_or(text, |tags| &text[tags.end()..])
}

/// Wishes that name the work behind a courtesy.
fn is_polite(text: &str) -> bool {
    pattern!(r"(?i)(?-u:\b){analyze_requests.wish}(?-u:\b)")
        .is_match(text)
        || pattern!(r"(?i)(?-u:\b){analyze_requests.could} {analyze_requests.pronoun}(?-u:\b)|(?-u:\b){analyze_requests.could_you}(?-u:\b)|(?-u:\b){analyze_requests.would_be_nice}|(?-u:\b){analyze_requests.i_want}(?-u:\b)|(?-u:\b){analyze_requests.your_task}")
            .is_match(text)
        || pattern!(r"(?i)(?-u:\b){analyze_requests.wish_or_question}(?-u:\b)")
            .is_match(text)
}

/// Letters of a verb from which on a slip leaves it recognisable, and from which on two of them do.
const RECOGNISABLE: (usize, usize) = (5, 8);

/// Whether the sentence begins with a misspelt order: "sumarize", "anaylze", "wirte".
fn misspells_order(language: &str, words: &[Word]) -> bool {
    let slips = |word: &Word| {
        let length = word.lower.chars().count();
        length >= RECOGNISABLE.0 - 1
            && length <= 20
            && lexicon::orders(language).any(|order| is_slip(&word.lower, order))
            && !is_common(&word.lower)
    };
    let courtesy = |word: &Word| {
        words!("analyze_requests.courtesy")
            .iter()
            .flat_map(|(_, words)| words.split(' '))
            .any(|known| distance(&word.lower, known) <= 1)
    };
    match words {
        [first, second, ..] if courtesy(first) => {
            slips(second) || lexicon::is_order(language, &second.lower)
        }
        [first, _, ..] => slips(first),
        _ => false,
    }
}

/// Whether `word` is `order` with a slip of the pen.
fn is_slip(word: &str, order: &str) -> bool {
    let length = order.chars().count();
    length >= RECOGNISABLE.0
        && word.chars().next() == order.chars().next()
        && (1..=if length >= RECOGNISABLE.1 { 2 } else { 1 }).contains(&distance(word, order))
}

/// Whether a word is so common that the tokenizer has it whole: "white" is no slip of "write".
fn is_common(word: &str) -> bool {
    tokens::estimate(&format!(" {word}"), TargetModel::default()).input <= 1
}

/// Insertions, deletions, replacements and exchanges of neighbours that make one word of the other: the optimal
/// string alignment distance (Damerau, 1964, with no piece edited twice).
fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    if one.len().abs_diff(other.len()) > 2 {
        return usize::MAX;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for (row, letter) in one.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, own) in other.iter().enumerate() {
            let mut least = (last[column] + usize::from(letter != own))
                .min(last[column + 1] + 1)
                .min(current[column] + 1);
            if row > 0 && column > 0 && *letter == other[column - 1] && one[row - 1] == *own {
                least = least.min(before[column - 1] + 1);
            }
            current.push(least);
        }
        before = std::mem::replace(&mut last, current);
    }
    last[other.len()]
}

/// The words from the beginning of a sentence, and from behind its first commas and colons.
fn clauses<'w>(text: &'w str, words: &'w [Word]) -> impl Iterator<Item = &'w [Word]> {
    let start = words.first().map_or(0, |word| word.span.start);
    let lead = text.find(|c: char| c.is_alphanumeric()).unwrap_or(0);
    let joints = text
        .match_indices([',', ':'])
        .take(6)
        .map(move |(at, _)| (start + at).saturating_sub(lead));
    std::iter::once(0)
        .chain(joints)
        .map(|at| &words[words.partition_point(|word| word.span.start < at)..])
}
