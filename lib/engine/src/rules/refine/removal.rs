//! Taking parts out of a prompt.

use std::ops::Range;

use super::apply::{brief, overlaps};
use super::enumeration::{self, Cut};
use super::place::ended;
use super::points::Point;
use super::work::{Outcome, Work, phrase};
use crate::rules::imperative;
use crate::rules::split::capitalize;
use patterns::pattern;

/// Removing more sentences than this is more than a remark about a part can mean.
const MOST_SENTENCES: usize = 4;
/// Words of the longest sentence that goes as a whole when only its subject is named.
const LONGEST_SENTENCE: usize = 25;

/// Removes what a remark names: quoted words as they stand, a part with its heading, or the sentences and
/// list items that speak of it.
pub fn remove(work: &mut Work<'_>, what: &str, quoted: bool, part: bool, point: &Point) -> Outcome {
    if pattern!(r"(?i)^{refine_removal.everything}$").is_match(what) {
        return work.refused("Nothing of the prompt would be left.", &[]);
    }
    if let Some(marker) = pattern!(r"\{\{[^{}\n]+\}\}").find(what) {
        return unmark(work, marker.as_str());
    }
    let (what, at_end) = match pattern!(
        r"(?i)^(?P<v>.+?) {refine_removal.at_the_end}(?: {refine_removal.of} .{1,40})?$"
    )
    .captures(what)
    .and_then(|found| found.name("v"))
    {
        Some(found) if !quoted => (found.as_str(), true),
        _ => (what, false),
    };
    let cuts: Vec<Cut> = if at_end {
        closing(work, what)
    } else if quoted && !part {
        literally(work, what)
    } else if let Some(cut) = role(work, what) {
        vec![cut]
    } else {
        match ordinal(work, &point.text).or_else(|| section(work, what)) {
            Some(range) => vec![vec![(range, String::new())]],
            None => speaking_of(work, what, part),
        }
    };
    let everything = work.prompt.trim().len();
    let ranges = || cuts.iter().flatten().map(|(range, _)| range);
    let removed: usize = ranges().map(|range| work.prompt[range.clone()].trim().len()).sum();
    if removed >= everything {
        return work.refused("Nothing of the prompt would be left.", &[]);
    }
    if let Some(kept) = ranges().find_map(|range| work.only_copy(range, &point.text)) {
        return work.refused(
            "{} stands in the same place and would be lost; name it if it is to go as well.",
            &[&kept],
        );
    }
    if cuts.is_empty() {
        return absent(work, what, quoted);
    }
    let taken: Vec<Range<usize>> = ranges().cloned().collect();
    let done = take_out(work, cuts, what);
    let is_taken = |place: &Range<usize>| {
        taken.iter().any(|cut| cut.start <= place.start && place.end <= cut.end)
    };
    if quoted || part || at_end || work.places(what).iter().all(is_taken) {
        return done;
    }
    // A sentence that says more than this cannot do without it.
    let told = work.partly(
        "The prompt asks to leave it out now; the sentence that has it cannot do without it unless it is reworded.",
        &[],
    );
    let wish = super::asks::core(&point.text).0;
    work.add_line(&ended(&capitalize(wish)), &told.1);
    told
}

/// The short sentences that say how to end, with what: "End with a question."
fn closing(work: &Work<'_>, what: &str) -> Vec<Cut> {
    let ends = pattern!(r"(?i)\b{refine_removal.ending}\b");
    let Some(subject) = phrase(what) else { return Vec::new() };
    let first = work.sentences().first().map_or(0, |sentence| sentence.end);
    let says = |text: &str| ends.is_match(text) && subject.is_match(text);
    work.sentences()
        .iter()
        .filter(|range| says(&work.prompt[(*range).clone()]))
        .filter_map(|range| {
            let text = &work.prompt[range.clone()];
            let alone = range.start >= first
                && text.split_whitespace().count() <= 6 + what.split_whitespace().count();
            if alone {
                return Some(vec![(work.whole(range), String::new())]);
            }
            let cut = listed(text, what)?;
            let moved = cut
                .into_iter()
                .map(|(part, new)| (range.start + part.start..range.start + part.end, new));
            Some(moved.collect())
        })
        .collect()
}

/// Carries out the cuts that no other point stands in the way of.
fn take_out(work: &mut Work<'_>, cuts: Vec<Cut>, what: &str) -> Outcome {
    let reason = work.voice.say("It was removed: \"{}\".", &[&brief(what)]);
    let mut done = 0;
    for cut in cuts {
        if !cut.iter().all(|(range, _)| work.edits.is_free(range)) {
            continue;
        }
        for (range, new) in cut {
            done += usize::from(work.exchange(range, &new, &reason));
        }
    }
    if done == 0 {
        return overlaps(work);
    }
    work.applied("It was removed: \"{}\".", &[&brief(what)])
}

/// The sentence that says who the model is, or its beginning where it goes on with the task.
fn role(work: &Work<'_>, what: &str) -> Option<Cut> {
    let names_it = pattern!(r"(?i)^{refine_removal.role}$");
    if !names_it.is_match(what) {
        return None;
    }
    if let Some(range) = section(work, what) {
        return Some(vec![(range, String::new())]);
    }
    let sentence = work
        .sentences()
        .iter()
        .find(|range| super::values::gives_role(&work.prompt[(*range).clone()]))?;
    let text = &work.prompt[sentence.clone()];
    let task = pattern!(r"(?i)(?:,| {refine_common.and})\s+(?P<v>\p{L}.*)$").captures(text);
    if let Some(task) = task.and_then(|found| found.name("v"))
        && imperative::starts_work(task.as_str())
    {
        let first = task.as_str().chars().next()?;
        let from = sentence.start + task.start();
        let range = sentence.start..from + first.len_utf8();
        return Some(vec![(range, first.to_uppercase().collect())]);
    }
    Some(vec![(work.whole(sentence), String::new())])
}

/// Removes a variable with what only leads to it: its line ("Name: {{name}}"), its preposition, its place in an
/// enumeration. A sentence that cannot do without it stays.
fn unmark(work: &mut Work<'_>, marker: &str) -> Outcome {
    let name = marker.trim_matches(['{', '}', ' ']);
    let markers = work.markers(name);
    let cuts: Option<Vec<Cut>> =
        markers.iter().map(|(place, _)| without_marker(work, place)).collect();
    match cuts {
        Some(mut cuts) if !cuts.is_empty() => {
            // Two markers in one line go with it once.
            cuts.dedup();
            take_out(work, cuts, marker)
        }
        _ if markers.is_empty() => work.refused("The prompt does not say \"{}\".", &[marker]),
        _ => work.refused(
            "It does not say what is to stand in the prompt instead, and finding that takes a language model.",
            &[],
        ),
    }
}

fn without_marker(work: &Work<'_>, place: &Range<usize>) -> Option<Cut> {
    let sentence = work.sentence_at(place)?;
    let near = work.vicinity(&sentence, place);
    let text = &work.prompt[near.clone()];
    let inner = place.start - near.start..place.end - near.start;
    let alone = text.matches("{{").count() == 1;
    let label = pattern!(r"^(?:[\p{L}\d'’-]+ ){0,2}[\p{L}\d'’-]+\**\s*[:：]\**\s*$");
    let rest = text[inner.end..].trim_matches(['.', ' ', '*', '!', ';']);
    if alone && rest.is_empty() && (label.is_match(&text[..inner.start]) || inner.start == 0) {
        return Some(vec![(work.whole(&sentence), String::new())]);
    }
    let moved = |cut: Cut| -> Cut {
        cut.into_iter()
            .map(|(range, new)| (near.start + range.start..near.start + range.end, new))
            .collect()
    };
    if let Some(cut) = enumeration::without(text, &inner) {
        return Some(moved(cut));
    }
    let (before, after) = (&text[..inner.start], &text[inner.end..]);
    if before.ends_with('(') && after.starts_with(')') {
        let from = before[..before.len() - 1].trim_end().len();
        return Some(moved(vec![(from..inner.end + 1, String::new())]));
    }
    // "a {{tone}} email" keeps its article, in the form that the next word needs.
    let article = pattern!(r"(?i)\b(?P<a>{refine_common.a_or_an}) $").captures(before);
    let noun = pattern!(r"^ (?P<n>\p{L})").captures(after);
    if let (Some(article), Some(noun)) = (article, noun) {
        let from = article.name("a")?.range();
        let vowel = noun["n"].to_lowercase().contains(['a', 'e', 'i', 'o', 'u']);
        let new = match (article["a"].starts_with('A'), vowel) {
            (true, true) => "An ",
            (true, false) => "A ",
            (false, true) => "an ",
            (false, false) => "a ",
        };
        return Some(moved(vec![(from.start..inner.end + 1, new.to_owned())]));
    }
    let preposition = pattern!(
        r"(?i)[ ]+{refine_removal.before_removed}(?: {refine_removal.article})?[ ]+[\x22“„«]?$"
    )
    .find(before)?;
    let ends =
        pattern!(r"(?i)^[\x22”“»]?(?:\s*(?:[.,;:!?)\n]|$)|[ ]+{refine_removal.behind_removed}\b)");
    let left = before[..preposition.start()].split_whitespace().count();
    let mark = usize::from(after.starts_with('"'))
        + if after.starts_with(['”', '“', '»']) { 3 } else { 0 };
    let closing = if before.ends_with(['"', '“', '„', '«']) { mark } else { 0 };
    (ends.is_match(after) && left >= 2 && text.is_char_boundary(inner.end + closing))
        .then(|| moved(vec![(preposition.start()..inner.end + closing, String::new())]))
}

/// What to do about something that cannot be cut out.
fn absent(work: &mut Work<'_>, what: &str, quoted: bool) -> Outcome {
    let places = work.places(what);
    if quoted || places.is_empty() && pattern!(r"(?i)^{refine_removal.which_one}\b").is_match(what)
    {
        let reason = if work.is_in_code(what) {
            "\"{}\" stands only in code, a variable or an address, which are kept as they are."
        } else {
            "The prompt does not say \"{}\"."
        };
        return work.refused(reason, &[&brief(what)]);
    }
    let line = work
        .tongue
        .line("exclude", what.trim_end_matches('.'))
        .unwrap_or_else(|| format!("Leave out {}.", what.trim_end_matches('.')));
    let told = if places.is_empty() {
        work.applied("It is not in the prompt; the prompt asks to leave it out now.", &[])
    } else {
        work.partly(
            "The prompt asks to leave it out now; the sentence that has it cannot do without it unless it is reworded.",
            &[],
        )
    };
    work.add_line(&line, &told.1);
    told
}

/// The words themselves, with their quotation marks; a sentence or line that has no others goes whole, and an
/// enumeration stays one.
fn literally(work: &Work<'_>, what: &str) -> Vec<Cut> {
    let plain = |text: &str| text.trim_matches(|c: char| !c.is_alphanumeric()).len();
    work.places(what)
        .into_iter()
        .map(|range| {
            let range = work.quotation_of(&range).unwrap_or(range);
            let alone = || vec![(work.with_space(&range), String::new())];
            let Some(sentence) = work.sentence_at(&range) else { return alone() };
            let text = &work.prompt[sentence.clone()];
            if plain(text) <= plain(&work.prompt[range.clone()]) {
                return vec![(work.whole(&sentence), String::new())];
            }
            let near = work.vicinity(&sentence, &range);
            let inner = range.start - near.start..range.end - near.start;
            enumeration::without(&work.prompt[near.clone()], &inner).map_or_else(alone, |cut| {
                cut.into_iter()
                    .map(|(part, new)| (near.start + part.start..near.start + part.end, new))
                    .collect()
            })
        })
        .collect()
}

/// "the last sentence", "the second bullet point".
fn ordinal(work: &Work<'_>, remark: &str) -> Option<Range<usize>> {
    let found = pattern!(r"(?i)\b(?P<o>{refine_removal.ordinal}) (?P<u>{refine_removal.part_of_text})(?: {refine_removal.of_the_prompt})?[.!]*$")
        .captures(remark)?;
    let unit = found["u"].to_lowercase();
    let ranges: Vec<Range<usize>> = match unit.as_str() {
        "paragraph" | "absatz" | "paragraphe" | "párrafo" | "paragrafo" | "parágrafo" => {
            pattern!(r"[^\n]+(?:\n[^\n]+)*")
                .find_iter(work.prompt)
                .map(|part| part.range())
                .collect()
        }
        "line" | "zeile" | "ligne" | "línea" | "riga" | "linha" => {
            pattern!(r"[^\n]*\S[^\n]*").find_iter(work.prompt).map(|part| part.range()).collect()
        }
        "sentence" | "satz" | "phrase" | "frase" => work.sentences().to_vec(),
        _ => {
            let item = |range: &Range<usize>| {
                let line = work.prompt[..range.start].rfind('\n').map_or(0, |at| at + 1);
                !work.prompt[line..range.start].trim().is_empty()
            };
            work.sentences().iter().filter(|range| item(range)).cloned().collect()
        }
    };
    let order = found["o"].to_lowercase();
    let at = match order.chars().take(3).collect::<String>().as_str() {
        "las" | "fin" | "let" | "der" | "últ" | "ult" => ranges.len().checked_sub(1)?,
        "sec" | "zwe" | "deu" | "seg" => 1,
        "thi" | "dri" => 2,
        "fou" => 3,
        "fif" => 4,
        _ => 0,
    };
    ranges.get(at).map(|range| work.whole(range))
}

/// The headed section that is named, with its heading.
fn section(work: &Work<'_>, what: &str) -> Option<Range<usize>> {
    let name =
        pattern!(r"(?i)\s*{refine_removal.section}$").replace(what, "").trim().to_lowercase();
    let tag = pattern!(r"^<(?P<t>[A-Za-z][\w-]*)>$");
    let heading = pattern!(r"^(?P<l>#{1,6}) +(?P<t>.*?)(?: #+)?:?$");
    let mut open: Option<(usize, usize)> = None;
    let mut at = 0;
    for line in work.prompt.split_inclusive('\n') {
        let (start, text) = (at, line.trim());
        at += line.len();
        if work.is_held(&(start..start + line.trim_end().len().max(1)).clone()) && open.is_none() {
            let inside = tag.captures(text).is_some_and(|found| found["t"].to_lowercase() == name);
            if !inside {
                continue;
            }
        }
        if let Some(found) = tag.captures(text)
            && found["t"].to_lowercase().replace('_', " ") == name.replace('_', " ")
        {
            let close = format!("</{}>", &found["t"]);
            let end = work.prompt[at..].find(&close)? + at + close.len();
            return Some(trimmed(work.prompt, start..end));
        }
        let Some(found) = heading.captures(text) else { continue };
        let level = found["l"].len();
        match open {
            Some((from, depth)) if level <= depth => {
                return Some(trimmed(work.prompt, from..start));
            }
            None if found["t"].to_lowercase() == name => open = Some((start, level)),
            _ => {}
        }
    }
    open.map(|(from, _)| trimmed(work.prompt, from..work.prompt.len()))
}

/// A section with the blank lines on one side of it.
fn trimmed(prompt: &str, range: Range<usize>) -> Range<usize> {
    let end = range.end
        + (prompt[range.end..].len() - prompt[range.end..].trim_start_matches(['\n', '\r']).len());
    if prompt[end..].trim().is_empty() {
        return prompt[..range.start].trim_end().len()..prompt.trim_end().len();
    }
    range.start..end
}

/// The sentences and items that speak of something; of a longer sentence only the phrase that adds it.
fn speaking_of(work: &Work<'_>, what: &str, part: bool) -> Vec<Cut> {
    // "escalation" and "escalate", "shipping" and "ships": the beginning of a long word tells enough.
    let letters = what.chars().count();
    let stem: String = match letters {
        8.. => what.chars().take(letters - 4).collect(),
        _ => what.trim_end_matches('s').to_owned(),
    };
    let Some(pattern) = phrase(what) else { return Vec::new() };
    let loose = (stem.chars().count() >= 4 && !what.contains(' ') && what.is_ascii())
        .then(|| regex::Regex::new(&format!(r"(?i)\b{}\w{{0,5}}\b", regex::escape(&stem))).ok())
        .flatten();
    let speaks = |text: &str| {
        pattern.is_match(text) || loose.as_ref().is_some_and(|loose| loose.is_match(text))
    };
    let mut found: Vec<Range<usize>> = work
        .sentences()
        .iter()
        .filter(|range| speaks(&work.prompt[(*range).clone()]))
        .cloned()
        .collect();
    if found.is_empty() && part {
        found = by_words(work, what);
    }
    // The first sentence says what the prompt is about.
    let first = work.sentences().first().map_or(0, |sentence| sentence.end);
    if found.len() > MOST_SENTENCES {
        return Vec::new();
    }
    let mut cuts: Vec<Cut> = Vec::new();
    for sentence in found {
        let text = &work.prompt[sentence.clone()];
        let line = work.prompt[..sentence.start].rfind('\n').map_or(0, |at| at + 1);
        let item = !work.prompt[line..sentence.start].trim().is_empty()
            && work.whole(&sentence).start < line;
        let words = text.split_whitespace().count();
        let subject = words <= 2 + 2 * what.split_whitespace().count() + 1;
        let label = pattern.find(text).is_some_and(|found| {
            found.start() <= 2
                && text[found.end()..].trim_start_matches(['*', ' ']).starts_with([':', '：'])
        });
        let goes = part || item && words <= LONGEST_SENTENCE || subject;
        if label || goes && sentence.start >= first {
            cuts.push(vec![(work.whole(&sentence), String::new())]);
        } else if let Some(cut) = listed(text, what) {
            let moved = cut
                .into_iter()
                .map(|(part, new)| (sentence.start + part.start..sentence.start + part.end, new));
            cuts.push(moved.collect());
        }
    }
    cuts
}

/// The one sentence that has all the words of a description.
fn by_words(work: &Work<'_>, what: &str) -> Vec<Range<usize>> {
    let words: Vec<String> = what
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().count() > 3)
        .map(str::to_lowercase)
        .collect();
    if words.is_empty() {
        return Vec::new();
    }
    let has_all = |range: &Range<usize>| {
        let text = work.prompt[range.clone()].to_lowercase();
        words.iter().all(|word| text.contains(word.trim_end_matches('s')))
    };
    let found: Vec<Range<usize>> =
        work.sentences().iter().filter(|range| has_all(range)).cloned().collect();
    if found.len() == 1 { found } else { Vec::new() }
}

/// What takes a thing out of a sentence that goes on without it: from an enumeration, or with the
/// preposition that adds it.
fn listed(sentence: &str, what: &str) -> Option<Cut> {
    let core = phrase(what)?;
    let plural = regex::Regex::new(&format!("{}s?", core.as_str().trim_end_matches(r"\b"))).ok();
    let found = plural.as_ref().unwrap_or(&core).find(sentence)?;
    let cut = enumeration::without(sentence, &found.range());
    cut.or_else(|| attached(sentence, core.as_str()).map(|range| vec![(range, String::new())]))
}

/// The phrase that adds something at the end of a sentence: ", with a moral".
fn attached(sentence: &str, core: &str) -> Option<Range<usize>> {
    const LEAD: &str = r"(?:(?:an?|the|some|one|two|three|four|five|its|their|your|my|our|\d+|eine?[nmr]?|die|der|das|une?|des|les|el|la|los|las|una?|un|os|as|uma?|tre|drei|trois|tres)\s+)?(?:[\p{L}%-]+\s+)?";
    let pattern = format!(
        r"(?i),?\s+(?:with|plus|including|containing|mit|sowie|avec|con|com)\s+{LEAD}{core}(?:\s+[\p{{L}}-]+){{0,1}}?(?P<end>\s*(?:[,.;:!?\n]|$))"
    );
    let found = regex::Regex::new(&pattern).ok()?.captures(sentence)?;
    Some(found.get(0)?.start()..found.name("end")?.start())
}
