//! How long an answer is to be, and in what manner it is written.

use std::ops::Range;

use super::lengths::Length;
use super::set::{line, put, set, with_article};
use super::state::{overlaps, withdraw};
use super::work::{Outcome, Work};
use patterns::pattern;

const STATED: &str = "The prompt states it as a requirement now.";

/// Sets how long the answer is to be.
pub fn length(work: &mut Work<'_>, length: &Length, wish: &str) -> Outcome {
    let tag = work.tongue.tag;
    let known: Vec<Length> =
        work.lengths().iter().filter(|known| known.unit == length.unit).cloned().collect();
    let Some(first) = known.first() else {
        return set(work, None, "length", &length.in_language(tag, None), wish);
    };
    let text = |known: &Length| &work.prompt[known.range.clone()];
    if known.iter().all(|other| text(other) == text(first)) {
        if first.attribute && length.is_bound() {
            return bound_for_attribute(work, first, length, wish);
        }
        let new = length.in_language(tag, Some(first));
        let (places, new) = match &known[..] {
            [one] => {
                let (place, new) = with_article(work, &one.range, &new);
                (vec![place], new)
            }
            _ => (known.iter().map(|known| known.range.clone()).collect(), new),
        };
        return put(work, &places, &new).unwrap_or_else(|| overlaps(work));
    }
    let line = line(work, "length", &length.in_language(tag, None), wish);
    let told = work.partly(
        "The prompt states it now. It has several lengths of this kind, and which of them is meant only its author can tell.",
        &[],
    );
    work.add_line(&line, &told.1);
    told
}

/// "A 500-word essay" has no place for a bound, which gets a line instead.
fn bound_for_attribute(
    work: &mut Work<'_>,
    earlier: &Length,
    length: &Length,
    wish: &str,
) -> Outcome {
    let line = line(work, "length", &length.in_language(work.tongue.tag, None), wish);
    let rest = &work.prompt[earlier.range.end..];
    let gap = usize::from(rest.starts_with([' ', '-']));
    let next = rest[gap..].split(' ').next().unwrap_or_default();
    let whole = earlier.range.start..earlier.range.end + gap + next.len();
    let (range, new) = with_article(work, &whole, next);
    let told = work.applied(STATED, &[]);
    if next.is_empty() || work.is_held(&whole) || !work.exchange(range, &new, &told.1) {
        return overlaps(work);
    }
    work.add_line(&line, &told.1);
    told
}

/// States what an answer is to be like: "shorter", "specific" and other lines of the prompt's language.
pub fn manner(work: &mut Work<'_>, name: &str, wish: &str) -> Outcome {
    let told = match name {
        "specific" => work.partly(
            "The prompt asks for it now; the figures and names themselves only its author knows.",
            &[],
        ),
        "examples" => work.partly(
            "The prompt asks for examples now; examples of its own need material that only its author has.",
            &[],
        ),
        "shorter" | "longer" if !work.lengths().is_empty() => work.partly(
            "The prompt asks for it now. The length that it states was left: name another figure to change it.",
            &[],
        ),
        _ => work.applied(STATED, &[]),
    };
    lean(work, name, wish, told)
}

/// So many percent of the length that the prompt states; without one, shorter or longer.
pub fn scale(work: &mut Work<'_>, percent: u32, wish: &str) -> Outcome {
    let known = work.lengths();
    let scaled = known.first().and_then(|first| {
        let value = (first.value()? * u64::from(percent) + 50) / 100;
        let alike = known.iter().all(|known| known.unit == first.unit);
        alike.then(|| first.with_value(value.max(1)))
    });
    if let Some(scaled) = scaled {
        return length(work, &scaled, wish);
    }
    let told = work.partly(
        "The prompt asks for it now; it states no length of which that could be a part or a multiple.",
        &[],
    );
    lean(work, if percent < 100 { "shorter" } else { "longer" }, wish, told)
}

/// Adds the line of that name. An earlier line or sentence that asks for the opposite size gives way to it.
fn lean(work: &mut Work<'_>, name: &str, wish: &str, told: Outcome) -> Outcome {
    let line = line(work, name, "", wish);
    let brief = pattern!(r"(?i)^{refine_set.be_brief}[.!]?$");
    let full = pattern!(r"(?i)^{refine_set.be_detailed}[.!]?$");
    let contrary = match name {
        "shorter" => Some(("longer", full)),
        "longer" => Some(("shorter", brief)),
        _ => None,
    };
    let place = contrary.and_then(|(name, says)| {
        let stated = work.tongue.line(name, "").and_then(|line| {
            let at = work.prompt.find(&line)?;
            Some(at..at + line.len())
        });
        let sentence = |range: &&Range<usize>| {
            says.is_match(&work.prompt[(*range).clone()]) && !work.is_held(range)
        };
        stated.or_else(|| work.sentences().iter().find(sentence).cloned())
    });
    if place.is_some_and(|place| work.exchange(place, &line, &told.1)) {
        return told;
    }
    if work.add_line(&line, &told.1) {
        told
    } else {
        work.applied("The prompt says so already.", &[])
    }
}

/// No emojis, in the answer or in the prompt.
pub fn no_emojis(work: &mut Work<'_>, wish: &str) -> Outcome {
    let reason = work.voice.say("Emojis were removed.", &[]);
    let emojis = pattern!(
        r"[ ]?[\x{1F300}-\x{1FAFF}\x{2600}-\x{27BF}\x{1F1E6}-\x{1F1FF}][\x{FE0F}\x{200D}\x{1F3FB}-\x{1F3FF}\x{1F300}-\x{1FAFF}\x{2600}-\x{27BF}\x{1F1E6}-\x{1F1FF}]*"
    );
    for found in emojis.find_iter(work.prompt) {
        if !work.is_held(&found.range()) {
            work.exchange(found.range(), "", &reason);
        }
    }
    withdraw(work, "emojis", true);
    set(work, None, "emojis", "", wish)
}
