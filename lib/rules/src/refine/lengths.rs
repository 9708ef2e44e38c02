//! Lengths as feedback and prompts state them, in six languages.

use std::ops::Range;

use super::settings::{WORDS, column, plain, row_of};

/// A length as feedback or a prompt states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Length {
    /// Where it stands, in bytes.
    pub range: Range<usize>,
    /// Which kind of bound, by row of the table; none for a bare number.
    bound: Option<usize>,
    /// The number or range, as written.
    number: String,
    /// What is counted, by row of the table.
    pub unit: usize,
    /// The words for the bound before the figure, for the unit, and for the bound behind it, as written.
    words: [String; 3],
    /// Whether it stands before a noun: "a 500-word essay".
    pub attribute: bool,
}

/// The lengths that a text states, in order.
pub fn lengths(text: &str) -> Vec<Length> {
    let length = |found: regex::Captures<'_>| {
        let word = |name| found.name(name).map_or("", |word: regex::Match<'_>| word.as_str());
        let bound = row_of(&WORDS.bounds, word("bound"));
        Some(Length {
            range: found.get(0)?.range(),
            bound: bound.or_else(|| row_of(&WORDS.behind, word("behind"))),
            number: match found.name("to") {
                Some(to) => format!("{}–{}", &found["n"], to.as_str()),
                None => found["n"].to_owned(),
            },
            unit: row_of(&WORDS.units, &found["unit"])?,
            words: ["bound", "unit", "behind"].map(|name| word(name).to_owned()),
            attribute: &found["gap"] == "-",
        })
    };
    budget::spend(text.len());
    WORDS.length.captures_iter(text).filter_map(length).collect()
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

    /// The length in the language of `tag`; without a bound of its own it takes that of `earlier`, whose words it
    /// keeps where they fit.
    pub fn in_language(&self, tag: &str, earlier: Option<&Self>) -> String {
        let (data, column) = (&WORDS.data, column(tag));
        let unit = plain(&data.units[self.unit][column]);
        if earlier.is_some_and(|earlier| earlier.attribute) && self.bound.is_none() && tag == "en" {
            return format!("{}-{}", self.number, unit.trim_end_matches('s'));
        }
        let is_one = |length: &Self| length.number == "1";
        let unit = match earlier.filter(|earlier| !earlier.attribute) {
            Some(earlier) if is_one(earlier) == is_one(self) => earlier.words[1].clone(),
            _ if is_one(self) => unit.trim_end_matches(['s', 'n']).to_owned(),
            _ => unit,
        };
        let same = |earlier: &&Self| self.bound.is_none() || self.bound == earlier.bound;
        let bound =
            || self.bound.map(|bound| plain(&data.bounds[bound][column])).unwrap_or_default();
        let [before, behind] = match earlier.filter(same) {
            Some(earlier) => [earlier.words[0].clone(), earlier.words[2].clone()],
            None => [bound(), String::new()],
        };
        [before, self.number.clone(), unit, behind].join(" ").trim().to_owned()
    }
}
