//! Which words occur.

use std::collections::HashSet;
use std::ops::Range;

use memchr::memmem;
use patterns::{Table, pattern, table, words};

use super::judgement::Judgement;
use super::letters::{emojis, hashtags};
use crate::output::{Output, is_joined, is_unspaced, lowered};

/// Endings of words by language.
const ENDINGS: &[(&str, &str)] = words!("check_words.endings");
/// Endings that words of three letters have, too.
const SHORT_ENDINGS: &[(&str, &str)] = words!("check_words.short_endings");
/// Shortest word that takes all endings, in characters.
const LONG: usize = 4;
/// Bytes of a statement in which its words are looked for.
const LONGEST_QUOTE: usize = 1_000;
/// Bytes that are searched for a word in a step.
const SEARCHED: usize = 8;

/// What prompts forbid by a name that stands for many words or signs.
const CLASSES: &Table = table!("check_classes", r"(?i)^{}$");

/// The same, within a text.
const NAMED: &Table = table!("check_classes", r"(?i)\b{}\b");

/// The class of words or signs that a word names.
pub fn class_of(word: &str) -> Option<&'static str> {
    CLASSES.iter().find(|(_, names)| names.is_match(word)).map(|(class, _)| *class)
}

/// The classes of words or signs that a text names.
pub fn classes_in(text: &str) -> HashSet<&'static str> {
    NAMED.iter().filter(|(_, names)| names.is_match(text)).map(|(class, _)| *class).collect()
}

/// What each of some words forbids in a statement: the class of signs or forms that it names, such as "emojis", or none, if
/// the word itself is meant.
pub fn meanings(words: &[String], quote: &str) -> impl Iterator<Item = Option<&'static str>> {
    let quote = text::head(quote, LONGEST_QUOTE);
    let named = pattern!(r"(?i)\b{constraint_words.words_avoided}\b|{constraint_words.word_avoided_anywhere}|\b{constraint_words.word_avoided}\b").is_match(quote);
    words.iter().map(
        move |word| if named { None } else { class_of(word).filter(|_| !is_quoted(word, quote)) },
    )
}

/// Whether a word stands in quotation marks in a statement.
pub fn is_quoted(word: &str, quote: &str) -> bool {
    let quote = text::head(quote, LONGEST_QUOTE);
    budget::spend(quote.len());
    quote.find(word).is_some_and(|at| {
        quote[..at].trim_end().ends_with(['"', '“', '„', '«', '\'', '‘', '`', '「', '『'])
    })
}

/// Whether the answer has each of some words; else the first that it lacks.
pub fn includes(output: &Output<'_>, words: &[String], inflects: bool) -> Judgement {
    let mut only = None;
    for word in words {
        let place = occurrences(output, word, inflects).next();
        if place.is_none() {
            return Judgement::of(false, word.as_str());
        }
        only = place.filter(|_| words.len() == 1);
    }
    Judgement::of(true, words.join(", ")).at(only)
}

/// Whether the answer has none of the words that are forbidden, each with its [meaning](meanings); else the first of them.
pub fn excludes(
    output: &Output<'_>,
    words: &[String],
    meanings: &[Option<&'static str>],
    inflects: bool,
) -> Judgement {
    for (word, class) in words.iter().zip(meanings) {
        let place = match class {
            Some(class) => of_class(output, class),
            None => occurrences(output, word, inflects).next(),
        };
        if let Some(place) = place {
            let found = output.at(&place);
            return Judgement::of(false, word.as_str()).found(found).at(Some(place));
        }
    }
    Judgement::of(true, words.join(", "))
}

/// The first place of what a class of words or signs has.
fn of_class(output: &Output<'_>, class: &str) -> Option<Range<usize>> {
    budget::spend(output.text.len());
    let sign = |is_of: fn(char) -> bool| {
        let found = output.text.char_indices().find(|(_, c)| is_of(*c));
        found.map(|(at, c)| at..at + c.len_utf8())
    };
    match class {
        "emoji" => emojis(output.text).into_iter().next(),
        "hashtag" => hashtags(output).into_iter().next(),
        "exclamation" => sign(|c| matches!(c, '!' | '！' | '¡')),
        "number" => sign(char::is_numeric),
        "link" => text::literals::addresses(output.text).next(),
        "heading" => output.markdown().headings().into_iter().next().map(|(range, _)| range),
        "list" => output.markdown().items().next().map(|(range, ..)| range),
        "table" => output.markdown().tables.first().map(|table| table.range.clone()),
        "markdown" => super::format::marked(output, |_| true),
        _ => None,
    }
}

/// Where a word or phrase stands as a whole, in small or capital letters; forms of it with other endings count if it
/// `inflects`.
pub fn occurrences<'o>(
    output: &'o Output<'_>,
    word: &str,
    inflects: bool,
) -> impl Iterator<Item = Range<usize>> + 'o {
    let word = lowered(word.trim());
    let text = output.lower();
    budget::spend(text.len() / SEARCHED);
    let last = word.chars().next_back().unwrap_or(' ');
    let inflects = inflects && last.is_alphabetic() && !is_unspaced(last);
    // A final vowel gives way to an ending: "make", "making"; "gato", "gata".
    let yields = inflects && "aeioyé".contains(last) && letters(&word) >= LONG;
    let stem = word.len() - if yields { last.len_utf8() } else { 0 };
    let found: Vec<usize> = memmem::find_iter(text.as_bytes(), &word[..stem]).collect();
    found.into_iter().filter_map(move |at| {
        if word.is_empty() || word.starts_with(is_joined) && text[..at].ends_with(is_joined) {
            return None;
        }
        let end = at + stem;
        let rest = &text[end..];
        let rest = &rest[..rest.find(|c| !is_joined(c)).unwrap_or(rest.len())];
        budget::spend(rest.len());
        let is_ending = |rest: &str| inflects && is_ending(rest, &word, output.language());
        let is_whole = match rest.strip_prefix(&word[stem..]) {
            Some("") => true,
            Some(_) if !is_joined(last) => return Some(at..at + word.len()),
            Some(ending) => is_ending(ending),
            None => false,
        };
        (is_whole || yields && is_ending(rest)).then(|| at..end + rest.len())
    })
}

/// How many letters a word ends with.
fn letters(word: &str) -> usize {
    word.chars().rev().take_while(|c| c.is_alphabetic()).count()
}

/// Whether what follows a word makes another form of it.
fn is_ending(rest: &str, word: &str, language: &str) -> bool {
    let last = word.chars().next_back().unwrap_or(' ');
    let length = letters(word);
    let rows = if length < LONG { SHORT_ENDINGS } else { ENDINGS };
    let own = rows.iter().find(|(known, _)| *known == language).map_or("", |(_, own)| own);
    let is = |rest: &str| own.split_whitespace().any(|ending| ending == rest);
    // "plan", "planned"
    !rest.is_empty() && (is(rest) || length >= LONG && rest.strip_prefix(last).is_some_and(is))
}
