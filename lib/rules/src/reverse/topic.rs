//! What a document is about: its key phrases.
//!
//! Candidates are runs of words without stop words and punctuation between them, as in RAKE (Rose et al.
//! 2010); they are weighed by how often their words occur, their length, and whether title or headings have
//! them. Scripts without spaces give runs of up to four signs that occur repeatedly.

use std::collections::{HashMap, HashSet};

use super::document::Document;
use super::noise::quotable;
use super::words::{Word, is_unspaced};
use engine::page::BlockRole;
use patterns::pattern;

/// Longest phrase in words.
const LONGEST: usize = 3;
/// Longest run of words of which all parts are phrases.
const LONGEST_RUN: usize = 8;
/// Most words that are looked at, from the beginning.
const LOOKED_AT: usize = 20_000;
/// Words that lists of stop words leave in although they are no topics, in several languages.
const COMMON: &str = include_str!("../../../../knowledge/reversing/common_words.txt");
/// Signs that begin or end no Chinese or Japanese key word.
const PARTICLES: &str = "的了是在和与或我你他她它们这那有不也就都要会可以及等为对从到着过吗呢吧被把让给很更最但而且如果因为所以个之其每一";

/// A phrase that may tell what a document is about.
#[derive(Debug, Default)]
struct Phrase {
    /// The words as they stand in the document.
    text: String,
    count: usize,
    /// Whether it is written with a capital within a sentence.
    named: bool,
    /// Whether it was a whole run at least once.
    whole: bool,
    /// Position of the first occurrence, 0 to 1.
    first: f64,
}

/// At most `most` phrases, the most telling first, fit to be quoted.
pub fn phrases(document: &Document, prose: &[Word<'_>], most: usize) -> Vec<String> {
    let headings =
        document.blocks.iter().filter(|block| matches!(block.role, BlockRole::Heading(_)));
    let headings: String = headings.map(|block| block.text.to_lowercase() + "\n").collect();
    let title = document.title.as_deref().unwrap_or_default().to_lowercase();
    // How much more a phrase weighs for standing in title or headings.
    let weight = |phrase: &str| match (title.contains(phrase), headings.contains(phrase)) {
        (true, _) => 2.2,
        (_, true) => 1.4,
        _ => 1.0,
    };
    let prose = &prose[..prose.len().min(LOOKED_AT)];
    let mut found = spaced(document, prose, &weight);
    found.extend(unspaced(prose, &weight));
    // Maps have no order; equal scores must not depend on it.
    found.sort_by(|one, other| other.0.total_cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
    let mut chosen: Vec<(String, String)> = Vec::new();
    for (_, text) in found {
        let lower = text.to_lowercase();
        if chosen.len() < most && !chosen.iter().any(|(_, other)| alike(other, &lower)) {
            chosen.push((quotable(&text), lower));
        }
    }
    chosen.into_iter().map(|(text, _)| text).filter(|text| !text.is_empty()).collect()
}

/// Whether two phrases have a part or a longer word in common.
fn alike(one: &str, other: &str) -> bool {
    // A word without the endings of its plural and cases, nearly enough to know it again.
    let stem = |word: &str| -> String {
        word.chars().take(word.chars().count().saturating_sub(1).clamp(4, 9)).collect()
    };
    let known: Vec<String> = one.split(' ').map(stem).collect();
    let mut long = other.split(' ').filter(|word| word.chars().count() > 4);
    one.contains(other) || other.contains(one) || long.any(|word| known.contains(&stem(word)))
}

/// Phrases of words that are written apart, with their scores.
fn spaced(
    document: &Document,
    prose: &[Word<'_>],
    weight: &impl Fn(&str) -> f64,
) -> Vec<(f64, String)> {
    let tag = document.language.as_deref().unwrap_or("en");
    let stops = stop_words::lookup(tag).unwrap_or_default().iter().copied();
    let stops: HashSet<&str> = stops.chain(COMMON.split_whitespace()).collect();
    let stopped = |lower: &String| {
        lower.chars().count() < 3
            || stops.contains(lower.replace('’', "'").as_str())
            || !lower.starts_with(char::is_alphabetic)
            || lower.contains(is_unspaced)
    };
    let lower: Vec<String> = prose.iter().map(|word| word.text.to_lowercase()).collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for word in &lower {
        *counts.entry(word).or_default() += 1;
    }
    let mut seen: HashMap<String, Phrase> = HashMap::new();
    let mut start = 0;
    while start < prose.len() {
        let goes_on =
            |index: &usize| (*index == start || !prose[*index].breaks) && !stopped(&lower[*index]);
        let end = start + (start..prose.len()).take_while(goes_on).count();
        for first in start..end {
            for last in first + 1..=(first + LONGEST).min(end) {
                let whole = first == start && last == end;
                if last - first > 1 && !whole && end - start > LONGEST_RUN {
                    continue;
                }
                let words = &prose[first..last];
                let this = seen.entry(lower[first..last].join(" ")).or_insert_with(|| Phrase {
                    text: words.iter().map(|word| word.text).collect::<Vec<_>>().join(" "),
                    first: first as f64 / prose.len() as f64,
                    ..Phrase::default()
                });
                this.count += 1;
                this.whole |= whole;
                this.named |= words
                    .iter()
                    .all(|word| !word.opens && word.text.starts_with(char::is_uppercase));
            }
        }
        start = end.max(start + 1);
    }
    let telling = |(key, this): &(String, Phrase)| {
        !key.contains(' ') || this.count >= 2 || this.whole || weight(key) > 1.0
    };
    let score = |(key, this): (String, Phrase)| {
        let parts: Vec<usize> =
            key.split(' ').map(|word| counts.get(word).copied().unwrap_or(0)).collect();
        let mean = parts.iter().sum::<usize>() as f64 / parts.len() as f64;
        let named = match (this.named, tag) {
            // In German every noun has a capital, so it says that the word is one.
            (true, "de") => 1.6,
            (true, _) => 1.4,
            _ => 1.0,
        };
        let length = 1.0 + 0.4 * (parts.len() as f64 - 1.0);
        let often = mean.sqrt() * (this.count as f64).sqrt();
        (often * length * weight(&key) * named * (1.2 - 0.4 * this.first), this.text)
    };
    seen.into_iter().filter(telling).map(score).collect()
}

/// Runs of Chinese signs, of Katakana, and of scripts such as Thai, with their scores.
fn unspaced(prose: &[Word<'_>], weight: &impl Fn(&str) -> f64) -> Vec<(f64, String)> {
    let mut counts: HashMap<String, (usize, usize)> = HashMap::new();
    let mut whole: HashSet<String> = HashSet::new();
    let mut position = 0;
    let run = pattern!(
        r"(?P<h>[\p{Han}々]+)|(?P<k>[\p{Katakana}ー]+)|(?P<o>[\p{Thai}\p{Lao}\p{Myanmar}\p{Khmer}]+)|\p{Hiragana}+"
    );
    for found in prose.iter().flat_map(|word| run.captures_iter(word.text)) {
        let signs: Vec<char> = found[0].chars().collect();
        position += signs.len();
        let mut note = |text: &[char]| {
            counts.entry(text.iter().collect()).or_insert((0, position)).0 += 1;
        };
        if found.name("h").is_some() {
            for length in 2..=4 {
                signs.windows(length).for_each(&mut note);
            }
            let pieces = signs.split(|sign| PARTICLES.contains(*sign));
            let short = pieces.filter(|piece| (2..=4).contains(&piece.len()));
            whole.extend(short.map(|piece| piece.iter().collect::<String>()));
        } else if found.name("k").is_some() && signs.len() >= 3
            || found.name("o").is_some() && (3..=12).contains(&signs.len())
        {
            note(&signs);
            whole.insert(found[0].to_owned());
        }
    }
    // What occurs once is a word only where particles or punctuation bound it.
    let telling = |(text, (count, _)): &(String, (usize, usize))| {
        (*count >= 2 || whole.contains(text))
            && !text.starts_with(|c| PARTICLES.contains(c))
            && !text.ends_with(|c| PARTICLES.contains(c))
    };
    let score = |(text, (count, first)): (String, (usize, usize))| {
        let place = 1.2 - 0.4 * first as f64 / position.max(1) as f64;
        (count as f64 * (text.chars().count() as f64).sqrt() * place * weight(&text), text)
    };
    counts.into_iter().filter(telling).map(score).collect()
}
