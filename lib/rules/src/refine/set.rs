//! Settings of a prompt: in place of the earlier value where there is one, else as a requirement.

use std::ops::Range;

use super::courtesy;
use super::settings;
use super::state::{brief, require, state};
use super::work::{Outcome, Work};
use crate::dialect::Part;
use crate::outline::Outline;
use crate::slots;
use crate::split::{capitalize, stop};
use crate::wording::tag_named;
use patterns::{Pattern, pattern};
use text::tail;

const REPLACED: &str = "\"{}\" was replaced by \"{2}\".";

/// A value behind its label on a line or in a sentence of its own: "Tone: friendly."
const LABELLED: Pattern = pattern!(
    r"(?i)^\**(?:{refine_set.article} )?(?:(?P<tone>{refine_set.tone_label})|(?P<audience>{refine_set.audience_label})|(?P<format>{refine_set.format_label})|(?P<language>{refine_set.language_label}))\**(?:\s*[:：]\s*\**\s*|\s{refine_set.is}\s)(?P<v>[^\n]*?[^\s.])\s*\.?$"
);

/// Where a tone stands within a sentence, as `v`.
const TONES: [Pattern; 4] = [
    pattern!(
        r"(?i)\b(?P<v>[\p{L}-]+(?:(?:,|,? {refine_set.and}) [\p{L}-]+){0,2}) {refine_set.tone_behind}\b"
    ),
    pattern!(r"(?i)\b{refine_set.tone_before} (?P<v>[\p{L}-]+(?: {refine_set.and} [\p{L}-]+)?)"),
    pattern!(
        r"(?i)\b{refine_set.tone_verb} (?P<v>[\p{L}-]+(?:(?:,|,? {refine_set.and}) [\p{L}-]+){0,2})[.!,;\n]"
    ),
    pattern!(
        r"(?i)\b{refine_set.tone_article} (?P<v>[\p{L}-]+(?:(?:,|,? {refine_set.and}) [\p{L}-]+)?) {refine_set.text_kind}\b"
    ),
];

/// Bytes before readers that are read to tell whether they are named as such.
const LONGEST_LEAD: usize = 60;

/// Replaces values in place; `None` if nothing could be replaced.
pub fn put(work: &mut Work<'_>, places: &[Range<usize>], new: &str) -> Option<Outcome> {
    let first = places.first()?;
    let old = brief(&work.prompt[first.clone()]);
    if old == new {
        return Some(work.applied("The prompt says so already.", &[]));
    }
    let before = work.prompt[..first.start].trim_end_matches([' ', '\t', '-', '*', '•']);
    let begins = before.is_empty() || before.ends_with(['.', '!', '?', '\n']);
    let raised = begins && old.starts_with(char::is_uppercase);
    let new = &if raised { capitalize(new) } else { new.to_owned() };
    let reason = work.voice.say(REPLACED, &[&old, &brief(new)]);
    let done = places.iter().filter(|range| work.exchange((*range).clone(), new, &reason)).count();
    (done > 0).then(|| work.applied(REPLACED, &[&old, &brief(new)]))
}

/// A value in the one place that a prompt has for it, else a line of its own: that of the prompt's language, or the
/// wish in its own words.
pub fn set(
    work: &mut Work<'_>,
    place: Option<Range<usize>>,
    name: &str,
    value: &str,
    wish: &str,
) -> Outcome {
    if let Some(done) = place.and_then(|place| {
        let (place, value) = with_article(work, &place, value);
        put(work, &[place], &value)
    }) {
        return done;
    }
    match work.tongue.line(name, value) {
        Some(line) => state(work, &line),
        None => require(work, courtesy::core(wish).0),
    }
}

/// A setting as a line in the prompt's language, or in the feedback's words.
pub fn line(work: &Work<'_>, name: &str, value: &str, wish: &str) -> String {
    let own = || stop(&capitalize(courtesy::core(wish).0));
    work.tongue.line(name, value).unwrap_or_else(own)
}

/// The values behind the labels of a setting.
fn labelled(work: &Work<'_>, name: &str) -> Vec<Range<usize>> {
    in_sentences(work, LABELLED, Some(name))
}

/// What a pattern names `v` in the sentences of a prompt, where it finds `name` as well.
fn in_sentences(work: &Work<'_>, says: Pattern, name: Option<&str>) -> Vec<Range<usize>> {
    let found = work.sentences().iter().filter_map(|sentence| {
        let found = says.captures(&work.prompt[sentence.clone()])?;
        let value = found.name("v")?.range();
        name.is_none_or(|name| found.name(name).is_some())
            .then(|| sentence.start + value.start..sentence.start + value.end)
    });
    found.filter(|range| !work.is_held(range)).collect()
}

/// What a pattern names `v` anywhere in a prompt.
fn within(work: &Work<'_>, says: Pattern) -> Vec<Range<usize>> {
    let found = says.captures_iter(work.prompt).filter_map(|found| Some(found.name("v")?.range()));
    found.filter(|range| !work.is_held(range)).collect()
}

fn one(mut places: Vec<Range<usize>>) -> Option<Range<usize>> {
    if places.len() == 1 { places.pop() } else { None }
}

/// Sets the tone.
pub fn tone(work: &mut Work<'_>, tone: &str, wish: &str) -> Outcome {
    let value = settings::tone_in(work.tongue.tag, &settings::without_degree(tone));
    let mut places = labelled(work, "tone");
    if places.is_empty() {
        let alone = pattern!(r"(?i)^(?P<v>[\p{L}-]+) {refine_set.tone_behind}\.?$");
        places = in_sentences(work, alone, None);
    }
    if places.is_empty() && value.split(' ').count() <= 4 {
        places = TONES.iter().flat_map(|says| within(work, *says)).collect();
        places.retain(|place| settings::is_tone(&work.prompt[place.clone()]));
        places = places.into_iter().map(|place| from_tone(work.prompt, place)).collect();
        places.sort_by_key(|place| place.start);
        places.dedup();
    }
    let place = one(places);
    let value = match &place {
        Some(place) if work.tongue.tag == "de" => inflected(&work.prompt[place.clone()], &value),
        _ => value,
    };
    set(work, place, "tone", &value, wish)
}

/// A range without the words before its first tone.
fn from_tone(prompt: &str, range: Range<usize>) -> Range<usize> {
    let words = prompt[range.clone()].split(' ').take_while(|word| !settings::is_tone(word));
    range.start + words.map(|word| word.len() + 1).sum::<usize>()..range.end
}

/// A German adjective with the ending of another: "förmlich" as in "freundlichen".
fn inflected(old: &str, new: &str) -> String {
    let first = old.split([' ', ',']).next().unwrap_or_default();
    let stem_of = |ending: &&str| first.strip_suffix(*ending).is_some_and(settings::is_tone);
    let ending = ["en", "em", "er", "es", "e"].into_iter().find(stem_of).unwrap_or_default();
    let word = |word: &str| {
        let (bare, comma) = word.strip_suffix(',').map_or((word, ""), |bare| (bare, ","));
        if settings::is_tone(bare) { format!("{bare}{ending}{comma}") } else { word.to_owned() }
    };
    new.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// A place with the English article before it, and the article that the new words need: "a" or "an".
pub fn with_article(work: &Work<'_>, place: &Range<usize>, new: &str) -> (Range<usize>, String) {
    let before = &work.prompt[..place.start];
    let from = before.char_indices().rev().nth(3).map_or(0, |(at, _)| at);
    let article =
        pattern!(r"(?i)(?:^|[^\p{L}])(?P<a>{refine_common.a_or_an}) $").captures(&before[from..]);
    match article.and_then(|found| found.name("a")).filter(|_| work.tongue.tag == "en") {
        Some(article) if indefinite(new, article.as_str().starts_with('A')) != article.as_str() => {
            let right = indefinite(new, article.as_str().starts_with('A'));
            (from + article.start()..place.end, format!("{right} {new}"))
        }
        _ => (place.clone(), new.to_owned()),
    }
}

/// The English article that stands before a word.
pub fn indefinite(word: &str, raised: bool) -> &'static str {
    let vowel = word.to_lowercase().starts_with(['a', 'e', 'i', 'o', 'u'])
        || pattern!(r"^(?:8|11\b|18\b)").is_match(word);
    match (raised, vowel) {
        (true, true) => "An",
        (true, false) => "A",
        (false, true) => "an",
        (false, false) => "a",
    }
}

/// Sets the readers.
pub fn audience(work: &mut Work<'_>, audience: &str, wish: &str) -> Outcome {
    let readers = pattern!(
        r"(?i)\b{refine_set.reader_lead} (?P<v>(?:{refine_set.reader_which} ){0,2}{refine_set.readers}{refine_set.reader_ending}?)\b"
    );
    let alone = pattern!(r"(?i)^{refine_set.meant_for} (?P<v>[^.\n]{3,60})\.?$");
    let mut places = labelled(work, "audience");
    if places.is_empty() {
        places = in_sentences(work, alone, None);
    }
    if places.is_empty() && work.tongue.tag == "en" {
        places = addressed(work);
    } else {
        if places.is_empty() {
            places = within(work, readers);
        }
        places = one(places).into_iter().collect();
    }
    match put(work, &places, audience) {
        Some(done) => done,
        None => set(work, None, "audience", audience, wish),
    }
}

/// Where an English task names its readers. What a guideline says of "the buyer" names none, and "for 30 people" says
/// how many there are, which new readers leave as it is.
fn addressed(work: &Work<'_>) -> Vec<Range<usize>> {
    let task = Outline::of(work.prompt).text(Part::Task);
    let known = slots::read(task.as_deref().unwrap_or(work.prompt)).audience;
    let counts = |readers: &String| {
        readers.contains(char::is_numeric) && !pattern!(r"(?i){refine_set.age}").is_match(readers)
    };
    let known = known.filter(|readers| !counts(readers));
    let places = known.map(|readers| work.places(&readers)).unwrap_or_default();
    let leads = |place: &Range<usize>| {
        pattern!(r"(?i)\b{refine_set.reader_lead}\s+$")
            .is_match(tail(&work.prompt[..place.start], LONGEST_LEAD))
    };
    let all = places.iter().all(|place| leads(place) && !work.is_held(place));
    if all { places } else { Vec::new() }
}

/// Sets the form of the answer.
pub fn format(work: &mut Work<'_>, format: &str, wish: &str) -> Outcome {
    let value = settings::format_in(work.tongue.tag, format).unwrap_or_else(|| format.to_owned());
    let mut places = labelled(work, "format");
    places.retain(|place| settings::is_format(&work.prompt[place.clone()]));
    if places.is_empty() {
        places = settings::formats_within(work.prompt);
        places.retain(|place| !work.is_held(place));
    }
    if places.is_empty() {
        // A sentence that says nothing else gives way to a line.
        let asks =
            |range: &&Range<usize>| settings::asks_for_format(&work.prompt[(*range).clone()]);
        let sentence = one(work.sentences().iter().filter(asks).cloned().collect());
        let line = line(work, "format", &value, wish);
        if let Some(done) = sentence.and_then(|sentence| put(work, &[sentence], &line)) {
            return done;
        }
    }
    let place = one(places);
    match place.and_then(|place| put(work, &[place], &value)) {
        Some(done) => done,
        None => set(work, None, "format", &value, wish),
    }
}

/// Sets the language of the answers. Where a translation of the prompt could be meant as well (`ambiguous`), it is done
/// in part.
pub fn language(work: &mut Work<'_>, tag: &str, ambiguous: bool) -> Outcome {
    let asks_alone = pattern!(
        r"(?i)^(?:{refine_set.please} )?{refine_set.respond}\b(?: \p{L}+){0,4}? {refine_set.in_language} (?P<l>\p{L}+)[.!]?$"
    );
    let more = pattern!(r"(?i)\b{refine_set.about_or_text}\b");
    let inside = pattern!(
        r"(?i)\b{refine_set.in_language} (?P<v>\p{L}{4,})(?:[.,;:!?)\n]|$| {refine_set.after_language}\b)"
    );
    let (line, name) = (work.tongue.respond_in(tag), work.tongue.name_of(tag));
    let prompt = work.prompt;
    let names = |place: &Range<usize>| tag_named(prompt[place.clone()].trim()).is_some();
    let mut places = labelled(work, "language");
    places.retain(names);
    let mut new = &name;
    if places.is_empty() {
        let asks = |range: &&Range<usize>| {
            let text = &prompt[(*range).clone()];
            let named = || Some(tag_named(&asks_alone.captures(text)?["l"]).is_some());
            text.split_whitespace().count() <= 10
                && (text::language::asked_for(text) || named() == Some(true))
                && !more.is_match(text)
                && !work.is_held(range)
        };
        places = work.sentences().iter().filter(asks).cloned().collect();
        new = &line;
    }
    if places.is_empty() {
        places = within(work, inside);
        places.retain(names);
        new = &name;
    }
    let place = one(places);
    let done = place.and_then(|place| put(work, &[place], new));
    let done = done.unwrap_or_else(|| state(work, &line));
    if ambiguous {
        return work.partly(
            "The prompt asks for answers in that language now. Its own words stay as they are: translating them takes a language model.",
            &[],
        );
    }
    done
}
