//! Tones, formats and lengths in six languages, so that feedback in one sets a prompt in another.

use std::sync::LazyLock;

use regex::{Regex, RegexBuilder};
use serde::Deserialize;

use patterns::pattern;

/// Rows of expressions with one column a language; the first alternative of a cell is the one to write.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Data {
    languages: Vec<String>,
    tones: Vec<Vec<String>>,
    formats: Vec<Vec<String>>,
    units: Vec<Vec<String>>,
    bounds: Vec<Vec<String>>,
    /// Tones that cannot be had at once, by their first English word.
    opposites: Vec<(String, String)>,
    /// Formats of which an answer can have only one, by their first English expression.
    exclusive: Vec<Vec<String>>,
}

struct Words {
    data: Data,
    tones: Vec<Regex>,
    formats: Vec<Regex>,
    bounds: Vec<Regex>,
    units: Vec<Regex>,
    length: Regex,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let data: Data =
        serde_json::from_str(include_str!("../../../knowledge/refining/settings.json"))
            .expect("settings.json is compiled in");
    let compiled = |pattern: String| {
        RegexBuilder::new(&pattern)
            .case_insensitive(true)
            .build()
            .expect("settings are compiled in")
    };
    let whole = |rows: &[Vec<String>]| -> Vec<Regex> {
        rows.iter().map(|row| compiled(format!("^(?:{})$", row.join("|")))).collect()
    };
    let any =
        |rows: &[Vec<String>]| rows.iter().map(|row| row.join("|")).collect::<Vec<_>>().join("|");
    let length = compiled(format!(
        r"(?:\b(?P<bound>{})\s+)?\b(?P<n>\d{{1,3}}(?:[.,  ]\d{{3}})+|\d+)(?:\s?(?:-|–|—|to|bis|à|a)\s?(?P<to>\d[\d.,]*))?(?P<gap>[- ])(?P<unit>{})\b(?:\s+(?P<after>max(?:imum)?|at most|or less|or fewer|maximal|höchstens|maximum|au maximum|máximo|como máximo|no máximo|massimo|al massimo|minimum|at least|or more|mindestens|au minimum|mínimo|minimo)\b)?",
        any(&data.bounds),
        any(&data.units)
    ));
    Words {
        tones: data
            .tones
            .iter()
            .map(|row| compiled(format!("^(?:{})(?:e|er|es|en|em)?$", row.join("|"))))
            .collect(),
        formats: whole(&data.formats),
        bounds: whole(&data.bounds),
        units: whole(&data.units),
        length,
        data,
    }
});

fn column(tag: &str) -> usize {
    WORDS.data.languages.iter().position(|known| known == tag).unwrap_or(0)
}

/// The expression that a cell of the table begins with, without the signs of its pattern.
fn plain(cell: &str) -> String {
    let first = cell.split('|').next().unwrap_or_default();
    pattern!(r"\(\?:\w+\)\?|\\|\?")
        .replace_all(&first.replace("[oa]", "o").replace("[óo]", "ó"), "")
        .into_owned()
}

fn row_of(patterns: &[Regex], word: &str) -> Option<usize> {
    patterns.iter().position(|pattern| pattern.is_match(word))
}

/// Whether a word names a tone in one of the six languages.
pub fn is_tone(word: &str) -> bool {
    row_of(&WORDS.tones, word).is_some()
}

/// A tone in the language of `tag`. Words that are not known stay as they are.
pub fn tone_in(tag: &str, tone: &str) -> String {
    let joined: Vec<String> = tone
        .split(' ')
        .map(|word| {
            let bare = word.trim_matches(',');
            match (bare.to_lowercase().as_str(), row_of(&WORDS.tones, bare)) {
                (_, Some(row)) => word.replace(bare, &plain(&WORDS.data.tones[row][column(tag)])),
                ("and" | "und" | "et" | "y" | "e", _) => {
                    ["and", "und", "y", "et", "e", "e"][column(tag)].to_owned()
                }
                ("more" | "mehr" | "plus" | "más" | "più" | "mais", _) => {
                    ["more", "mehr", "más", "plus", "più", "mais"][column(tag)].to_owned()
                }
                ("less" | "weniger" | "moins" | "menos" | "meno", _) => {
                    ["less", "weniger", "menos", "moins", "meno", "menos"][column(tag)].to_owned()
                }
                _ => word.to_owned(),
            }
        })
        .collect();
    joined.join(" ")
}

/// Whether words name a format in one of the six languages.
pub fn is_format(words: &str) -> bool {
    row_of(&WORDS.formats, words).is_some()
}

/// The formats in all six languages, as alternatives of a pattern.
pub fn format_words() -> String {
    let mut cells: Vec<&str> =
        WORDS.data.formats.iter().flatten().flat_map(|cell| cell.split('|')).collect();
    // The first alternative that fits is taken, so the longer ones come first.
    cells.sort_by_key(|cell| std::cmp::Reverse(cell.len()));
    cells.dedup();
    cells.join("|")
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
        Some(first) if is_tone(first.trim_matches(',')) => bare.into_owned(),
        _ => tone.to_owned(),
    }
}

/// Whether two tones cannot be had at once.
pub fn tones_clash(one: &str, other: &str) -> bool {
    let less = |tone: &str| {
        pattern!(r"(?i)^{refine_settings.less} (?P<v>\S+)$")
            .captures(tone)
            .and_then(|found| row_of(&WORDS.tones, &found["v"]))
    };
    let rows = |tone: &str| -> Vec<usize> {
        tone.split([' ', ',']).filter_map(|word| row_of(&WORDS.tones, word)).collect()
    };
    let opposed = |one: usize, other: usize| {
        let is = |row: usize, word: &str| plain(&WORDS.data.tones[row][0]) == word;
        WORDS.data.opposites.iter().any(|(this, that)| {
            is(one, this) && is(other, that) || is(one, that) && is(other, this)
        })
    };
    match (less(one), less(other)) {
        (Some(one), Some(other)) => opposed(one, other),
        (Some(row), None) => rows(other).contains(&row),
        (None, Some(row)) => rows(one).contains(&row),
        (None, None) => {
            rows(one).iter().any(|one| rows(other).iter().any(|other| opposed(*one, *other)))
        }
    }
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
        r"(?i)^(?P<n>\d{1,2}|{refine_settings.factor})(?:x| ?{refine_settings.times}| {refine_settings.times_apart}) {refine_settings.longer}$"
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
        let number = match &found["n"] {
            "three" | "drei" | "trois" | "tres" | "tre" | "três" => 3,
            "four" | "vier" | "quatre" | "cuatro" | "quattro" => 4,
            "five" | "fünf" => 5,
            digits => digits.parse().ok().filter(|number| *number > 0)?,
        };
        return Some(100 * number);
    }
    let found = percent.captures(text)?;
    let share: u32 = found["n"].parse().ok()?;
    let shrinks = pattern!(r"(?i){refine_settings.short_stem}").is_match(&found["way"]);
    if shrinks { 100_u32.checked_sub(share).filter(|left| *left > 0) } else { Some(100 + share) }
}

/// A length as feedback or a prompt states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Length {
    /// Where it stands, in bytes.
    pub range: std::ops::Range<usize>,
    /// Which kind of bound, by row of the table; none for a bare number.
    bound: Option<usize>,
    /// The number or range, as written.
    number: String,
    /// What is counted, by row of the table.
    pub unit: usize,
    /// The words for the bound and the unit, as written.
    words: (String, String),
    /// The words for the bound behind the unit: "500 mots maximum".
    behind: String,
    /// Whether it stands before a noun: "a 500-word essay".
    pub attribute: bool,
}

/// The lengths that a text states, in order.
pub fn lengths(text: &str) -> Vec<Length> {
    WORDS
        .length
        .captures_iter(text)
        .filter_map(|found| {
            let whole = found.get(0)?;
            let bound = found.name("bound").and_then(|word| row_of(&WORDS.bounds, word.as_str()));
            let after = found.name("after").map(|word| {
                usize::from(pattern!(r"(?i)^{refine_settings.at_least}").is_match(word.as_str()))
            });
            let number = match found.name("to") {
                Some(to) => format!("{}–{}", &found["n"], to.as_str()),
                None => found["n"].to_owned(),
            };
            Some(Length {
                range: whole.range(),
                bound: bound.or(after),
                number,
                unit: row_of(&WORDS.units, &found["unit"])?,
                words: (
                    found.name("bound").map_or_else(String::new, |word| word.as_str().to_owned()),
                    found["unit"].to_owned(),
                ),
                behind: found
                    .name("after")
                    .map_or_else(String::new, |word| word.as_str().to_owned()),
                attribute: &found["gap"] == "-",
            })
        })
        .collect()
}

impl Length {
    /// The number, if it is one: "1,200" is, "3–5" is not.
    pub fn value(&self) -> Option<u64> {
        let digits: String = self.number.chars().filter(char::is_ascii_digit).collect();
        let one = self.number.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | '.' | ' '));
        digits.parse().ok().filter(|_| one && self.number.len() < 12)
    }

    /// The same length with another number.
    pub fn with_value(&self, value: u64) -> Self {
        Self { number: value.to_string(), bound: None, ..self.clone() }
    }

    /// Whether both cannot be met, or only one of them can be meant.
    pub fn excludes(&self, other: &Self) -> bool {
        const AT_MOST: usize = 0;
        const AT_LEAST: usize = 1;
        if self.unit != other.unit {
            return false;
        }
        match (self.bound, other.bound, self.value(), other.value()) {
            (Some(AT_LEAST), Some(AT_MOST), Some(least), Some(most))
            | (Some(AT_MOST), Some(AT_LEAST), Some(most), Some(least)) => least > most,
            _ => self.number != other.number || self.bound != other.bound,
        }
    }

    /// Whether it is a bound, as "at most 100 words" is.
    pub fn is_bound(&self) -> bool {
        self.bound.is_some()
    }

    /// The length in the language of `tag`; without a bound of its own it takes that of `earlier`.
    pub fn in_language(&self, tag: &str, earlier: Option<&Self>) -> String {
        let column = column(tag);
        if earlier.is_some_and(|earlier| earlier.attribute) && self.bound.is_none() && tag == "en" {
            return format!(
                "{}-{}",
                self.number,
                plain(&WORDS.data.units[self.unit][0]).trim_end_matches('s')
            );
        }
        // Where the prompt has words for it, they are inflected as its sentence needs them.
        let unit = match earlier {
            Some(earlier)
                if !earlier.attribute && (earlier.number == "1") == (self.number == "1") =>
            {
                earlier.words.1.clone()
            }
            _ => {
                let unit = plain(&WORDS.data.units[self.unit][column]);
                match self.number.as_str() {
                    "1" => unit.trim_end_matches(['s', 'n']).to_owned(),
                    _ => unit,
                }
            }
        };
        let keeps = |earlier: &Self| self.bound.is_none() || self.bound == earlier.bound;
        if let Some(earlier) = earlier
            && !earlier.behind.is_empty()
            && keeps(earlier)
        {
            return format!("{} {unit} {}", self.number, earlier.behind);
        }
        // Behind a preposition, these bounds follow their figure in French and Spanish.
        if let (Some(_), Some(bound)) = (earlier, self.bound)
            && !earlier.is_some_and(keeps)
            && let Some(behind) = match (tag, bound) {
                ("fr", 0) => Some("maximum"),
                ("fr", 1) => Some("minimum"),
                ("es", 0) => Some("como máximo"),
                ("es", 1) => Some("como mínimo"),
                _ => None,
            }
        {
            return format!("{} {unit} {behind}", self.number);
        }
        let bound = match earlier {
            Some(earlier) if keeps(earlier) => {
                Some(earlier.words.0.clone()).filter(|words| !words.is_empty())
            }
            _ => self.bound.map(|bound| plain(&WORDS.data.bounds[bound][column])),
        };
        match bound {
            Some(bound) => format!("{bound} {} {unit}", self.number),
            None => format!("{} {unit}", self.number),
        }
    }
}
