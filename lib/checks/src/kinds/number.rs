//! A number within a range.

use std::ops::Range;

use engine::CountParameters;
use patterns::pattern;

use super::judgement::{Judgement, wanted};
use crate::Reason;
use crate::output::{Output, lowered};

/// A number of an answer.
struct Number {
    value: f64,
    /// What else it may mean: "1,000" is one in some languages, and a thousand in others.
    other: f64,
    place: Range<usize>,
}

impl Number {
    fn read(text: &str, place: Range<usize>) -> Option<Self> {
        let text = text.replace('−', "-").replace(',', ".");
        let digits = text.replace('.', "");
        let grouped = pattern!(r"^-?\d{1,3}(?:\.\d{3})+$").is_match(&text);
        let decimal = text.parse().ok();
        let thousands = digits.parse().ok().filter(|_| grouped);
        let value = decimal.or(thousands)?;
        Some(Self { value, other: thousands.unwrap_or(value), place })
    }
}

/// Whether the number lies within bounds that follows its name or stands before "of" the upper bound, else the only one.
pub fn within(output: &Output<'_>, count: &CountParameters) -> Judgement {
    let (least, most) = count.bounds();
    let bounds = least as f64..=most as f64;
    let upper = most.to_string();
    let name = lowered(count.of.as_deref().unwrap_or_default());
    let (mut all, mut named) = (Vec::new(), Vec::new());
    for found in pattern!(r"[-−]?\d+(?:[.,]\d+)*").find_iter(output.text) {
        let Some(number) = Number::read(found.as_str(), found.range()) else { continue };
        let before = text::tail(&output.lower()[..found.start()], 40);
        let after = text::head(&output.lower()[found.end()..], 12);
        // The bound itself, as in "8/10".
        if pattern!(r"\d\s*(?:/|{check_units.out_of})\s*$").is_match(before) {
            continue;
        }
        let bound = pattern!(r"^\s*(?:/|{check_units.out_of}\s)\s*(?P<n>\d+)").captures(after);
        let bounded = bound.as_ref().is_some_and(|bound| bound["n"] == *upper);
        // "8/100" is no number up to ten.
        if bound.is_some() && !bounded {
            continue;
        }
        let line = before.rsplit('\n').next().unwrap_or(before);
        // To search for a longer name costs its length, at each number.
        let near = (1..=line.len()).contains(&name.len())
            && line.rfind(&name).is_some_and(|at| !line[at..].contains(|c: char| c.is_numeric()));
        if bounded || near { &mut named } else { &mut all }.push(number);
    }
    let has_named = !named.is_empty();
    let candidates = if has_named { named } else { all };
    let inside = |number: &&Number| bounds.contains(&number.value);
    let doubtful =
        |number: &Number| bounds.contains(&number.other) != bounds.contains(&number.value);
    if candidates.iter().any(doubtful) {
        return Judgement::undecided(Reason::Unmarked);
    }
    let wanted = wanted(count);
    let shown = |passes: bool, number: &Number| {
        let found = number.value.to_string();
        Judgement::of(passes, wanted.clone()).found(found).at(Some(number.place.clone()))
    };
    let numbers_within = candidates.iter().filter(inside).count();
    match candidates.as_slice() {
        [] => Judgement::of(false, wanted),
        [first, ..] if numbers_within == candidates.len() => shown(true, first),
        _ if numbers_within > 0 && !has_named => Judgement::undecided(Reason::Unmarked),
        [first, ..] => shown(false, candidates.iter().find(|one| !inside(one)).unwrap_or(first)),
    }
}
