//! Guessing what language a text is in.
//!
//! Scripts and letters that only one language has decide first, then the frequent small words of a language, then
//! statistics over groups of three letters (`whatlang`). Where they contradict each other nothing is guessed.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::sync::LazyLock;

use patterns::{pattern, words};

/// Frequent small words by language.
const SMALL: &[(&str, &str)] = words!("language.small");
/// Letters that speak for one of several neighbouring languages.
const LETTERS: &[(&str, &str)] = words!("language.letters");
/// Words that only one of the Scandinavian languages has.
const OWN: &[(&str, &str)] = words!("language.own");

/// Languages in Latin letters, those that are looked for in texts of a few words first.
const LATIN: [&str; 20] = [
    "en", "de", "es", "fr", "it", "pt", "nl", "sv", "da", "nb", "fi", "pl", "cs", "tr", "ro", "hu",
    "ca", "id", "vi", "hr",
];
/// The languages that short texts may be taken for; others are told by more words.
const SOON_TOLD: usize = 6;
/// Texts at least this long are left to statistics; shorter ones are too uncertain.
const LONG_ENOUGH: usize = 60;
/// Only this much of a text is looked at.
const LOOKED_AT: usize = 1500;

/// Small words of languages in Latin letters: a bit for each language of [`LATIN`].
static LANGUAGES_OF: LazyLock<HashMap<&'static str, u32>> = LazyLock::new(|| {
    let mut languages = HashMap::new();
    for (at, tag) in LATIN.iter().enumerate() {
        for word in of(SMALL, tag).split(' ') {
            *languages.entry(word).or_default() |= 1 << at;
        }
    }
    languages
});

/// What a language has in a list.
fn of(list: &[(&str, &'static str)], tag: &str) -> &'static str {
    list.iter().find(|(known, _)| *known == tag).map_or("", |(_, words)| words)
}

/// Tag of the language of `text`, if it is surely another one than English.
pub fn detect_other_than_english(text: &str) -> Option<&'static str> {
    Sample::of(text).other_than_english()
}

/// Tag of the language of `text`; `und` where nothing speaks for English and no other language is sure.
pub fn detect(text: &str) -> &'static str {
    let sample = Sample::of(text);
    sample.other_than_english().unwrap_or_else(|| sample.english_or_unknown())
}

/// What is looked at of a text.
struct Sample {
    text: String,
    lower: String,
    statistics: OnceCell<Option<whatlang::Info>>,
}

impl Sample {
    /// The beginning of a text, without the names of `--parameters`: they are of no language.
    fn of(text: &str) -> Self {
        let beginning: String = text.chars().take(LOOKED_AT).collect();
        let text = pattern!(r"(^|\s)--[a-z]+").replace_all(&beginning, "$1").into_owned();
        Self { lower: text.to_lowercase(), text, statistics: OnceCell::new() }
    }

    fn words(&self) -> impl Iterator<Item = &str> {
        self.lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
    }

    fn is_long(&self) -> bool {
        self.text.chars().count() >= LONG_ENOUGH
    }

    /// What groups of three letters say.
    fn statistics(&self) -> Option<&whatlang::Info> {
        self.statistics.get_or_init(|| whatlang::detect(&self.text)).as_ref()
    }

    fn guessed(&self) -> Option<&'static str> {
        self.statistics().map(|info| two_letters(info.lang().code()))
    }

    fn other_than_english(&self) -> Option<&'static str> {
        let letters = self.text.chars().filter(|c| c.is_alphabetic()).count();
        if letters == 0 {
            return None;
        }
        let foreign = self.text.chars().filter(|c| c.is_alphabetic() && !is_latin(*c)).count();
        if foreign * 10 > letters * 3 {
            Some(of_script(&self.text))
        } else {
            self.of_latin().filter(|tag| *tag != "und")
        }
    }

    /// `en`, unless there are signs of a language that could not be told.
    fn english_or_unknown(&self) -> &'static str {
        let number = self.words().count();
        if number == 0 {
            return "und";
        }
        let english = self.words().filter(|word| languages_of(word) & 1 != 0).count();
        let doubtful = english == 0 && number >= 3 || english * 12 < number;
        let accents = self.lower.chars().filter(|c| c.is_alphabetic() && !c.is_ascii()).count();
        // Longer small words of one language stand in no other.
        let told = |word: &str| {
            word.chars().count() >= 4 && !matches!(word, "door" | "over") && languages_of(word) > 1
        };
        let unlike = || {
            self.statistics()
                .is_some_and(|info| info.lang() != whatlang::Lang::Eng && info.confidence() > 0.5)
        };
        let strange = || self.words().any(told) || accents * 30 > self.text.len() || unlike();
        if doubtful && strange() || self.of_latin().is_some() { "und" } else { "en" }
    }

    /// The language of a text in Latin letters.
    fn of_latin(&self) -> Option<&'static str> {
        let mut counts = [0; LATIN.len()];
        let mut number = 0;
        for word in self.words() {
            number += 1;
            let languages = languages_of(word);
            (0..LATIN.len()).filter(|at| languages & 1 << at != 0).for_each(|at| counts[at] += 1);
        }
        let english = counts[0];
        let most = counts[1..].iter().copied().max().unwrap_or(0);
        let leaders: Vec<usize> = (1..LATIN.len()).filter(|at| counts[*at] == most).collect();
        let confirmed = || leaders.iter().any(|at| self.guessed() == Some(LATIN[*at]));
        let ahead = most >= 2
            && most * 8 >= number
            && (most > english + 1 || most > english && confirmed());
        if !ahead {
            if !self.is_long() || english * 8 >= number {
                return None;
            }
            let (info, tag) = (self.statistics()?, self.guessed()?);
            let known = LATIN.iter().position(|known| *known == tag);
            let borne_out = known.is_none_or(|at| counts[at] + 1 >= most);
            return (info.is_reliable() && tag != "eng" && borne_out).then(|| self.refined(tag));
        }
        if let [only] = leaders[..] {
            let second = (1..LATIN.len()).filter(|at| *at != only).map(|at| counts[at]).max();
            let clear = most >= second.unwrap_or(0) + 2 || only < SOON_TOLD;
            if clear || self.guessed() == Some(LATIN[only]) {
                return Some(self.refined(LATIN[only]));
            }
        }
        // Neighbours share small words: letters and statistics tell them apart.
        let close = |at: &usize| counts[*at] + 1 >= most;
        let marked = |at: &usize| self.lower.contains(|c| of(LETTERS, LATIN[*at]).contains(c));
        if let Some(at) = (1..LATIN.len())
            .filter(close)
            .find(|at| self.guessed() == Some(LATIN[*at]) || marked(at))
        {
            return Some(self.refined(LATIN[at]));
        }
        match leaders.as_slice() {
            [first, rest @ ..] if *first < SOON_TOLD && rest.iter().all(|at| *at >= SOON_TOLD) => {
                Some(LATIN[*first])
            }
            _ => self.is_long().then_some("und"),
        }
    }

    /// Danish and Norwegian are told apart by what only one of them writes; Swedish has letters of its own.
    fn refined(&self, tag: &'static str) -> &'static str {
        if !matches!(tag, "da" | "nb" | "sv") {
            return tag;
        }
        let has =
            |known: &str| self.words().any(|word| known.split(' ').any(|other| other == word));
        let swedish = self.lower.contains(['ä', 'ö']) && !self.lower.contains(['æ', 'ø']);
        if swedish || has(of(OWN, "sv")) {
            return if has("og ikke jeg") { "und" } else { "sv" };
        }
        match (has(of(OWN, "da")), has(of(OWN, "nb"))) {
            (true, false) => "da",
            (false, true) => "nb",
            _ if tag == "sv" => "und",
            _ => tag,
        }
    }
}

/// The languages that a word is frequent in, a bit for each of [`LATIN`].
fn languages_of(word: &str) -> u32 {
    LANGUAGES_OF.get(word).copied().unwrap_or(0)
}

/// The language of a text in other letters than Latin ones.
fn of_script(sample: &str) -> &'static str {
    let has = |letters: &str| sample.contains(|c: char| letters.contains(c));
    let count = |from: char, to: char| sample.chars().filter(|c| (from..=to).contains(c)).count();
    let scripts = [
        ("ja", count('\u{3040}', '\u{30ff}') * 3),
        ("ko", count('\u{ac00}', '\u{d7a3}') + count('\u{1100}', '\u{11ff}')),
        ("zh", count('\u{3400}', '\u{9fff}')),
        ("cyrillic", count('\u{400}', '\u{4ff}')),
        ("arabic", count('\u{620}', '\u{6ff}')),
        ("he", count('\u{5d0}', '\u{5ea}')),
        ("devanagari", count('\u{900}', '\u{97f}')),
        ("el", count('\u{370}', '\u{3ff}')),
        ("th", count('\u{e00}', '\u{e7f}')),
    ];
    let (script, most) = scripts
        .iter()
        .copied()
        .fold(("", 0), |best, next| if next.1 > best.1 { next } else { best });
    if most == 0 {
        return whatlang::detect_lang(sample).map_or("und", |lang| two_letters(lang.code()));
    }
    match script {
        "cyrillic" => cyrillic(&sample.to_lowercase()),
        "arabic" if has("ٹڈڑںےھ") => "ur",
        "arabic" if has("پچژگ") || sample.contains('ک') && sample.contains('ی') => "fa",
        "arabic" => "ar",
        "devanagari" => devanagari(sample),
        "zh" if sample.contains(|c: char| ('\u{3040}'..='\u{30ff}').contains(&c)) => "ja",
        other => other,
    }
}

/// Number of small words of a language in a text.
fn says(text: &str, tag: &str) -> usize {
    text.split(|c: char| c.is_whitespace() || c.is_ascii_punctuation() || c == '।')
        .filter(|word| of(SMALL, tag).split(' ').any(|known| known == *word))
        .count()
}

/// Which of the languages in Cyrillic letters; their letters differ.
fn cyrillic(lower: &str) -> &'static str {
    let has = |letters: &str| lower.contains(|c: char| letters.contains(c));
    if has("ѓќѕ") {
        return "mk";
    }
    if has("ђћ") {
        return "sr";
    }
    if has("љњџј") {
        return if says(lower, "mk") > says(lower, "sr") { "mk" } else { "sr" };
    }
    if has("ў") {
        return "be";
    }
    if has("їєґ") {
        return "uk";
    }
    if has("әғқңөұүһ") {
        return "und";
    }
    if has("і") {
        return if has("ыэ") { "be" } else { "uk" };
    }
    if has("ыэё") {
        return "ru";
    }
    let [russian, bulgarian, ukrainian] = ["ru", "bg", "uk"].map(|tag| says(lower, tag));
    let best = russian.max(bulgarian).max(ukrainian);
    if has("ъ") && bulgarian >= russian && bulgarian > 0 {
        return "bg";
    }
    match whatlang::detect(lower).map(|info| two_letters(info.lang().code())) {
        Some("ru") if russian >= bulgarian && russian >= ukrainian => "ru",
        Some("bg") if bulgarian > russian => "bg",
        Some("uk") if ukrainian > russian => "uk",
        _ if best == russian && russian > bulgarian && russian > ukrainian => "ru",
        _ if russian == 0 && lower.contains("ть") | lower.contains("те ") => "ru",
        _ => "und",
    }
}

/// Which of the languages in Devanagari letters; their small words differ.
fn devanagari(sample: &str) -> &'static str {
    let counts = ["hi", "mr", "ne"].map(|tag| (tag, says(sample, tag)));
    let (tag, most) =
        counts.into_iter().fold(("und", 0), |best, next| if next.1 > best.1 { next } else { best });
    if counts.iter().filter(|(_, count)| *count == most).count() == 1 { tag } else { "und" }
}

fn is_latin(character: char) -> bool {
    matches!(character, 'a'..='z' | 'A'..='Z' | 'ª' | 'º' | 'À'..='\u{24f}' | '\u{1e00}'..='\u{1eff}')
}

/// ISO 639-3 codes of the detector as two-letter tags.
fn two_letters(code: &'static str) -> &'static str {
    match code {
        "deu" => "de",
        "fra" => "fr",
        "spa" => "es",
        "ita" => "it",
        "por" => "pt",
        "nld" => "nl",
        "pol" => "pl",
        "rus" => "ru",
        "ukr" => "uk",
        "ces" => "cs",
        "slk" => "sk",
        "slv" => "sl",
        "hrv" => "hr",
        "srp" => "sr",
        "bul" => "bg",
        "ron" => "ro",
        "hun" => "hu",
        "ell" => "el",
        "tur" => "tr",
        "swe" => "sv",
        "dan" => "da",
        "nob" => "nb",
        "fin" => "fi",
        "est" => "et",
        "lav" => "lv",
        "lit" => "lt",
        "cat" => "ca",
        "mkd" => "mk",
        "ara" => "ar",
        "heb" | "yid" => "he",
        "pes" => "fa",
        "urd" => "ur",
        "hin" => "hi",
        "ben" => "bn",
        "tam" => "ta",
        "tel" => "te",
        "mar" => "mr",
        "guj" => "gu",
        "kan" => "kn",
        "mal" => "ml",
        "pan" => "pa",
        "nep" => "ne",
        "sin" => "si",
        "tha" => "th",
        "vie" => "vi",
        "ind" => "id",
        "jav" => "id",
        "tgl" => "tl",
        "jpn" => "ja",
        "kor" => "ko",
        "cmn" => "zh",
        "amh" => "am",
        "afr" => "af",
        "zul" => "zu",
        "kat" => "ka",
        "hye" => "hy",
        "aze" => "az",
        "uzb" => "uz",
        "epo" => "eo",
        "lat" => "la",
        "bel" => "be",
        "mya" => "my",
        "khm" => "km",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tag, short request, longer one.
    fn rows() -> Vec<[&'static str; 3]> {
        include_str!("../../tests/suite/analyzing_languages.tsv")
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| {
                let mut fields = line.split('\t');
                std::array::from_fn(|_| fields.next().expect("three fields"))
            })
            .collect()
    }

    #[test]
    fn longer_texts_are_told_in_thirty_languages() {
        let wrong: Vec<String> = rows()
            .iter()
            .filter(|[tag, _, long]| detect(long) != *tag)
            .map(|[tag, _, long]| format!("{tag}: {} for {long}", detect(long)))
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn short_texts_are_told_or_left_open_but_never_mistaken() {
        let mut open = 0;
        let mut wrong = Vec::new();
        for [tag, short, _] in rows() {
            match detect(short) {
                guess if guess == tag => {}
                "und" => open += 1,
                guess => wrong.push(format!("{tag}: {guess} for {short}")),
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert!(open <= 8, "{open} left open");
    }

    #[test]
    fn names_and_keywords_are_no_foreign_language() {
        for text in [
            "marketing",
            "Mona Lisa",
            "whale, sea, dusk, woodcut, wide shot, mist, blue, foam",
            "Refactor this Python class",
            "Fix login bug",
            "Blog post ideas, vegan recipes",
            "Socratic dialogue between Plato and Confucius",
            "photorealistic portrait, golden hour, 85mm lens, shallow depth of field",
        ] {
            assert_eq!(detect(text), "en", "{text}");
        }
    }
}
