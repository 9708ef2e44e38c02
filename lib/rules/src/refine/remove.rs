//! Taking parts out of a prompt.

use std::ops::Range;

use super::courtesy::core;
use super::enumeration::{self, Cut};
use super::place::ended;
use super::section;
use super::set::indefinite;
use super::state::{UNREMOVED, brief, overlaps};
use super::value::gives_role;
use super::work::{Outcome, Phrase, Work, phrase};
use crate::imperative;
use crate::split::capitalize;
use patterns::{Pattern, pattern};

/// Removing more sentences than this is more than a remark about a part can mean.
const MOST_SENTENCES: usize = 4;
/// Words of the longest item that goes as a whole when only its subject is named.
const LONGEST_ITEM: usize = 25;

/// Removes what a remark names: quoted words as they stand, a part with its heading, or the sentences and list items
/// that speak of it.
pub fn remove(work: &mut Work<'_>, what: &str, quoted: bool, part: bool, wish: &str) -> Outcome {
    if pattern!(r"(?i)^{refine_remove.everything}$").is_match(what) {
        return work.refused("Nothing of the prompt would be left.", &[]);
    }
    if let Some(marker) = pattern!(r"\{\{[^{}\n]+\}\}").find(what) {
        return unmark(work, marker.as_str());
    }
    let closing =
        pattern!(r"(?i)^(?P<v>.+?) {refine_remove.at_the_end}(?: {refine_remove.of} .{1,40})?$");
    let closing = closing.captures(what).and_then(|found| found.name("v")).filter(|_| !quoted);
    let at_end = closing.is_some();
    let what = closing.map_or(what, |found| found.as_str());
    let named = || section::by_order(work, wish).or_else(|| section::named(work, what));
    let cuts: Vec<Cut> = if at_end {
        speaking_of(work, what, false, true)
    } else if quoted && !part {
        literally(work, what)
    } else if let Some(cut) = role(work, what) {
        vec![cut]
    } else if let Some(range) = named() {
        vec![vec![(range, String::new())]]
    } else {
        speaking_of(work, what, part, false)
    };
    let taken: Vec<Range<usize>> = cuts.iter().flatten().map(|(range, _)| range.clone()).collect();
    let removed: usize = taken.iter().map(|range| work.prompt[range.clone()].trim().len()).sum();
    if removed >= work.prompt.trim().len() {
        return work.refused("Nothing of the prompt would be left.", &[]);
    }
    if let Some(kept) = taken.iter().find_map(|range| work.only_copy(range, wish)) {
        return work.refused(
            "{} stands in the same place and would be lost; name it if it is to go as well.",
            &[&kept],
        );
    }
    if cuts.is_empty() {
        return absent(work, what, quoted);
    }
    let done = take_out(work, cuts, what);
    let is_taken = |place: &Range<usize>| {
        taken.iter().any(|cut| cut.start <= place.start && place.end <= cut.end)
    };
    if quoted || part || at_end || work.places(what).iter().all(is_taken) {
        return done;
    }
    // A sentence that says more than this cannot do without it.
    let told = work.partly(UNREMOVED, &[]);
    work.add_line(&ended(&capitalize(core(wish).0)), &told.1);
    told
}

/// Makes the cuts that no other point stands in the way of.
fn take_out(work: &mut Work<'_>, cuts: Vec<Cut>, what: &str) -> Outcome {
    let told = work.applied("It was removed: \"{}\".", &[&brief(what)]);
    let mut done = 0;
    for cut in cuts {
        if cut.iter().all(|(range, _)| work.edits.is_free(range)) {
            for (range, new) in cut {
                done += usize::from(work.exchange(range, &new, &told.1));
            }
        }
    }
    if done == 0 { overlaps(work) } else { told }
}

/// The sentence that says who the model is, or its beginning where it goes on with the task.
fn role(work: &Work<'_>, what: &str) -> Option<Cut> {
    if !pattern!(r"(?i)^{refine_remove.role}$").is_match(what) {
        return None;
    }
    if let Some(range) = section::named(work, what) {
        return Some(vec![(range, String::new())]);
    }
    let gives = |range: &&Range<usize>| gives_role(&work.prompt[(*range).clone()]);
    let sentence = work.sentences().iter().find(gives)?;
    let text = &work.prompt[sentence.clone()];
    let task = pattern!(r"(?i)(?:,| {refine_common.and})\s+(?P<v>\p{L}.*)$").captures(text);
    let task = task.and_then(|found| found.name("v"));
    Some(match task.filter(|task| imperative::starts_work(task.as_str())) {
        Some(task) => {
            let first = task.as_str().chars().next()?;
            let end = sentence.start + task.start() + first.len_utf8();
            vec![(sentence.start..end, first.to_uppercase().collect())]
        }
        None => vec![(work.whole(sentence), String::new())],
    })
}

/// Removes a variable with what only leads to it: its line ("Name: {{name}}"), its preposition, its place in an
/// enumeration. A sentence that cannot do without it stays.
fn unmark(work: &mut Work<'_>, marker: &str) -> Outcome {
    let markers = work.markers(marker.trim_matches(['{', '}', ' ']));
    if markers.is_empty() {
        return work.refused("The prompt does not say \"{}\".", &[marker]);
    }
    match markers.iter().map(|(place, _)| without_marker(work, place)).collect::<Option<Vec<Cut>>>()
    {
        Some(mut cuts) => {
            // Two markers in one line go with it once.
            cuts.dedup();
            take_out(work, cuts, marker)
        }
        None => work.refused(super::op::Refusal::Unclear.reason(), &[]),
    }
}

fn without_marker(work: &Work<'_>, place: &Range<usize>) -> Option<Cut> {
    let sentence = work.sentence_at(place)?;
    let near = work.vicinity(&sentence, place);
    let (before, after) =
        (&work.prompt[near.start..place.start], &work.prompt[place.end..near.end]);
    let label = pattern!(r"^(?:(?:[\p{L}\d'’-]+ ){0,2}[\p{L}\d'’-]+\**\s*[:：]\**\s*)?$");
    let alone = !before.contains("{{") && !after.contains("{{");
    let rest = after.trim_matches(['.', ' ', '*', '!', ';']);
    if alone && rest.is_empty() && label.is_match(before) {
        return Some(vec![(work.whole(&sentence), String::new())]);
    }
    // "A {{tone}} email" keeps its article, in the form that the next word needs.
    let article = pattern!(r"(?i)\b(?P<a>{refine_common.a_or_an}) $").captures(before);
    let noun = after.strip_prefix(' ').filter(|noun| noun.starts_with(char::is_alphabetic));
    if let Some((article, noun)) = article.zip(noun) {
        let from = near.start + article.name("a")?.start();
        let new = format!("{} ", indefinite(noun, article["a"].starts_with('A')));
        return Some(vec![(from..place.end + 1, new)]);
    }
    let lead = pattern!(
        r"(?i)(?:\S+\s+\S+?)(?P<v>[ ]+{refine_remove.before_removed}(?: {refine_remove.article})?[ ]+[\x22“„«]?)$"
    );
    let tail = pattern!(
        r"(?i)^(?P<v>[\x22”“»]?)(?:\s*(?:[.,;:!?)\n]|$)|[ ]+{refine_remove.behind_removed}\b)"
    );
    without(work, place, lead, tail)
}

/// What takes a place out of the enumeration around it.
fn without_element(work: &Work<'_>, place: &Range<usize>) -> Option<Cut> {
    let near = work.vicinity(&work.sentence_at(place)?, place);
    let inner = place.start - near.start..place.end - near.start;
    let cut = enumeration::without(&work.prompt[near.clone()], &inner)?;
    let moved = |range: Range<usize>| near.start + range.start..near.start + range.end;
    Some(cut.into_iter().map(|(range, new)| (moved(range), new)).collect())
}

/// What takes a place out of a sentence that goes on without it: from an enumeration, from brackets, or with the phrase
/// that adds it, whose lead and tail are what the patterns name `v`.
fn without(work: &Work<'_>, place: &Range<usize>, lead: Pattern, tail: Pattern) -> Option<Cut> {
    if let Some(cut) = without_element(work, place) {
        return Some(cut);
    }
    let near = work.vicinity(&work.sentence_at(place)?, place);
    let before = &work.prompt[near.start..place.start];
    let after = &work.prompt[place.end..near.end];
    if before.ends_with('(') && after.starts_with(')') {
        let from = near.start + before[..before.len() - 1].trim_end().len();
        return Some(vec![(from..place.end + 1, String::new())]);
    }
    let from = near.start + lead.captures(before)?.name("v")?.start();
    let to = place.end + tail.captures(after)?.name("v")?.end();
    Some(vec![(from..to, String::new())])
}

/// What to do about something that cannot be cut out.
fn absent(work: &mut Work<'_>, what: &str, quoted: bool) -> Outcome {
    let places = work.places(what);
    let by_order = pattern!(r"(?i)^{refine_remove.which_one}\b").is_match(what);
    if quoted || places.is_empty() && by_order {
        let reason = if work.is_in_code(what) {
            "\"{}\" stands only in code, a variable or an address, which are kept as they are."
        } else {
            "The prompt does not say \"{}\"."
        };
        return work.refused(reason, &[&brief(what)]);
    }
    let what = what.trim_end_matches('.');
    let line = work.tongue.line("exclude", what).unwrap_or_else(|| format!("Leave out {what}."));
    let told = if places.is_empty() {
        work.applied("It is not in the prompt; the prompt asks to leave it out now.", &[])
    } else {
        work.partly(UNREMOVED, &[])
    };
    work.add_line(&line, &told.1);
    told
}

/// The words themselves, with their quotation marks; a sentence or line that has no others goes whole, and an
/// enumeration stays one.
fn literally(work: &Work<'_>, what: &str) -> Vec<Cut> {
    let letters = |range: &Range<usize>| {
        work.prompt[range.clone()].trim_matches(|c: char| !c.is_alphanumeric()).len()
    };
    let cut = |range: Range<usize>| {
        let range = work.quotation_of(&range).unwrap_or(range);
        let sentence = work.sentence_at(&range);
        if let Some(sentence) = sentence.filter(|whole| letters(whole) <= letters(&range)) {
            return vec![(work.whole(&sentence), String::new())];
        }
        without_element(work, &range)
            .unwrap_or_else(|| vec![(work.with_space(&range), String::new())])
    };
    work.places(what).into_iter().map(cut).collect()
}

/// The sentences and items that speak of something, of all or of those that say how the text ends (`at_end`); of a
/// longer sentence only the phrase that adds it. As a `part`, sentences go whole.
fn speaking_of(work: &Work<'_>, what: &str, part: bool, at_end: bool) -> Vec<Cut> {
    let ends = pattern!(r"(?i)\b{refine_remove.ending}\b");
    let Some(subject) = Subject::of(what) else { return Vec::new() };
    let speaks = |range: &&Range<usize>| {
        let text = &work.prompt[(*range).clone()];
        subject.find(text).is_some() && (!at_end || ends.is_match(text))
    };
    let mut found: Vec<Range<usize>> = work.sentences().iter().filter(speaks).cloned().collect();
    if found.is_empty() && part {
        found = by_words(work, what);
    }
    if found.len() > MOST_SENTENCES {
        return Vec::new();
    }
    // The first sentence says what the prompt is about.
    let first = work.sentences().first().map_or(0, |sentence| sentence.end);
    let named = what.split_whitespace().count();
    let longest = if at_end { 6 + named } else { 3 + 2 * named };
    let lead = pattern!(
        r"(?i)(?P<v>,?\s+{refine_remove.adding}\s+(?:(?:{refine_enumeration.article}|\d+)\s+)?(?:[\p{L}%-]+\s+)?)$"
    );
    let tail = pattern!(r"^(?P<v>(?:\s+[\p{L}-]+)?\s*)(?:[,.;:!?\n]|$)");
    let cut = |sentence: Range<usize>| {
        let text = &work.prompt[sentence.clone()];
        let words = text.split_whitespace().count();
        let place = subject.find(text);
        let label = place.as_ref().is_some_and(|place| {
            place.start <= 2
                && text[place.end..].trim_start_matches(['*', ' ']).starts_with([':', '：'])
        });
        let goes = part || work.is_item(&sentence) && words <= LONGEST_ITEM || words <= longest;
        if label || goes && sentence.start >= first {
            return Some(vec![(work.whole(&sentence), String::new())]);
        }
        let place = place?;
        without(work, &(sentence.start + place.start..sentence.start + place.end), lead, tail)
    };
    found.into_iter().filter_map(cut).collect()
}

/// What sentences speak of.
struct Subject {
    phrase: Phrase,
    /// The beginning of a single long word, in lower case.
    stem: Option<String>,
}

impl Subject {
    /// "Escalation" and "escalate", "shipping" and "ships": the beginning of a long word tells enough.
    fn of(what: &str) -> Option<Self> {
        let letters = what.chars().count();
        let stem: String = match letters {
            8.. => what.chars().take(letters - 4).collect(),
            _ => what.trim_end_matches('s').to_owned(),
        };
        let is_word = stem.len() >= 4 && what.is_ascii() && !what.contains(' ');
        Some(Self { phrase: phrase(what)?, stem: is_word.then(|| stem.to_lowercase()) })
    }

    /// Where a text speaks of it.
    fn find(&self, text: &str) -> Option<Range<usize>> {
        if let Some(found) = self.phrase.find(text) {
            return Some(found.range());
        }
        let stem = self.stem.as_deref()?;
        let fits = |word: &str| {
            word.to_lowercase().strip_prefix(stem).is_some_and(|rest| rest.chars().count() <= 5)
        };
        let found = pattern!(r"\w+").find_iter(text).find(|word| fits(word.as_str()));
        found.map(|word| word.range())
    }
}

/// The one sentence that has all the words of a description.
fn by_words(work: &Work<'_>, what: &str) -> Vec<Range<usize>> {
    let words: Vec<String> = what
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().count() > 3)
        .map(|word| word.to_lowercase().trim_end_matches('s').to_owned())
        .collect();
    let has_all = |range: &&Range<usize>| {
        let text = work.prompt[(*range).clone()].to_lowercase();
        !words.is_empty() && words.iter().all(|word| text.contains(word))
    };
    let found: Vec<Range<usize>> = work.sentences().iter().filter(has_all).cloned().collect();
    if found.len() == 1 { found } else { Vec::new() }
}
