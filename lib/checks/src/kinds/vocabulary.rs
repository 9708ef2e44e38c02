//! Which words occur, and how often.

use std::ops::Range;

use engine::CountParameters;
use memchr::memmem;
use patterns::{Pattern, pattern, table, words};

use super::emoji;
use super::judgement::Judgement;
use super::letters::hashtags;
use crate::output::{LineKind, Output, is_unspaced, is_word, lowered};
use crate::{Inflection, Options, Reason};

/// Endings of words by language.
const ENDINGS: &[(&str, &str)] = words!("check_words.endings");
/// Endings that words of three letters have, too.
const SHORT_ENDINGS: &[(&str, &str)] = words!("check_words.short_endings");
/// Shortest word that takes all endings, in characters.
const LONG: usize = 4;

/// The endings of a language.
fn endings(rows: &'static [(&str, &'static str)], language: &str) -> &'static str {
    rows.iter().find(|(known, _)| *known == language).map_or("", |(_, endings)| endings)
}

/// What prompts forbid by a name that stands for many words or signs.
const CLASSES: &[(&str, Pattern)] = table!("check_classes", r"(?i)^{}$");

/// Whether a program can decide that an answer has none of the words: not of those that stand for what is meant by
/// them, such as jargon.
pub fn is_executable(words: &[String], quote: &str) -> bool {
    words.iter().any(|word| !matches!(meaning(word, quote), Meaning::Unknown))
}

/// Whether all words are meant as they are written.
pub fn are_literal(words: &[String], quote: &str) -> bool {
    words.iter().all(|word| matches!(meaning(word, quote), Meaning::Word))
}

/// What is forbidden by a word.
enum Meaning {
    /// The word itself.
    Word,
    /// What is called so.
    Class(&'static str),
    /// Something that no program tells.
    Unknown,
}

fn meaning(word: &str, quote: &str) -> Meaning {
    let quoted = quote.find(word).is_some_and(|at| {
        quote[..at].trim_end().ends_with(['"', '“', '„', '«', '\'', '‘', '`', '「', '『'])
    });
    let named = pattern!(r"(?i)\b{constraint_words.words_avoided}\b|{constraint_words.word_avoided_anywhere}|\b{constraint_words.word_avoided}\b").is_match(quote);
    if quoted || named {
        return Meaning::Word;
    }
    if let Some((class, _)) = CLASSES.iter().find(|(_, names)| names.is_match(word)) {
        return Meaning::Class(class);
    }
    match pattern!(r"(?i)^{constraint_words.avoided}$").is_match(word) {
        true => Meaning::Unknown,
        false => Meaning::Word,
    }
}

pub fn includes(output: &Output<'_>, words: &[String], options: Options) -> Judgement {
    let mut first = None;
    for word in words {
        match occurrences(output, word, options.required).into_iter().next() {
            Some(place) if words.len() == 1 => first = Some(place),
            Some(_) => {}
            None => return Judgement::of(false, word.as_str()),
        }
    }
    Judgement::of(true, words.join(", ")).at(first)
}

pub fn excludes(output: &Output<'_>, words: &[String], quote: &str, options: Options) -> Judgement {
    let mut unknown = false;
    for word in words {
        let place = match meaning(word, quote) {
            Meaning::Word => occurrences(output, word, options.forbidden).into_iter().next(),
            Meaning::Class(class) => of_class(output, class),
            Meaning::Unknown => {
                unknown = true;
                continue;
            }
        };
        if place.is_some() {
            let found = place.clone().map(|place| output.at(&place).to_owned());
            return Judgement::of(false, word.as_str()).found(found.unwrap_or_default()).at(place);
        }
    }
    match unknown {
        true => Judgement::undecided(Reason::NotExecutable),
        false => Judgement::of(true, words.join(", ")),
    }
}

pub fn frequency(output: &Output<'_>, count: &CountParameters, options: Options) -> Judgement {
    match count.of.as_deref().filter(|word| !word.trim().is_empty()) {
        Some(word) => Judgement::places(&occurrences(output, word, options.required), count),
        None => Judgement::undecided(Reason::Unclear),
    }
}

/// The first place of what a class of words or signs has.
fn of_class(output: &Output<'_>, class: &str) -> Option<Range<usize>> {
    let sign = |signs: &[char]| {
        let found = output.text.char_indices().find(|(_, c)| signs.contains(c));
        found.map(|(at, c)| at..at + c.len_utf8())
    };
    let lines = &output.markdown().lines;
    match class {
        "emoji" => emoji::all(output.text).into_iter().next(),
        "hashtag" => hashtags(output).into_iter().next(),
        "exclamation" => sign(&['!', '！', '¡']),
        "number" => {
            let found = output.text.char_indices().find(|(_, c)| c.is_numeric());
            found.map(|(at, c)| at..at + c.len_utf8())
        }
        "link" => text::literals::addresses(output.text).next(),
        "heading" => output.markdown().headings().into_iter().next().map(|(range, _)| range),
        "markdown" => lines
            .iter()
            .find(|line| !matches!(line.kind, LineKind::Blank | LineKind::Text))
            .map(|line| line.range.clone())
            .or_else(|| super::markers::emphases(output).into_iter().next()),
        _ => None,
    }
}

/// Where a word or phrase stands as a whole, in small or capital letters.
pub fn occurrences(output: &Output<'_>, word: &str, inflection: Inflection) -> Vec<Range<usize>> {
    let wanted = lowered(word.trim());
    let Some(last) = wanted.chars().next_back() else { return Vec::new() };
    let text = output.lower();
    let inflects = inflection == Inflection::Endings && last.is_alphabetic() && !is_unspaced(last);
    let mut found = Vec::new();
    let language = if inflects { output.language() } else { "" };
    // A final vowel gives way to an ending: "make", "making"; "gato", "gata".
    let stem = &wanted[..wanted.len() - last.len_utf8()];
    let yields = inflects
        && matches!(last, 'a' | 'e' | 'i' | 'o' | 'y' | 'é')
        && stem.chars().rev().take_while(|c| c.is_alphabetic()).count() >= LONG - 1;
    let searched = if yields { stem } else { wanted.as_str() };
    for at in memmem::find_iter(text.as_bytes(), searched) {
        let end = at + searched.len();
        if !begins(text, at, &wanted) {
            continue;
        }
        let rest = tail(text, end);
        let full = if yields { rest.strip_prefix(last) } else { Some(rest) };
        let (whole, own) = match full {
            Some("") => (true, wanted.len()),
            Some(_) if is_unspaced(last) || !is_word(last) => (true, wanted.len()),
            Some(ending) if inflects => {
                (is_ending(ending, &wanted, language), searched.len() + rest.len())
            }
            Some(_) => (false, 0),
            None => (false, 0),
        };
        let changed = yields && !rest.is_empty() && is_ending(rest, &wanted, language);
        if whole {
            found.push(at..at + own);
        } else if changed {
            found.push(at..end + rest.len());
        }
    }
    found
}

/// Whether no word goes on before a place.
fn begins(text: &str, at: usize, wanted: &str) -> bool {
    let inner = wanted.chars().next().is_some_and(|c| is_word(c) && !is_unspaced(c));
    !inner || text[..at].chars().next_back().is_none_or(|c| !is_word(c) || is_unspaced(c))
}

/// What goes on of a word.
fn tail(text: &str, from: usize) -> &str {
    let length: usize = text[from..]
        .chars()
        .take_while(|c| is_word(*c) && !is_unspaced(*c))
        .map(char::len_utf8)
        .sum();
    &text[from..from + length]
}

/// Whether what follows a word makes another form of it.
fn is_ending(rest: &str, word: &str, language: &str) -> bool {
    let last = word.chars().next_back().unwrap_or(' ');
    let length = word.chars().rev().take_while(|c| c.is_alphabetic()).count();
    let rows = if length < LONG { SHORT_ENDINGS } else { ENDINGS };
    let is = |rest: &str| endings(rows, language).split(' ').any(|ending| ending == rest);
    // "plan", "planned"
    !rest.is_empty() && (is(rest) || length >= LONG && rest.strip_prefix(last).is_some_and(is))
}
