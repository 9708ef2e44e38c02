//! Tones, formats and lengths in six languages, so that feedback in one sets a prompt in another.

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Regex, RegexBuilder};
use serde::Deserialize;

use patterns::pattern;

/// Rows of expressions with one column a language; the first alternative of a cell is the one to write.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Data {
    languages: Vec<String>,
    tones: Vec<Vec<String>>,
    formats: Vec<Vec<String>>,
    /// What is counted.
    pub units: Vec<Vec<String>>,
    /// Bounds before a figure: at most, at least, about, exactly.
    pub bounds: Vec<Vec<String>>,
    /// Bounds behind a figure and its unit, in the same order.
    behind: Vec<Vec<String>>,
    /// What leads to a format within a sentence: "as".
    formed: Vec<String>,
    /// Verbs of a sentence that asks for a format alone: "return".
    gives: Vec<String>,
    articles: Vec<String>,
    /// What may follow the format in such a sentence.
    tails: Vec<String>,
    /// "And" between two tones.
    joints: Vec<String>,
    /// "More" and "less" before a tone.
    degrees: Vec<Vec<String>>,
    /// Tones that cannot be had at once, by their first English word.
    opposites: Vec<(String, String)>,
    /// Formats of which an answer can have only one, by their first English expression.
    exclusive: Vec<Vec<String>>,
}

pub(super) struct Words {
    pub data: Data,
    pub tones: Vec<Regex>,
    pub formats: Vec<Regex>,
    pub bounds: Vec<Regex>,
    pub behind: Vec<Regex>,
    pub units: Vec<Regex>,
    pub joints: Vec<Regex>,
    pub degrees: Vec<Regex>,
    pub length: Regex,
    pub formed: Regex,
    pub given: Regex,
}

/// The rows, compiled.
pub(super) static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let data: Data =
        serde_json::from_str(include_str!("../../../../knowledge/refining/settings.json"))
            .expect("settings.json is compiled in");
    let compiled = |pattern: String| {
        RegexBuilder::new(&pattern)
            .case_insensitive(true)
            .build()
            .expect("settings are compiled in")
    };
    let whole = |rows: &[Vec<String>], ending: &str| -> Vec<Regex> {
        rows.iter().map(|row| compiled(format!("^(?:{}){ending}$", row.join("|")))).collect()
    };
    let any = |rows: &[Vec<String>]| rows.concat().join("|");
    // The first alternative that fits is taken, so the longer ones come first.
    let mut formats: Vec<String> = data.formats.concat();
    formats = formats.iter().flat_map(|cell| cell.split('|')).map(str::to_owned).collect();
    formats.sort_by_key(|cell| std::cmp::Reverse(cell.len()));
    let format =
        format!(r"(?P<v>(?:(?:{})\s+)?(?:{}))", data.articles.join("|"), formats.join("|"));
    Words {
        tones: whole(&data.tones, "(?:e|er|es|en|em)?"),
        formats: whole(&data.formats, ""),
        bounds: whole(&data.bounds, ""),
        behind: whole(&data.behind, ""),
        units: whole(&data.units, ""),
        joints: whole(std::slice::from_ref(&data.joints), ""),
        degrees: whole(&data.degrees, ""),
        length: compiled(format!(
            r"(?:\b(?P<bound>{})\s+)?\b(?P<n>\d{{1,3}}(?:[.,  ]\d{{3}})+|\d+)(?:\s?(?:-|–|—|to|bis|à|a)\s?(?P<to>\d[\d.,]*))?(?P<gap>[- ])(?P<unit>{})\b(?:\s+(?P<behind>{})\b)?",
            any(&data.bounds),
            any(&data.units),
            any(&data.behind)
        )),
        formed: compiled(format!(
            r"\b(?:{})\s*\b{format}(?: format)?(?:[\s.,;:!?)]|$)",
            data.formed.join("|")
        )),
        given: compiled(format!(
            r"^(?:{})\s+{format}(?: (?:{}))?[.!]?$",
            data.gives.join("|"),
            data.tails.join("|")
        )),
        data,
    }
});

/// The column of a language.
pub(super) fn column(tag: &str) -> usize {
    WORDS.data.languages.iter().position(|known| known == tag).unwrap_or(0)
}

/// The expression that a cell of the table begins with, without the signs of its pattern.
pub(super) fn plain(cell: &str) -> String {
    let first = cell.split('|').next().unwrap_or_default();
    pattern!(r"\(\?:\w+\)\?|\\|\?")
        .replace_all(&first.replace("[oa]", "o").replace("[óo]", "ó"), "")
        .into_owned()
}

/// The first row that fits a word.
pub(super) fn row_of(patterns: &[Regex], word: &str) -> Option<usize> {
    budget::spend(patterns.len() * (1 + word.len()));
    patterns.iter().position(|pattern| pattern.is_match(word))
}

/// Whether words have the name of a tone in one of the six languages.
pub fn is_tone(words: &str) -> bool {
    words.split([' ', ',']).any(|word| row_of(&WORDS.tones, word).is_some())
}

/// A tone in the language of `tag`. Words that are not known stay as they are.
pub fn tone_in(tag: &str, tone: &str) -> String {
    let (data, column) = (&WORDS.data, column(tag));
    let words = tone.split(' ').map(|word| {
        let bare = word.trim_matches(',');
        let cell = if let Some(row) = row_of(&WORDS.tones, bare) {
            &data.tones[row][column]
        } else if let Some(row) = row_of(&WORDS.degrees, bare) {
            &data.degrees[row][column]
        } else if row_of(&WORDS.joints, bare).is_some() {
            &data.joints[column]
        } else {
            return word.to_owned();
        };
        word.replace(bare, &plain(cell))
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Whether words name a format in one of the six languages.
pub fn is_format(words: &str) -> bool {
    row_of(&WORDS.formats, words).is_some()
}

/// Formats as a text states them within its sentences: "as a table".
pub fn formats_within(text: &str) -> Vec<Range<usize>> {
    budget::spend(text.len());
    let found = WORDS.formed.captures_iter(text);
    found.filter_map(|found| found.name("v")).map(|value| value.range()).collect()
}

/// Whether a sentence asks for a format and nothing else: "Return a table."
pub fn asks_for_format(sentence: &str) -> bool {
    budget::spend(sentence.len());
    WORDS.given.is_match(sentence)
}

/// A format in the language of `tag`, `None` if it is not known.
pub fn format_in(tag: &str, format: &str) -> Option<String> {
    let row = row_of(&WORDS.formats, format)?;
    Some(plain(&WORDS.data.formats[row][column(tag)]))
}

/// A tone without "more", "very" and the like: nothing that the prompt could be compared with comes along, so
/// "more formal" is formal. "Less formal" stays.
pub fn without_degree(tone: &str) -> String {
    let bare =
        pattern!(r"(?i)^(?:{refine_settings.tone_article} )?(?:{refine_settings.tone_degree} )?")
            .replace(tone, "");
    match bare.split(' ').next() {
        Some(first) if is_tone(first) => bare.into_owned(),
        _ => tone.to_owned(),
    }
}

/// Whether two tones cannot be had at once. "Less formal" excludes what is formal.
pub fn tones_clash(one: &str, other: &str) -> bool {
    let rows = |tone: &str| -> Vec<usize> {
        tone.split([' ', ',']).filter_map(|word| row_of(&WORDS.tones, word)).collect()
    };
    let less = |tone: &str| pattern!(r"(?i)^{refine_settings.less} ").is_match(tone);
    let differ = less(one) != less(other);
    let opposed = |one: usize, other: usize| {
        let is = |row: usize, word: &str| plain(&WORDS.data.tones[row][0]) == word;
        WORDS.data.opposites.iter().any(|(this, that)| {
            is(one, this) && is(other, that) || is(one, that) && is(other, this)
        })
    };
    let clash = |one: usize, other: usize| if differ { one == other } else { opposed(one, other) };
    rows(one).iter().any(|one| rows(other).iter().any(|other| clash(*one, *other)))
}

/// Whether an answer cannot have both formats.
pub fn formats_clash(one: &str, other: &str) -> bool {
    let name = |format: &str| Some(plain(&WORDS.data.formats[row_of(&WORDS.formats, format)?][0]));
    match (name(one), name(other)) {
        (Some(one), Some(other)) => {
            let excludes = |group: &Vec<String>| group.contains(&one) && group.contains(&other);
            one != other && WORDS.data.exclusive.iter().any(excludes)
        }
        _ => false,
    }
}

/// How many percent of the length a remark wants: "twice as long", "half the length", "20% shorter".
pub fn scale(text: &str) -> Option<u32> {
    let twice = pattern!(r"(?i)^(?:{refine_settings.about} )?{refine_settings.twice}$");
    let half = pattern!(r"(?i)^(?:{refine_settings.half_about} )?{refine_settings.half}$");
    let times = pattern!(
        r"(?i)^(?P<n>\d{1,2})(?:x| ?{refine_settings.times}| {refine_settings.times_apart}) {refine_settings.longer}$"
    );
    let percent = pattern!(
        r"(?i)^(?:{refine_settings.share_by} )?(?P<n>\d{1,3}) ?(?:%|{refine_settings.percent}) (?P<way>{refine_settings.way})$"
    );
    if twice.is_match(text) {
        return Some(200);
    }
    if half.is_match(text) {
        return Some(50);
    }
    if let Some(found) = times.captures(text) {
        let number: u32 = found["n"].parse().ok().filter(|number| *number > 0)?;
        return Some(100 * number);
    }
    let found = percent.captures(text)?;
    let share: u32 = found["n"].parse().ok()?;
    let shrinks = pattern!(r"(?i){refine_settings.short_stem}").is_match(&found["way"]);
    if shrinks { 100_u32.checked_sub(share).filter(|left| *left > 0) } else { Some(100 + share) }
}

/// "At most" in English.
pub fn at_most() -> String {
    plain(&WORDS.data.bounds[0][0])
}

/// "Less" in English.
pub fn less() -> String {
    plain(&WORDS.data.degrees[1][0])
}

/// "And" in English.
pub fn and() -> String {
    plain(&WORDS.data.joints[0])
}
