//! Which words occur.

use std::collections::HashSet;
use std::ops::Range;

use memchr::memmem;
use patterns::{Pattern, pattern, table, words};

use super::judgement::Judgement;
use super::letters::{emojis, hashtags};
use crate::output::{Output, is_joined, is_unspaced, is_word, lowered};
use crate::{Inflection, Reason};

/// Endings of words by language.
const ENDINGS: &[(&str, &str)] = words!("check_words.endings");
/// Endings that words of three letters have, too.
const SHORT_ENDINGS: &[(&str, &str)] = words!("check_words.short_endings");
/// Shortest word that takes all endings, in characters.
const LONG: usize = 4;
/// Bytes that are searched for a word in a step.
const SEARCHED: usize = 8;

/// What prompts forbid by a name that stands for many words or signs.
const CLASSES: &[(&str, Pattern)] = table!("check_classes", r"(?i)^{}$");

/// The same, within a text.
const NAMED: &[(&str, Pattern)] = table!("check_classes", r"(?i)\b{}\b");

/// The class of words or signs that a word names.
pub fn class_of(word: &str) -> Option<&'static str> {
    CLASSES.iter().find(|(_, names)| names.is_match(word)).map(|(class, _)| *class)
}

/// The classes of words or signs that a text names.
pub fn classes_in(text: &str) -> HashSet<&'static str> {
    NAMED.iter().filter(|(_, names)| names.is_match(text)).map(|(class, _)| *class).collect()
}

/// Whether a program can decide that an answer has none of the words: not of those that stand for what is meant by
/// them, such as jargon.
pub fn is_executable(words: &[String], quote: &str) -> bool {
    meanings(words, quote).any(|meaning| !matches!(meaning, Meaning::Unknown))
}

/// The words of a prohibition that stand for themselves, and those that name signs or forms, such as "emojis".
pub fn told_apart(words: &[String], quote: &str) -> (Vec<String>, Vec<String>) {
    let all = words.iter().cloned().zip(meanings(words, quote));
    let (signs, own): (Vec<_>, Vec<_>) =
        all.partition(|(_, meaning)| matches!(meaning, Meaning::Class(_)));
    let words = |list: Vec<(String, Meaning)>| list.into_iter().map(|(word, _)| word).collect();
    (words(own), words(signs))
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

/// What is forbidden by each of some words in a statement.
fn meanings(words: &[String], quote: &str) -> impl Iterator<Item = Meaning> {
    let named = pattern!(r"(?i)\b{constraint_words.words_avoided}\b|{constraint_words.word_avoided_anywhere}|\b{constraint_words.word_avoided}\b").is_match(quote);
    words.iter().map(move |word| if named { Meaning::Word } else { meaning(word, quote) })
}

fn meaning(word: &str, quote: &str) -> Meaning {
    budget::spend(quote.len());
    let quoted = quote.find(word).is_some_and(|at| {
        quote[..at].trim_end().ends_with(['"', '“', '„', '«', '\'', '‘', '`', '「', '『'])
    });
    if quoted {
        return Meaning::Word;
    }
    class_of(word).map_or(Meaning::Unknown, Meaning::Class)
}

/// Whether the answer has each of some words; else the first that it lacks.
pub fn includes(output: &Output<'_>, words: &[String], inflection: Inflection) -> Judgement {
    let mut only = None;
    for word in words {
        let place = occurrences(output, word, inflection).next();
        if place.is_none() {
            return Judgement::of(false, word.as_str());
        }
        only = place.filter(|_| words.len() == 1);
    }
    Judgement::of(true, words.join(", ")).at(only)
}

/// Whether the answer has none of the words that a statement forbids; else the first of them.
pub fn excludes(
    output: &Output<'_>,
    words: &[String],
    quote: &str,
    inflection: Inflection,
) -> Judgement {
    let mut is_sure = true;
    for (word, meaning) in words.iter().zip(meanings(words, quote)) {
        let place = match meaning {
            Meaning::Word => occurrences(output, word, inflection).next(),
            Meaning::Class(class) => of_class(output, class),
            Meaning::Unknown => None,
        };
        is_sure &= !matches!(meaning, Meaning::Unknown);
        if let Some(place) = place {
            let found = output.at(&place);
            return Judgement::of(false, word.as_str()).found(found).at(Some(place));
        }
    }
    match is_sure {
        true => Judgement::of(true, words.join(", ")),
        false => Judgement::undecided(Reason::NotExecutable),
    }
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

/// Where a word or phrase stands as a whole, in small or capital letters.
pub fn occurrences<'o>(
    output: &'o Output<'_>,
    word: &str,
    inflection: Inflection,
) -> impl Iterator<Item = Range<usize>> + 'o {
    let form = Form::of(word, inflection);
    let text = output.lower().as_bytes();
    budget::spend(text.len() / SEARCHED);
    let found: Vec<usize> = memmem::find_iter(text, form.searched()).collect();
    found.into_iter().filter_map(move |at| form.place(output, at))
}

/// A word or phrase as it is searched for.
struct Form {
    /// In lower case; empty for a word that never occurs.
    wanted: String,
    /// Whether forms with other endings count.
    inflects: bool,
    /// Bytes of it that every form has.
    stem: usize,
}

impl Form {
    fn of(word: &str, inflection: Inflection) -> Self {
        let wanted = lowered(word.trim());
        let last = wanted.chars().next_back().unwrap_or(' ');
        let inflects =
            inflection == Inflection::Endings && last.is_alphabetic() && !is_unspaced(last);
        // A final vowel gives way to an ending: "make", "making"; "gato", "gata".
        let yields = inflects
            && matches!(last, 'a' | 'e' | 'i' | 'o' | 'y' | 'é')
            && letters(&wanted) >= LONG;
        let stem = wanted.len() - if yields { last.len_utf8() } else { 0 };
        Self { wanted, inflects, stem }
    }

    fn searched(&self) -> &str {
        &self.wanted[..self.stem]
    }

    /// Where it stands as a whole whose searched part begins at a byte of the answer in lower case.
    fn place(&self, output: &Output<'_>, at: usize) -> Option<Range<usize>> {
        let (text, wanted) = (output.lower(), self.wanted.as_str());
        let last = wanted.chars().next_back()?;
        if wanted.starts_with(is_joined) && text[..at].ends_with(is_joined) {
            return None;
        }
        let end = at + self.stem;
        let rest = &text[end..];
        let rest = &rest[..rest.find(|c| !is_joined(c)).unwrap_or(rest.len())];
        budget::spend(rest.len());
        let is_ending = |rest: &str| self.inflects && is_ending(rest, wanted, output.language());
        let whole = match rest.strip_prefix(&wanted[self.stem..]) {
            Some("") => true,
            Some(_) if is_unspaced(last) || !is_word(last) => return Some(at..at + wanted.len()),
            Some(ending) => is_ending(ending),
            None => false,
        };
        let yields = self.stem < wanted.len();
        (whole || yields && is_ending(rest)).then(|| at..end + rest.len())
    }
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
