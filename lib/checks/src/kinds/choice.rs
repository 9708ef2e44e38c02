//! One of the answers that a prompt gives.

use std::ops::Range;

use super::judgement::Judgement;
use super::vocabulary::occurrences;
use crate::Reason;
use crate::output::{Output, lowered};

/// A longer answer, in bytes, says more than a choice: which options it names tells nothing.
const LONGEST: usize = 4_000;

/// Whether the answer is one of the options, or names one of them and no other: one that names several may choose none, or
/// name one that is a part of another.
pub fn of(output: &Output<'_>, options: &[String]) -> Judgement {
    let wanted = options.join(" | ");
    let bare = |text: &str| lowered(text.trim_matches(|c: char| !c.is_alphanumeric()));
    let range = output.trimmed();
    let answer = bare(output.at(&range));
    if options.iter().any(|option| bare(option) == answer) {
        return Judgement::of(true, wanted).found(output.at(&range)).at(Some(range));
    }
    if output.text.len() > LONGEST {
        return Judgement::undecided(Reason::Unmarked);
    }
    budget::spend(options.len() * output.text.len());
    let first = |option: &String| occurrences(output, option, false).next();
    let named: Vec<Range<usize>> = options.iter().filter_map(first).collect();
    match named.as_slice() {
        [] => Judgement::of(false, wanted),
        [place] => Judgement::of(true, wanted).found(output.at(place)).at(Some(place.clone())),
        _ => Judgement::undecided(Reason::Unmarked),
    }
}
