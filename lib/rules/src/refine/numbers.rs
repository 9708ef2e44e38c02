//! The numbers of a text: how they are written, what kind of thing they are, and what they count.

use std::ops::Range;

use super::words::{content, names, words};
use patterns::{Captures, Pattern, pattern};
use text::{Cover, head, is_unspaced, tail};

/// A number as written: a date, a telephone number, a code ("A2", "v3"), a colour, an amount with separators, a range.
const VALUE: Pattern = pattern!(
    r"(?P<d>(?:\d{4}年)?\d{1,2}月\d{1,2}日|\b\d{1,2}\.?\s(?i:{sentences.month})\p{L}*|\b(?i:{sentences.month})\p{L}*\.?\s\d{1,2}\b)|(?P<p>(?:\+\d|\(0|\b0)\d[\d ()]{5,}\d\b|\b(?:\d{3}-)?\d{3}-\d{4}\b)|#[0-9a-fA-F]{6}\b|(?:[A-Za-z]{1,4}-?)?\d+(?:[.,:'’]\d+|[ \x{a0}\x{202f}]\d{3}\b)*(?:[kKM]\b)?(?:(?:\s?[-–—~]\s?|\s(?:{refine.range}|{refine.joint})\s)(?:[A-Za-z]-?)?\d+(?:[.,:]\d+)*(?:[kKM]\b)?)?"
);
const COUNTED: Pattern = pattern!(r"(?i)\b{refine.counting}\b");
const MONEY: &str = "$€£¥₹";
/// The kind of [`bound`] that says what a number without one says.
pub const EXACT: usize = 3;
/// Bytes around a number that tell what it is.
const AROUND: usize = 24;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Plain,
    Money,
    Percent,
    Date,
    Clock,
    Ratio,
    /// With letters, a colour, or a telephone number.
    Code,
}

impl Class {
    /// The kind of a number that is no date and no number in words, by its form and what stands around it.
    fn of(number: &str, before: &str, after: &str) -> Self {
        let currency = || {
            pattern!(r"(?i)^\s?(?:{refine.currency})(?:[^\p{L}]|$)").is_match(after)
                || pattern!(r"^\s?(?:{refine.currency})").is_match(after)
                    && after.starts_with(is_unspaced)
                || pattern!(r"(?i)(?:^|[^\p{L}])(?:{refine.currency})\s?$").is_match(before)
        };
        let sign = |c| MONEY.contains(c);
        match after.trim_start() {
            _ if number.starts_with(|c: char| c == '#' || c.is_alphabetic()) => Self::Code,
            _ if pattern!(r"^\d+:\d$|^9:16$").is_match(number) => Self::Ratio,
            _ if number.contains(':') => Self::Clock,
            rest if rest.starts_with(sign) || before.trim_end().ends_with(sign) => Self::Money,
            _ if currency() => Self::Money,
            rest if rest.starts_with('%') => Self::Percent,
            _ => Self::Plain,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Figure {
    /// The number itself; a date with its month.
    pub range: Range<usize>,
    pub class: Class,
    /// The word that it counts, if one follows.
    pub unit: Range<usize>,
    pub spelled: bool,
}

impl Figure {
    fn of(text: &str, range: Range<usize>, class: Option<Class>, spelled: bool) -> Option<Self> {
        let (before, rest) = (&text[..range.start], &text[range.end..]);
        let letter = |c: char| c.is_alphanumeric() && c.is_ascii() || matches!(c, '_' | '#');
        if !spelled && before.ends_with(letter) {
            return None;
        }
        let (number, after) = (&text[range.clone()], head(rest, 2 * AROUND));
        let class = class.unwrap_or_else(|| Class::of(number, tail(before, AROUND), after));
        let gap = pattern!(r"^[ \x{a0}-]?").find(after).map_or(0, |gap| gap.end());
        let counted = |word: &Range<usize>| {
            let word = &after[gap..][word.clone()];
            gap == 0 || names(word) || pattern!(r"(?i)^(?:{refine.hour})").is_match(word)
        };
        let next = words(&after[gap..]).into_iter().next().filter(|word| word.start == 0);
        let next = next.filter(counted).filter(|_| class != Class::Date);
        let from = range.end + gap;
        let unit = next.map_or(range.end..range.end, |word| from..from + word.end);
        (!spelled || !unit.is_empty()).then_some(Self { range, class, unit, spelled })
    }
}

/// The numbers of a text outside what is `held`.
pub fn figures(text: &str, held: &Cover) -> Vec<Figure> {
    budget::spend(text.len());
    let written = |found: Captures<'_>| {
        let phone = found.name("p").map(|_| Class::Code);
        let class = found.name("d").map(|_| Class::Date).or(phone);
        (found.get_match().range(), class, false)
    };
    let numbers = VALUE.captures_iter(text).map(written);
    let plain = Some(Class::Plain);
    let spelled = COUNTED.find_iter(text).map(|found| (found.range(), plain, true));
    let all = numbers.chain(spelled).filter(|(range, ..)| !held.touches(range));
    let mut found: Vec<Figure> =
        all.filter_map(|(range, class, spelled)| Figure::of(text, range, class, spelled)).collect();
    found.sort_by_key(|figure| figure.range.start);
    found
}

/// Whether a point is a number and what it counts, and nothing else.
pub fn is_bare(point: &str) -> bool {
    let numbers = figures(point, &Cover::default());
    let [figure] = &numbers[..] else { return false };
    let (before, behind) = (&point[..figure.range.start], &point[figure.unit.end..]);
    content(before).is_empty() && content(behind).is_empty()
}

/// Whether a number as written is a range.
pub fn is_pair(number: &str) -> bool {
    pattern!(r"\d\s?[-–—~]\s?[A-Za-z-]*\d|\d [\p{L}]+ [A-Za-z-]*\d").is_match(number)
}

/// What bound stands at a number, and the bytes from it to the number or from that to it: at most, at least, about, exactly.
pub fn bound(text: &str, figure: &Figure) -> Option<(usize, Range<usize>)> {
    let before = tail(&text[..figure.range.start], AROUND).trim_end_matches(|c| MONEY.contains(c));
    let from = figure.range.start - tail(&text[..figure.range.start], AROUND).len();
    let bounds = pattern!(
        r"(?i)(?:^|[^\p{L}])(?:(?P<u>{refine.upper})|(?P<l>{refine.lower})|(?P<a>{refine.about})|(?P<e>{refine.exact}))\s*$"
    );
    // "Went up to" is no bound.
    let said = pattern!(r"(?i)(?:^|[^\p{L}])(?:{refine.copula})\s*$").find(before);
    let said = said.map_or(before.len(), |found| found.start());
    let found = bounds.captures(before).filter(|found| found.get_match().start() <= said);
    let start = |name| Some(found.as_ref()?.name(name)?.start());
    // "5 tips at most 2 lines each": a bound before another number is of that.
    let behind = pattern!(
        r"(?i)^\s?(?P<b>{refine.upper_behind})(?P<n>\s+(?:\d\S*|{refine.counting}))?(?:[^\p{L}]|$)"
    );
    let mut kinds = ["u", "l", "a", "e"].into_iter().map(start).enumerate();
    kinds.find_map(|(kind, at)| Some((kind, from + at?..figure.range.end))).or_else(|| {
        let found = behind.captures(head(&text[figure.unit.end..], AROUND))?;
        let own = found.name("b").filter(|_| found.name("n").is_none())?;
        Some((0, figure.range.start..figure.unit.end + own.end()))
    })
}
