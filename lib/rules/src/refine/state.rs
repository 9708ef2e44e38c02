//! Stating what feedback asks for as a requirement of the prompt.

use std::ops::Range;

use super::courtesy::{core, unquoted};
use super::place::ended;
use super::work::{Outcome, Work, phrase};
use crate::split::capitalize;
use patterns::pattern;

/// Characters of a text that a reason repeats.
const NAMED: usize = 80;

/// Why something that is to go stays.
pub const UNREMOVED: &str = "The prompt asks to leave it out now; the sentence that has it cannot do without it unless it is reworded.";

/// The beginning of a text, for reasons.
pub fn brief(text: &str) -> String {
    let mut short: String = text.chars().take(NAMED).collect();
    if text.chars().nth(NAMED).is_some() {
        short.push('…');
    }
    short
}

/// Two wishes want the same words changed.
pub fn overlaps(work: &Work<'_>) -> Outcome {
    work.refused("It would change words that another point changes or that must be kept.", &[])
}

/// Puts new words in all the places and tells so; `None` if there is no place.
pub fn exchange_all(
    work: &mut Work<'_>,
    places: Vec<Range<usize>>,
    new: &str,
    told: Outcome,
) -> Option<Outcome> {
    if places.is_empty() {
        return None;
    }
    let done = places.into_iter().filter(|place| work.exchange(place.clone(), new, &told.1));
    Some(if done.count() == 0 { overlaps(work) } else { told })
}

/// States a requirement.
pub fn state(work: &mut Work<'_>, line: &str) -> Outcome {
    let told = work.applied("The prompt states it as a requirement now.", &[]);
    if work.add_line(line, &told.1) {
        told
    } else {
        work.applied("The prompt says so already.", &[])
    }
}

/// Takes a wish over in its own words, which may be in another language than the prompt.
pub fn require(work: &mut Work<'_>, text: &str) -> Outcome {
    let lead = pattern!(r"(?i)^{refine_apply.i_want_it_to} ");
    let make = pattern!(r"(?i)^{refine_apply.make_it} ");
    let line = lead.replace(text, "");
    let line = ended(&capitalize(make.replace(&line, "Make the result ").trim()));
    if work.is_foreign(text) { foreign(work, &line) } else { state(work, &line) }
}

/// States a requirement whose words are in another language than the prompt.
fn foreign(work: &mut Work<'_>, line: &str) -> Outcome {
    let told = work.partly("The prompt states it now, in the words of the feedback; translating them takes a language model.", &[]);
    work.add_line(line, &told.1);
    told
}

/// Asks for something in the answer: a quoted or announced text as it is, else a requirement.
pub fn include(work: &mut Work<'_>, what: &str, wish: &str) -> Outcome {
    let what = what.trim_end_matches(['.', ' ']);
    let last = pattern!(r"(?i) {refine_apply.at_the_end}$");
    let what = last.find(what).map_or(what, |found| &what[..found.start()]);
    let own = core(wish).0;
    if let Some((text, at_top)) = literal(what) {
        let told = work.applied("The text was added as it is.", &[]);
        if at_top {
            let start = work.prompt.len() - work.prompt.trim_start().len();
            work.edits.add(start..start, &format!("{text}\n\n"), &told.1, None);
        } else {
            work.add_line(&text, &told.1);
        }
        return told;
    }
    let says_so = work.places(what);
    if what.contains(' ')
        && says_so.iter().any(|range| !work.is_held(range))
        && !says_so.iter().any(|range| is_negated(work, range.start))
    {
        return work.applied("The prompt says so already.", &[]);
    }
    let foreign_words = work.is_foreign(own);
    let mentions = pattern!(r"(?i)^{refine_apply.mention}").is_match(own) && !foreign_words;
    let line = match work.tongue.line("include", what).filter(|_| !mentions) {
        Some(line) => line,
        None if foreign_words => format!("Include {what}."),
        None => ended(&capitalize(own)),
    };
    withdraw(work, what, false);
    if foreign_words && what.split_whitespace().count() > 4 {
        return foreign(work, &line);
    }
    state(work, &line)
}

/// A text that is to be added as it is, and whether at the top: "the sentence: Be kind."
fn literal(what: &str) -> Option<(String, bool)> {
    let bare = unquoted(what);
    if bare != what.trim() && (bare.ends_with(['.', '!', '?']) || bare.split(' ').count() > 2) {
        return Some((bare.to_owned(), false));
    }
    let announced = pattern!(
        r"(?is)^(?:{refine_apply.this} )*{refine_apply.piece_of_text}\s*[:：]?\s+(?P<v>\S.*?)(?P<top> {refine_apply.to_the_top})?(?: {refine_apply.to_the_end})?$"
    );
    let found = announced.captures(what)?;
    let text = unquoted(&found["v"]);
    let is_literal = text != found["v"].trim() || what.contains(':');
    is_literal.then(|| (ended(text), found.name("top").is_some()))
}

/// Whether a "no" or "without" stands shortly before a place.
fn is_negated(work: &Work<'_>, at: usize) -> bool {
    let from = work.prompt[..at].char_indices().rev().nth(29).map_or(0, |(from, _)| from);
    pattern!(r"(?i)\b{refine_apply.negation}\b[^.!?\n]*$").is_match(&work.prompt[from..at])
}

/// Asks to leave something out of the answer.
pub fn exclude(work: &mut Work<'_>, what: &str, wish: &str) -> Outcome {
    let own = core(wish).0;
    let line = match work.tongue.line("exclude", what.trim_end_matches('.')) {
        Some(line) if work.is_foreign(own) => line,
        _ => ended(&capitalize(own)),
    };
    withdraw(work, what, true);
    state(work, &line)
}

/// Takes out a short instruction that demands the opposite: "mention the price" before "don't mention it".
pub fn withdraw(work: &mut Work<'_>, what: &str, demanded: bool) {
    let demand = pattern!(
        r"(?i)^(?:{refine_apply.please} )?(?:{refine_apply.mention}|{refine_apply.include})\b"
    );
    let ban = pattern!(r"(?i)^(?:{refine_apply.please} )?{refine_apply.do_not}\b");
    let Some(subject) = phrase(what) else { return };
    let opposite = if demanded { demand } else { ban };
    let longest = 8 + what.split_whitespace().count();
    let contradicts = |range: &&Range<usize>| {
        let text = &work.prompt[(*range).clone()];
        subject.is_in(text)
            && text.split_whitespace().count() <= longest
            && opposite.is_match(text)
            && work.only_copy(range, what).is_none()
    };
    let reason = work.voice.say("It would contradict what the feedback asks for.", &[]);
    let contrary: Vec<_> = work.sentences().iter().filter(contradicts).cloned().collect();
    for range in contrary {
        let whole = work.whole(&range);
        work.exchange(whole, "", &reason);
    }
}
