//! What a document is about: its key phrases.
//!
//! Candidates are runs of words without stop words and punctuation between them, as in RAKE (Rose et al.
//! 2010); they are weighed by how often their words occur, their length, and whether title or headings have
//! them. Scripts without spaces give runs of up to four signs that occur repeatedly.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::document::Document;
use super::measure::is_run;
use super::words::{Word, is_unspaced};
use crate::page::BlockRole;

/// Longest phrase in words.
const LONGEST: usize = 3;
/// Most words that are looked at, from the beginning.
const LOOKED_AT: usize = 20_000;

/// Words that lists of stop words leave in although they are no topics, in several languages.
static COMMON: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    include_str!("../../../knowledge/reversing/common_words.txt").split_whitespace().collect()
});

/// A phrase that tells what a document is about.
#[derive(Clone, Debug)]
pub struct Phrase {
    /// The words as they stand in the document.
    pub text: String,
    score: f64,
}

/// At most `most` phrases, the most telling first.
pub fn phrases(document: &Document, prose: &[Word<'_>], most: usize) -> Vec<Phrase> {
    let headings: Vec<&str> = document
        .blocks
        .iter()
        .filter(|block| matches!(block.role, BlockRole::Heading(_)))
        .map(|block| block.text.as_str())
        .collect();
    let headings = &Headings {
        title: document.title.as_deref().unwrap_or_default().to_lowercase(),
        others: headings.join("\n").to_lowercase(),
    };
    let prose = &prose[..prose.len().min(LOOKED_AT)];
    let mut found = spaced(document, prose, headings);
    found.extend(unspaced(prose, headings));
    found.sort_by(|one, other| other.score.total_cmp(&one.score));
    let mut chosen: Vec<Phrase> = Vec::new();
    for phrase in found {
        if chosen.len() >= most {
            break;
        }
        let lower = phrase.text.to_lowercase();
        let known = chosen.iter().any(|other| {
            let other = other.text.to_lowercase();
            other.contains(&lower)
                || lower.contains(&other)
                || lower.split(' ').any(|word| {
                    word.chars().count() > 4
                        && other.split(' ').any(|known| stem(known) == stem(word))
                })
        });
        if !known {
            chosen.push(phrase);
        }
    }
    chosen
}

/// A word without the endings of its plural and cases, nearly enough to know it again.
fn stem(word: &str) -> String {
    word.chars().take(word.chars().count().saturating_sub(1).clamp(4, 9)).collect()
}

/// Title and headings in lower case.
struct Headings {
    title: String,
    others: String,
}

impl Headings {
    /// How much more a phrase weighs for standing in them.
    fn weight(&self, phrase: &str) -> f64 {
        match (self.title.contains(phrase), self.others.contains(phrase)) {
            (true, _) => 2.2,
            (_, true) => 1.4,
            _ => 1.0,
        }
    }
}

#[derive(Debug, Default)]
struct Seen {
    count: usize,
    /// Whether it is written with a capital within a sentence.
    named: bool,
    /// Whether it was a whole run at least once.
    whole: bool,
    /// Position of the first occurrence.
    first: usize,
    text: String,
}

fn spaced(document: &Document, prose: &[Word<'_>], headings: &Headings) -> Vec<Phrase> {
    let tag = document.language.as_deref().unwrap_or("en");
    let stops: HashSet<&str> = stop_words::lookup(tag)
        .unwrap_or_default()
        .iter()
        .copied()
        .chain(COMMON.iter().copied())
        .collect();
    let stopped = |lower: &str| {
        lower.chars().count() < 3
            || stops.contains(lower)
            || stops.contains(lower.replace('’', "'").as_str())
            || !lower.starts_with(char::is_alphabetic)
            || is_run(lower)
    };
    let lower: Vec<String> = prose.iter().map(|word| word.text.to_lowercase()).collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for word in &lower {
        *counts.entry(word).or_default() += 1;
    }
    let mut seen: HashMap<String, Seen> = HashMap::new();
    let mut start = 0;
    while start < prose.len() {
        if stopped(&lower[start]) {
            start += 1;
            continue;
        }
        let mut end = start + 1;
        while end < prose.len() && !prose[end].breaks && !stopped(&lower[end]) {
            end += 1;
        }
        for first in start..end {
            for length in 1..=LONGEST.min(end - first) {
                let range = first..first + length;
                let whole = range.start == start && range.end == end;
                if length > 1 && !whole && end - start > 8 {
                    continue;
                }
                let key = lower[range.clone()].join(" ");
                let this = seen.entry(key).or_insert_with(|| Seen {
                    first,
                    text: prose[range.clone()]
                        .iter()
                        .map(|word| word.text)
                        .collect::<Vec<_>>()
                        .join(" "),
                    ..Seen::default()
                });
                this.count += 1;
                this.whole |= whole;
                this.named |= prose[range].iter().all(|word| {
                    !word.opens && word.text.chars().next().is_some_and(char::is_uppercase)
                });
            }
        }
        start = end;
    }
    let total = prose.len().max(1) as f64;
    let mut list: Vec<Phrase> = seen
        .into_iter()
        .filter(|(key, this)| {
            !key.contains(' ') || this.count >= 2 || this.whole || headings.weight(key) > 1.0
        })
        .map(|(key, this)| {
            let parts: Vec<f64> =
                key.split(' ').map(|word| counts.get(word).copied().unwrap_or(0) as f64).collect();
            let mean = parts.iter().sum::<f64>() / parts.len() as f64;
            let mut score =
                mean.sqrt() * (this.count as f64).sqrt() * (1.0 + 0.4 * (parts.len() as f64 - 1.0));
            score *= headings.weight(&key);
            if this.named {
                // In German every noun has a capital, so it says that the word is one.
                score *= if tag == "de" { 1.6 } else { 1.4 };
            }
            score *= 1.2 - 0.4 * this.first as f64 / total;
            Phrase { text: this.text, score }
        })
        .collect();
    // The map's order is arbitrary; equal scores must not depend on it.
    list.sort_by(|one, other| one.text.cmp(&other.text));
    list
}

/// Signs that begin or end no Chinese or Japanese key word.
const PARTICLES: &str = "的了是在和与或我你他她它们这那有不也就都要会可以及等为对从到着过吗呢吧被把让给很更最但而且如果因为所以个之其每一";

fn unspaced(prose: &[Word<'_>], headings: &Headings) -> Vec<Phrase> {
    let mut counts: HashMap<String, (usize, usize)> = HashMap::new();
    let mut position = 0;
    for word in prose.iter().filter(|word| is_run(word.text)) {
        let signs: Vec<char> = word.text.chars().collect();
        let mut start = 0;
        while start < signs.len() {
            let class = class(signs[start]);
            let mut end = start + 1;
            while end < signs.len() && self::class(signs[end]) == class {
                end += 1;
            }
            let run = &signs[start..end];
            position += run.len();
            let mut note = |text: &[char]| {
                let entry = counts.entry(text.iter().collect()).or_insert((0, position));
                entry.0 += 1;
            };
            match class {
                Class::Han => {
                    for length in 2..=4 {
                        run.windows(length).for_each(&mut note);
                    }
                }
                Class::Katakana if run.len() >= 3 => note(run),
                Class::Other if (3..=12).contains(&run.len()) => note(run),
                _ => {}
            }
            start = end;
        }
    }
    let total = position.max(1) as f64;
    let often = counts.values().any(|(count, _)| *count >= 2);
    let mut list: Vec<Phrase> = counts
        .into_iter()
        .filter(|(text, (count, _))| {
            let edge = |c: Option<char>| c.is_none_or(|c| PARTICLES.contains(c));
            let mut signs = text.chars();
            (!often || *count >= 2) && !edge(signs.next()) && !edge(signs.next_back())
        })
        .map(|(text, (count, first))| {
            let length = text.chars().count() as f64;
            let mut score = count as f64 * length.sqrt() * (1.2 - 0.4 * first as f64 / total);
            score *= headings.weight(&text);
            Phrase { text, score }
        })
        .collect();
    list.sort_by(|one, other| one.text.cmp(&other.text));
    list
}

#[derive(Clone, Copy, PartialEq)]
enum Class {
    Han,
    Katakana,
    Hiragana,
    Other,
    Spaced,
}

fn class(sign: char) -> Class {
    match sign {
        '\u{3040}'..='\u{309f}' => Class::Hiragana,
        '\u{30a0}'..='\u{30ff}' => Class::Katakana,
        '\u{3005}'
        | '\u{3400}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{323af}' => Class::Han,
        other if is_unspaced(other) => Class::Other,
        _ => Class::Spaced,
    }
}

/// A phrase as it may stand between quotation marks in a prompt: one short line without signs that mean
/// something to prompts, templates or markup.
pub fn quotable(text: &str) -> String {
    let plain: String = text
        .chars()
        .map(|c| {
            if matches!(
                c,
                '"' | '“'
                    | '”'
                    | '„'
                    | '«'
                    | '»'
                    | '`'
                    | '<'
                    | '>'
                    | '{'
                    | '}'
                    | '['
                    | ']'
                    | '#'
                    | '*'
                    | '_'
                    | '|'
            ) || c.is_control()
            {
                ' '
            } else {
                c
            }
        })
        .collect();
    let line = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    let short: String = line.chars().take(80).collect();
    match short.rfind(' ') {
        Some(space) if short.len() < line.len() && space > 20 => format!("{}…", &short[..space]),
        _ => short,
    }
}
