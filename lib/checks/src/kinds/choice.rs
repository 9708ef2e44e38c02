//! One of the answers that a prompt gives.

use std::ops::Range;

use super::judgement::Judgement;
use super::vocabulary::occurrences;
use crate::output::{Output, lowered};
use crate::{Inflection, Reason};

/// A longer answer, in bytes, says more than a choice: which options it names tells nothing.
const LONGEST: usize = 4_000;

/// Whether the answer is one of the options, or names one of them and no other. One that is part of another one is not
/// named where that one is.
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
    let mut named: Vec<(&str, Range<usize>)> = Vec::new();
    for option in options {
        let places = occurrences(output, option, Inflection::Exact);
        named.extend(places.map(|place| (option.as_str(), place)));
    }
    // What stands within a longer one, which begins before it or where it does, is not named.
    named.sort_by_key(|(_, place)| (place.start, usize::MAX - place.end));
    let mut end = 0;
    named.retain(|(_, place)| {
        let is_kept = place.end > end;
        end = end.max(place.end);
        is_kept
    });
    let Some((first, place)) = named.first() else { return Judgement::of(false, wanted) };
    let other = named.iter().find(|(option, _)| option != first);
    let place = other.map_or(place, |(_, place)| place).clone();
    Judgement::of(other.is_none(), wanted).found(output.at(&place)).at(Some(place))
}
