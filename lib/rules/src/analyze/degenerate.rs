//! Rules about prompts that are hardly prompts: repeated, unreadable, empty, shouted or without a word of their
//! own. They hold in any language.

use std::collections::{HashMap, HashSet};

use super::reading::Reading;
use super::rule::{Edit, Rule, Spot};
use super::span::Span;
use crate::repeated;
use engine::MetricName::{Clarity, Structure};
use engine::Severity::{High, Info, Medium as Middling};
use patterns::pattern;

/// The rule for languages whose words no rule knows.
pub const UNJUDGED: &str = "unjudged_language";

/// The rules of this file.
pub const RULES: &[Rule] = &[
    Rule::code(UNJUDGED, Clarity, Info, unjudged_language),
    Rule::code("unreadable_text", Clarity, High, unreadable_text),
    Rule::code("all_capitals", Clarity, Middling, all_capitals),
    Rule::code("repetitive_text", Structure, High, repetitive_text).mended(say_once),
    Rule::code("blank_space", Structure, Middling, blank_space).mended(close_gaps),
];

/// Words that no rule knows: their wording counts neither for nor against the prompt.
fn unjudged_language(reading: &Reading<'_>) -> Vec<Spot> {
    let unjudged =
        !reading.has_known_words() && reading.source.prose.chars().any(char::is_alphabetic);
    Spot::naming(Span::at(0), reading.source.language.to_owned()).when(unjudged)
}

/// Characters of a word from which on its letters tell whether it can be one.
const TELLING: usize = 4;
/// Changes between letters, digits and signs from which on a word is none.
const RESTLESS: usize = 4;

/// Whether a word in Latin letters cannot be one: unspeakable, or a mixture of letters, digits and signs.
fn is_noise(word: &str) -> bool {
    if word.chars().any(|c| c.is_alphabetic() && c > '\u{24f}') {
        return false;
    }
    // "sch", "ck", "th" and double letters are one sound.
    let mut sounds: Vec<char> = word.to_lowercase().chars().collect();
    sounds.dedup();
    let sounds = sounds.into_iter().collect::<String>().replace("sc", "s").replace(['h', 'k'], "");
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let unspeakable = pattern!(r"[bcdfgjlmnpqrstvwxz]{5}").is_match(&sounds)
        || letters >= TELLING && !pattern!(r"[aeiouy\x{80}-\x{24f}]").is_match(&sounds);
    let abbreviation = letters <= 6 && !word.chars().any(char::is_lowercase);
    // Signs that join words, dates and addresses change nothing.
    let joins = |c: &char| "-'’.,:/_()=".contains(*c);
    let mut kinds: Vec<(bool, bool)> = word
        .chars()
        .filter(|c| !joins(c))
        .map(|c| (c.is_alphabetic(), c.is_ascii_digit()))
        .collect();
    kinds.dedup();
    letters > 0 && (unspeakable && !abbreviation || kinds.len() > RESTLESS)
}

/// "asdkjfh qwlkjzx": half of the words cannot be any.
fn unreadable_text(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    let (mut noise, mut words, mut first) = (0_usize, 0_usize, None);
    let mut offset = 0;
    for piece in source.prose.split_inclusive(char::is_whitespace) {
        let start = offset;
        offset += piece.len();
        let word = piece.trim_matches(|c: char| !c.is_alphanumeric());
        if word.chars().take(2).count() < 2 {
            continue;
        }
        words += 1;
        let telling = word.chars().count() >= TELLING;
        if telling && !word.contains("://") && !word.contains('@') && is_noise(word) {
            noise += 1;
            let lead = piece.len() - piece.trim_start_matches(|c: char| !c.is_alphanumeric()).len();
            first.get_or_insert(Span::new(start + lead, start + lead + word.len()));
        }
    }
    let scripts = || mixed_scripts(&source.prose);
    match first {
        Some(span) if noise * 2 >= words => vec![Spot::new(span.opening(source.text))],
        _ if scripts() => {
            let end = source.prose.trim_end().len();
            let start = end - source.prose[..end].trim_start().len();
            vec![Spot::new(Span::new(start, end).opening(source.text))]
        }
        _ => Vec::new(),
    }
}

/// Whether letters of many scripts stand beside each other, none of them ahead.
fn mixed_scripts(prose: &str) -> bool {
    const SCRIPTS: [(char, char); 10] = [
        ('A', '\u{24f}'),
        ('\u{370}', '\u{3ff}'),
        ('\u{400}', '\u{52f}'),
        ('\u{530}', '\u{58f}'),
        ('\u{590}', '\u{5ff}'),
        ('\u{600}', '\u{6ff}'),
        ('\u{900}', '\u{dff}'),
        ('\u{e00}', '\u{e7f}'),
        ('\u{3040}', '\u{9fff}'),
        ('\u{ac00}', '\u{d7a3}'),
    ];
    let mut counts = [0_usize; SCRIPTS.len()];
    for character in prose.chars().filter(|c| c.is_alphabetic()) {
        if let Some(at) = SCRIPTS.iter().position(|(from, to)| (*from..=*to).contains(&character)) {
            counts[at] += 1;
        }
    }
    let (all, most) = (counts.iter().sum::<usize>(), counts.iter().copied().max().unwrap_or(0));
    all >= 12 && most * 2 < all && counts.iter().filter(|count| **count * 10 >= all).count() >= 4
}

/// Letters from which on capitals are no heading or name.
const SHOUTED: usize = 20;

fn all_capitals(reading: &Reading<'_>) -> Vec<Spot> {
    let prose = &reading.source.prose;
    let (mut upper, mut lower) = (0_usize, 0_usize);
    for character in prose.chars() {
        upper += usize::from(character.is_uppercase());
        lower += usize::from(character.is_lowercase());
    }
    let Some(word) = reading.source.words.first() else { return Vec::new() };
    let shouted = upper >= SHOUTED && upper >= lower * 9 && reading.source.words.len() >= 4;
    Spot::new(word.span.opening(reading.source.text)).when(shouted)
}

/// Sentences of a prompt from which on their repetition is no coincidence.
const OFTEN: usize = 5;
/// Words from which on a small stock of words is a repetition, and from which on any prompt repeats words.
const MANY: (usize, usize) = (6, 200);
/// Letters of a word that is none if it is made of three.
const LONG_ROW: usize = 40;

/// Sentences or words of which most have been said before.
fn repetitive_text(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    let mut seen: HashMap<String, usize> = HashMap::new();
    let (mut again, mut place) = (0_usize, None);
    for sentence in &source.sentences {
        let said = source.prose_of(sentence.span).trim_end_matches(|c: char| !c.is_alphanumeric());
        let times = seen.entry(said.to_lowercase()).or_default();
        *times += 1;
        if *times > 1 {
            again += said.len();
            place.get_or_insert(sentence.span);
        }
    }
    let most = seen.values().copied().max().unwrap_or(0);
    let all: usize =
        source.sentences.iter().map(|sentence| sentence.span.end - sentence.span.start).sum();
    if most >= OFTEN && again * 2 > all {
        return place.map(|span| Spot::new(span.opening(source.text))).into_iter().collect();
    }
    let mut stock: HashMap<&str, usize> = HashMap::new();
    for word in &source.words {
        *stock.entry(word.lower.as_str()).or_default() += 1;
    }
    let words = source.words.len();
    let scarce = if words < MANY.1 { 6 } else { 10 };
    let poor = words >= MANY.0 && stock.len() * scarce <= words && stock.len() <= 400;
    // A row of one letter has no words to count.
    let row = source.words.iter().find(|word| is_row(&word.lower));
    match (poor, source.words.first(), row) {
        (true, Some(word), _) | (false, _, Some(word)) => {
            vec![Spot::new(word.span.opening(source.text))]
        }
        _ => Vec::new(),
    }
}

/// Takes out the lines that repeat others beyond what can be meant.
fn say_once(reading: &Reading<'_>, _: &Spot) -> Vec<Edit> {
    let text = reading.source.text;
    repeated::lines(text)
        .into_iter()
        .map(|range| Edit::new(Span::new(range.start, range.end), ""))
        .collect()
}

/// Whether a long word has three different letters at most.
fn is_row(word: &str) -> bool {
    word.chars().count() >= LONG_ROW && word.chars().collect::<HashSet<char>>().len() <= 3
}

/// Empty lines, or spaces in a row, from which on they separate nothing.
const EMPTY: usize = 12;

/// Gaps that no layout needs. What is masked is left alone: blanks have a meaning there.
fn gaps(reading: &Reading<'_>) -> impl Iterator<Item = Span> {
    let masked = |span: Span| {
        let parts = &reading.source.mask.parts;
        let next = parts.partition_point(|(part, _)| part.end <= span.start);
        parts.get(next).is_some_and(|(part, _)| part.holds(span))
    };
    pattern!(r"(?:[ \t\r\u{a0}\u{3000}]*\n){13,}|[ \t\u{a0}\u{3000}]{100,}")
        .find_iter(reading.source.text)
        .map(|gap| Span::new(gap.start(), gap.end()))
        .filter(move |gap| !masked(*gap))
}

/// Leaves one empty line, or one space, of each gap.
fn close_gaps(reading: &Reading<'_>, _: &Spot) -> Vec<Edit> {
    let kept = |gap: Span| if reading.source.slice(gap).contains('\n') { "\n\n" } else { " " };
    gaps(reading).map(|span| Edit::new(span, kept(span))).collect()
}

/// The first gap that no layout needs.
fn blank_space(reading: &Reading<'_>) -> Vec<Spot> {
    let text = reading.source.text;
    let Some(gap) = gaps(reading).next() else { return Vec::new() };
    let blank = reading.source.slice(gap);
    let lines = blank.matches('\n').count();
    let size = if lines > EMPTY { lines - 1 } else { blank.chars().count() };
    let empty = text.chars().filter(|c| c.is_whitespace()).count();
    let full = text.chars().count() - empty;
    let spot = Spot::naming(Span::at(gap.start), size.to_string());
    if empty > full * 4 && empty >= 500 { vec![spot.at(High)] } else { vec![spot] }
}
