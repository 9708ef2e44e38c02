//! One of the answers that a prompt gives.

use engine::constraints::options;
use text::code_points::byte_at;

use super::judgement::Judgement;
use super::vocabulary::occurrences;
use crate::output::{Output, lowered};
use crate::{Check, Inflection, Reason};

/// The answers that a prompt gives.
pub fn choices(check: &Check, prompt: Option<&str>) -> Vec<String> {
    let behind = prompt.map_or("", |prompt| &prompt[byte_at(prompt, check.end)..]);
    options(&check.quote, behind)
}

/// Whether the answer is one of the options, or names one of them and no other. One that is part of another one is not
/// named where that one is. `prompted` says whether there is a prompt to read them in.
pub fn of(output: &Output<'_>, options: &[String], prompted: bool) -> Judgement {
    if options.is_empty() {
        let reason = if prompted { Reason::Unclear } else { Reason::NeedsPrompt };
        return Judgement::undecided(reason);
    }
    let wanted = options.join(" | ");
    let bare = |text: &str| {
        let signs = |c: char| !c.is_alphanumeric();
        lowered(text.trim_matches(signs))
    };
    let range = output.trimmed();
    let answer = bare(output.at(&range));
    if options.iter().any(|option| bare(option) == answer) {
        return Judgement::of(true, wanted).found(output.at(&range)).at(Some(range));
    }
    budget::spend(options.len() * output.text.len());
    let mut named: Vec<(usize, std::ops::Range<usize>)> = Vec::new();
    for (at, option) in options.iter().enumerate() {
        let places = occurrences(output, option, Inflection::Exact);
        named.extend(places.into_iter().map(|place| (at, place)));
    }
    let inside = |place: &std::ops::Range<usize>, other: &std::ops::Range<usize>| {
        other.start <= place.start && place.end <= other.end && other.len() > place.len()
    };
    named.sort_by_key(|(_, place)| (place.start, usize::MAX - place.end));
    let mut last: Option<std::ops::Range<usize>> = None;
    named.retain(|(_, place)| {
        let kept = last.as_ref().is_none_or(|last| !inside(place, last));
        if kept {
            last = Some(place.clone());
        }
        kept
    });
    let Some((first, place)) = named.first().cloned() else {
        return Judgement::of(false, wanted);
    };
    let other = named.iter().find(|(at, _)| *at != first);
    let place = other.map_or(place, |(_, place)| place.clone());
    let found = output.at(&place);
    Judgement::of(other.is_none(), wanted).found(found).at(Some(place))
}
