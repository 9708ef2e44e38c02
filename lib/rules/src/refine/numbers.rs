//! The numbers of a text: how they are written, what kind of thing they are, and what they count.

use std::ops::Range;

use super::words::{content, names, words};
use patterns::{Pattern, pattern};
use text::{Cover, head, is_unspaced, tail};

/// A number as written: of a code ("A2", "v3"), a colour, a date of ideographs, or with separators.
const VALUE: Pattern = pattern!(
    r"(?:\d{4}年)?\d{1,2}月\d{1,2}日|#[0-9a-fA-F]{6}\b|(?:[A-Za-z]{1,4}-?)?\d+(?:[.,:'’]\d+|[ \x{a0}\x{202f}]\d{3}\b)*(?:[kKM]\b)?(?:(?:\s?[-–—~]\s?|\s(?:{refine.range}|{refine.joint})\s)(?:[A-Za-z]-?)?\d+(?:[.,:]\d+)*(?:[kKM]\b)?)?"
);
/// A number in words.
const COUNTED: Pattern = pattern!(r"(?i)\b{refine.counting}\b");
const MONEY: &str = "$€£¥₹";
/// Bytes around a number that tell what it is.
pub const AROUND: usize = 24;

/// What kind of thing a number is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Plain,
    Money,
    Percent,
    Date,
    Clock,
    Hour,
    Ratio,
    Year,
    Colour,
    Code,
}

impl Class {
    /// The kind of a number that is no date, by its form and what stands around it.
    fn of(number: &str, before: &str, after: &str, spelled: bool) -> Self {
        let currency = || {
            pattern!(r"(?i)^\s?(?:{refine.currency})(?:[^\p{L}]|$)").is_match(after)
                || pattern!(r"^\s?(?:{refine.currency})").is_match(after)
                    && after.starts_with(is_unspaced)
                || pattern!(r"(?i)(?:^|[^\p{L}])(?:{refine.currency})\s?$").is_match(before)
        };
        match number.chars().next() {
            Some('#') => Self::Colour,
            Some(c) if c.is_alphabetic() && !spelled => Self::Code,
            _ if pattern!(r"^\d+:\d$|^9:16$").is_match(number) || before.ends_with("--ar ") => {
                Self::Ratio
            }
            _ if number.contains(':') => Self::Clock,
            _ if pattern!(r"(?i)^\s?(?:{refine.hour})").is_match(after) => Self::Hour,
            _ if before.trim_end().ends_with(|c| MONEY.contains(c)) => Self::Money,
            _ if after.trim_start().starts_with(|c| MONEY.contains(c)) => Self::Money,
            _ if currency() => Self::Money,
            _ if after.trim_start().starts_with('%') => Self::Percent,
            _ if pattern!(r"^(?:19|20)\d\d$").is_match(number)
                && !after.starts_with([' ', '-', '\u{a0}']) =>
            {
                Self::Year
            }
            _ => Self::Plain,
        }
    }
}

/// A number of a text.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The number itself; a date with its month.
    pub range: Range<usize>,
    /// What kind of thing it is.
    pub class: Class,
    /// The word that it counts, if one follows.
    pub unit: Range<usize>,
    /// Whether it stands in words.
    pub spelled: bool,
}

impl Figure {
    /// Whether it is a format: "16:9".
    pub fn is_ratio(&self) -> bool {
        self.class == Class::Ratio
    }
}

/// The numbers of a text outside what is `held`.
pub fn figures(text: &str, held: &Cover) -> Vec<Figure> {
    budget::spend(text.len());
    let letter = |c: char| c.is_alphanumeric() && c.is_ascii() || matches!(c, '_' | '#');
    let figure = |range: Range<usize>, spelled: bool| {
        let (mut before, mut after) = (&text[..range.start], &text[range.end..]);
        if !spelled && before.ends_with(letter) {
            return None;
        }
        before = tail(before, AROUND);
        after = head(after, AROUND);
        let number = &text[range.clone()];
        let mut range = range.clone();
        let (month, behind) = (
            pattern!(r"(?i)\b(?:{sentences.month})\p{L}*\.?\s$").find(before),
            pattern!(r"(?i)^\.?\s(?:{sentences.month})\p{L}*").find(after),
        );
        let day = number.len() <= 2;
        let dated = day && (behind.is_some() || month.is_some()) || number.contains('月');
        let class = if dated { Class::Date } else { Class::of(number, before, after, spelled) };
        if class == Class::Date {
            range.end += behind.filter(|_| day).map_or(0, |found| found.end());
            if let Some(month) = month.filter(|_| day && behind.is_none()) {
                range.start -= before.len() - month.start();
            }
        }
        let rest = &text[range.end..];
        let gap = pattern!(r"^[ \x{a0}-]?").find(rest).map_or(0, |gap| gap.end());
        let next = words(head(&rest[gap..], 2 * AROUND)).into_iter().next();
        let next =
            next.filter(|word| word.start == 0 && (gap == 0 || names(&rest[gap..gap + word.end])));
        let from = range.end + gap;
        let unit = next.map_or(range.end..range.end, |word| from..from + word.end);
        Some(Figure { range, class, unit, spelled })
    };
    let numbers = VALUE.find_iter(text).map(|found| (found.range(), false));
    let spelled = COUNTED.find_iter(text).map(|found| (found.range(), true));
    let all = numbers.chain(spelled).filter(|(range, _)| !held.touches(range));
    let mut found: Vec<Figure> =
        all.filter_map(|(range, spelled)| figure(range, spelled)).collect();
    found.retain(|figure| !figure.spelled || !figure.unit.is_empty());
    found.sort_by_key(|figure| figure.range.start);
    found
}

/// Whether a point is a number and what it counts, and nothing else.
pub fn is_bare(point: &str) -> bool {
    let numbers = figures(point, &Cover::default());
    let [figure] = &numbers[..] else { return false };
    let rest = format!("{} {}", &point[..figure.range.start], &point[figure.unit.end..]);
    content(&rest).is_empty()
}

/// Whether a number as written is a range.
pub fn is_pair(number: &str) -> bool {
    pattern!(r"\d\s?[-–—~]\s?[A-Za-z-]*\d|\d [\p{L}]+ [A-Za-z-]*\d").is_match(number)
}

/// What bound stands before a number: at most, at least, about.
pub fn bound(text: &str, figure: &Figure) -> Option<usize> {
    let before = tail(&text[..figure.range.start], AROUND).trim_end_matches(|c| MONEY.contains(c));
    let bounds = [
        pattern!(r"(?i)(?:^|[^\p{L}])(?:{refine.upper})\s*$"),
        pattern!(r"(?i)(?:^|[^\p{L}])(?:{refine.lower})\s*$"),
        pattern!(r"(?i)(?:^|[^\p{L}])(?:{refine.about})\s*$"),
    ];
    bounds.iter().position(|says| says.is_match(before))
}
