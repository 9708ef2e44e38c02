//! Guessing what language a text is in.
//!
//! Scripts and letters that only one language has decide first, then the frequent small words of a language, then
//! statistics over groups of three letters (`whatlang`). Where they contradict each other nothing is guessed.

use std::collections::HashMap;
use std::sync::LazyLock;

use patterns::{Captures, pattern, words};

use super::script::{of_script, two_letters};

/// Frequent small words by language.
const SMALL: &[(&str, &str)] = words!("language.small");
/// Letters that speak for one of several neighbouring languages.
const LETTERS: &[(&str, &str)] = words!("language.letters");
/// Words that tell short texts, and what other languages write alike.
const TELLING: &[(&str, &str)] = words!("language.telling");

/// Languages in Latin letters, those that are looked for in texts of a few words first.
const LATIN: [&str; 20] = [
    "en", "de", "es", "fr", "it", "pt", "nl", "sv", "da", "nb", "fi", "pl", "cs", "tr", "ro", "hu",
    "ca", "id", "vi", "hr",
];
/// The languages that short texts may be taken for; others are told by more words.
const SOON_TOLD: usize = 6;
/// Texts at least this long are left to statistics; shorter ones are too uncertain.
const LONG_ENOUGH: usize = 60;
/// What a word tells that only one language has.
const TELLS: u32 = 12;
/// What words tell that several neighbouring languages have.
const SHARED: u32 = 4;
/// Bytes of a text in which its prose is looked for.
const MOST_BYTES: usize = 6_000;
/// Only this much of a text is looked at.
const LOOKED_AT: usize = 1500;

/// Words of languages in Latin letters: a bit for each language of [`LATIN`].
static TOLD_BY: LazyLock<HashMap<&'static str, u32>> = LazyLock::new(|| {
    let mut languages = HashMap::new();
    for (at, tag) in LATIN.iter().enumerate() {
        for word in [SMALL, TELLING].iter().flat_map(|list| of(list, tag).split_whitespace()) {
            *languages.entry(word).or_default() |= 1 << at;
        }
    }
    languages
});

/// Tag of the language of `text`; `und` where nothing speaks for English and no other language is sure.
pub fn detect(text: &str) -> &'static str {
    let sample = Sample::of(text);
    sample.told().unwrap_or_else(|| if sample.may_be_english() { "en" } else { "und" })
}

/// Tag of the language that the words and letters of a text tell, outside of its quotations and code; none where they
/// are too few.
pub fn told(text: &str) -> Option<&'static str> {
    let held = pattern!(
        r#"(?s)```.*?(?:```|\z)|`[^`\n]*`|\{\{[^{}\n]*\}\}|https?://\S+|</?[A-Za-z][^<>\n]{0,60}>|“[^”]*”|„[^“”]*[“”]|«[^»]*»|「[^」]*」|"[^"\n]*"|\B'[^'\n]*'\B"#
    );
    // In data the texts stand in quotation marks.
    let text = crate::head(text, MOST_BYTES);
    let is_data = text.trim_start().starts_with(['{', '[']);
    let prose = if is_data { text.into() } else { held.replace_all(text, |_| " ") };
    Sample::of(&prose).told().filter(|tag| *tag != "und")
}

/// Whether a language is known to be written in Latin letters.
pub fn is_in_latin(tag: &str) -> bool {
    LATIN.contains(&super::primary(tag).as_str())
}

/// Whether a text has no other letters than Latin ones.
pub fn is_latin(text: &str) -> bool {
    text.chars().all(|c| !c.is_alphabetic() || is_latin_letter(c))
}

/// What is looked at of a text.
struct Sample {
    text: String,
    lower: String,
}

impl Sample {
    /// The beginning of a text, without the names of `--parameters`: they are of no language.
    fn of(text: &str) -> Self {
        let beginning: String = text.chars().take(LOOKED_AT).collect();
        let text = pattern!(r"(?P<space>^|\s)--[a-z]+")
            .replace_all(&beginning, |found: &Captures<'_>| found["space"].to_owned());
        Self { lower: text.to_lowercase(), text }
    }

    fn words(&self) -> impl Iterator<Item = &str> {
        self.lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
    }

    /// The language that is told surely.
    fn told(&self) -> Option<&'static str> {
        let letters = self.text.chars().filter(|c| c.is_alphabetic());
        let foreign = letters.clone().filter(|c| !is_latin_letter(*c)).count();
        // An ideograph says as much as two letters.
        let ideographs = self.text.chars().filter(|c| *c >= '\u{3040}').count();
        if foreign > 0 && (foreign + ideographs) * 10 > (letters.count() + ideographs) * 3 {
            return Some(of_script(&self.text));
        }
        self.of_words().or_else(|| self.of_statistics())
    }

    /// How much words and letters tell of each language: the fewer languages have a word, the more it tells.
    fn scores(&self) -> [u32; LATIN.len()] {
        let mut scores = [0; LATIN.len()];
        for word in self.words() {
            let languages = TOLD_BY.get(word).copied().unwrap_or(0);
            let share = TELLS / languages.count_ones().max(1);
            (0..LATIN.len())
                .filter(|at| languages & 1 << at != 0)
                .for_each(|at| scores[at] += share);
        }
        for (at, score) in scores.iter_mut().enumerate() {
            let letters = self.lower.chars().filter(|c| of(LETTERS, LATIN[at]).contains(*c));
            *score += TELLS / 2 * letters.take(3).count() as u32;
        }
        scores
    }

    /// The language that is clearly ahead of all others.
    fn of_words(&self) -> Option<&'static str> {
        let scores = self.scores();
        let best = (0..LATIN.len()).rev().max_by_key(|at| scores[*at])?;
        // Neighbours that are seldom written do not count against those that often are.
        let rivals = if best < SOON_TOLD { SOON_TOLD } else { LATIN.len() };
        let second = (0..rivals).filter(|at| *at != best).map(|at| scores[at]).max()?;
        (scores[best] >= TELLS && scores[best] * 2 >= second * 3).then(|| LATIN[best])
    }

    /// The language that groups of three letters tell, unless words speak for another.
    fn of_statistics(&self) -> Option<&'static str> {
        let info = whatlang::detect(&self.text)?;
        let tag = two_letters(info.lang().code());
        let scores = self.scores();
        let most = scores.iter().copied().max().unwrap_or(0);
        let known = LATIN.iter().position(|known| *known == tag);
        let borne_out = known.map_or(most < TELLS, |at| scores[at] * 3 >= most * 2);
        let long = self.text.chars().count() >= LONG_ENOUGH;
        // Neighbours share small words: statistics tell them apart.
        let neighbour =
            known.is_some_and(|at| scores[at] == most && most >= SHARED && scores[0] * 2 <= most);
        (long && info.is_reliable() && borne_out || neighbour).then_some(tag)
    }

    /// Whether words speak for English, or at least nothing speaks against it: names and keywords.
    fn may_be_english(&self) -> bool {
        let scores = self.scores();
        let most = scores.iter().copied().max().unwrap_or(0);
        let accents = self.lower.chars().filter(|c| c.is_alphabetic() && !c.is_ascii()).count();
        self.words().next().is_some() && scores[0] == most && accents * 30 <= self.text.len()
    }
}

/// What a language has in a list.
fn of(list: &[(&str, &'static str)], tag: &str) -> &'static str {
    list.iter().find(|(known, _)| *known == tag).map_or("", |(_, words)| words)
}

fn is_latin_letter(character: char) -> bool {
    matches!(character, 'a'..='z' | 'A'..='Z' | 'ª' | 'º' | 'À'..='\u{24f}' | '\u{1e00}'..='\u{1eff}')
}
