//! Settings of a prompt: in place of the earlier value where there is one, else as a requirement.

use std::ops::Range;

use super::apply::{brief, overlaps, require, state};
use super::asks::{self, Ask};
use super::earlier::{self, Exchange};
use super::points::Point;
use super::settings::{self, Length};
use super::work::{Outcome, Work};
use crate::rules::slots;
use crate::rules::split::{capitalize, stop};
use patterns::pattern;

const REPLACED: &str = "\"{}\" was replaced by \"{2}\".";
/// Longest value that is taken from a "name: value", in characters.
const LONGEST_VALUE: usize = 80;

/// Replaces values in place; tells whether all went well.
pub fn put(work: &mut Work<'_>, places: &[Range<usize>], new: &str) -> Option<Outcome> {
    let first = places.first()?;
    let old = brief(&work.prompt[first.clone()]);
    if old == new {
        return Some(work.applied("The prompt says so already.", &[]));
    }
    let raised = old.starts_with(char::is_uppercase)
        && new.starts_with(char::is_lowercase)
        && begins_sentence(&work.prompt[..first.start]);
    let new = &if raised { capitalize(new) } else { new.to_owned() };
    let reason = work.voice.say(REPLACED, &[&old, &brief(new)]);
    let done = places.iter().filter(|range| work.exchange((*range).clone(), new, &reason)).count();
    (done > 0).then(|| work.applied(REPLACED, &[&old, &brief(new)]))
}

fn begins_sentence(before: &str) -> bool {
    let before = before.trim_end_matches([' ', '\t', '-', '*', '•']);
    before.is_empty() || before.ends_with(['.', '!', '?', '\n'])
}

/// A setting as a line in the prompt's language, or in the feedback's words.
fn line(work: &Work<'_>, name: &str, value: &str, point: &Point) -> String {
    work.tongue.line(name, value).unwrap_or_else(|| stop(&capitalize(asks::core(&point.text).0)))
}

/// States a setting.
fn set_line(work: &mut Work<'_>, name: &str, value: &str, point: &Point) -> Outcome {
    let own = asks::core(&point.text).0;
    match work.tongue.line(name, value) {
        Some(text) => state(work, &text),
        None => require(work, own),
    }
}

/// Puts a setting in the place of the earlier one, if there is one and no other point changes it.
fn put_exchange(work: &mut Work<'_>, exchange: Option<Exchange>) -> Option<Outcome> {
    let (place, new) = exchange?;
    put(work, &[place], &new)
}

/// Sets the tone.
pub fn set_tone(work: &mut Work<'_>, tone: &str, point: &Point) -> Outcome {
    let bare = settings::without_degree(tone);
    let value = settings::tone_in(work.tongue.tag, &bare);
    let earlier = earlier::tone(work, &value);
    put_exchange(work, earlier).unwrap_or_else(|| set_line(work, "tone", &value, point))
}

/// Sets the readers.
pub fn set_audience(work: &mut Work<'_>, audience: &str, point: &Point) -> Outcome {
    let earlier = earlier::audience(work);
    put(work, &earlier, audience).unwrap_or_else(|| set_line(work, "audience", audience, point))
}

/// Sets the form of the answer.
pub fn set_format(work: &mut Work<'_>, format: &str, point: &Point) -> Outcome {
    let value = settings::format_in(work.tongue.tag, format).unwrap_or_else(|| format.to_owned());
    let line = work.tongue.line("format", &value);
    let earlier = earlier::format(work, &value, line.as_deref());
    put_exchange(work, earlier).unwrap_or_else(|| set_line(work, "format", &value, point))
}

/// Sets how long the answer is to be.
pub fn set_length(work: &mut Work<'_>, length: &Length, point: &Point) -> Outcome {
    let tag = work.tongue.tag;
    let known: Vec<Length> =
        work.lengths().iter().filter(|known| known.unit == length.unit).cloned().collect();
    let same = known
        .windows(2)
        .all(|pair| work.prompt[pair[0].range.clone()] == work.prompt[pair[1].range.clone()]);
    if let Some(first) = known.first().filter(|first| !first.attribute)
        && same
    {
        let new = length.in_language(tag, Some(first));
        let places: Vec<Range<usize>> = known.iter().map(|known| known.range.clone()).collect();
        return put(work, &places, &new).unwrap_or_else(|| overlaps(work));
    }
    let new = length.in_language(tag, None);
    if let [first] = &known[..]
        && first.attribute
    {
        return set_attribute(work, first, length, point);
    }
    if known.is_empty() {
        return set_line(work, "length", &new, point);
    }
    let text = line(work, "length", &new, point);
    let told = work.partly(
        "The prompt states it now. It has several lengths of this kind, and which of them is meant only its author can tell.",
        &[],
    );
    work.add_line(&text, &told.1);
    told
}

/// Changes the length in "a 500-word essay"; a bound does not fit there and gets a line of its own.
fn set_attribute(work: &mut Work<'_>, earlier: &Length, length: &Length, point: &Point) -> Outcome {
    let tag = work.tongue.tag;
    if !length.is_bound() {
        let new = length.in_language(tag, Some(earlier));
        let exchange = earlier::with_article(work.prompt, &earlier.range, &new, tag);
        return put_exchange(work, Some(exchange)).unwrap_or_else(|| overlaps(work));
    }
    let rest = &work.prompt[earlier.range.end..];
    let gap = usize::from(rest.starts_with([' ', '-']));
    let next: String = rest[gap..].split(' ').next().unwrap_or_default().to_owned();
    let whole = earlier.range.start..earlier.range.end + gap + next.len();
    let (range, new) = earlier::with_article(work.prompt, &whole, &next, tag);
    let (told, text) = (
        work.applied("The prompt states it as a requirement now.", &[]),
        line(work, "length", &length.in_language(tag, None), point),
    );
    if next.is_empty() || work.is_held(&whole) || !work.exchange(range, &new, &told.1) {
        return overlaps(work);
    }
    work.add_line(&text, &told.1);
    told
}

/// Sets the language of the answers.
pub fn set_language(work: &mut Work<'_>, tag: &str, ambiguous: bool) -> Outcome {
    let text = work.tongue.respond_in(tag);
    let name = work.tongue.name_of(tag);
    let earlier = earlier::language(work, &text, &name);
    let done = put_exchange(work, earlier);
    let done = done.unwrap_or_else(|| state(work, &text));
    if ambiguous {
        return work.partly(
            "The prompt asks for answers in that language now. Its own words stay as they are: translating them takes a language model.",
            &[],
        );
    }
    done
}

/// Shorter, longer, more specific and the like.
pub fn set_manner(work: &mut Work<'_>, ask: &Ask, point: &Point) -> Outcome {
    let (name, opposite) = match ask {
        Ask::Shorter => ("shorter", "longer"),
        Ask::Longer => ("longer", "shorter"),
        Ask::Specific => ("specific", ""),
        Ask::Simpler => ("simpler", ""),
        _ => ("examples", ""),
    };
    let text = line(work, name, "", point);
    let states = match ask {
        Ask::Specific => work.partly(
            "The prompt asks for it now; the figures and names themselves only its author knows.",
            &[],
        ),
        Ask::Examples => work.partly(
            "The prompt asks for examples now; examples of its own need material that only its author has.",
            &[],
        ),
        Ask::Shorter | Ask::Longer if !work.lengths().is_empty() => {
            work.partly(
                "The prompt asks for it now. The length that it states was left: name another figure to change it.",
                &[],
            )
        }
        _ => work.applied("The prompt states it as a requirement now.", &[]),
    };
    // What an earlier refinement asked for must not contradict this one.
    let sizes = match ask {
        Ask::Shorter => earlier::sizes(work, false),
        Ask::Longer => earlier::sizes(work, true),
        _ => Vec::new(),
    };
    if let Some(place) = sizes.into_iter().next()
        && work.exchange(place, &text, &states.1)
    {
        return states;
    }
    let contrary = work.tongue.line(opposite, "");
    if let Some(contrary) = contrary
        && let Some(at) = work.prompt.find(&contrary)
        && work.exchange(at..at + contrary.len(), &text, &states.1)
    {
        return states;
    }
    if work.add_line(&text, &states.1) {
        states
    } else {
        work.applied("The prompt says so already.", &[])
    }
}

/// So many percent of the length that the prompt states; without one, shorter or longer.
pub fn set_scale(work: &mut Work<'_>, percent: u32, point: &Point) -> Outcome {
    let units: Vec<usize> = work.lengths().iter().map(|known| known.unit).collect();
    let scaled = work.lengths().first().and_then(|known| {
        let value = (known.value()? * u64::from(percent) + 50) / 100;
        units.iter().all(|unit| *unit == known.unit).then(|| known.with_value(value.max(1)))
    });
    if let Some(length) = scaled {
        return set_length(work, &length, point);
    }
    let manner = if percent < 100 { Ask::Shorter } else { Ask::Longer };
    let (_, _) = set_manner(work, &manner, point);
    let told = work.partly(
        "The prompt asks for it now; it states no length of which that could be a part or a multiple.",
        &[],
    );
    if let Some(line) = work.lines.last_mut() {
        line.reason.clone_from(&told.1);
    }
    told
}

/// No emojis, in the answer or in the prompt.
pub fn ban_emojis(work: &mut Work<'_>, point: &Point) -> Outcome {
    let reason = work.voice.say("Emojis were removed.", &[]);
    let emojis = pattern!(
        r"[ ]?[\x{1F300}-\x{1FAFF}\x{2600}-\x{27BF}\x{1F1E6}-\x{1F1FF}][\x{FE0F}\x{200D}\x{1F3FB}-\x{1F3FF}\x{1F300}-\x{1FAFF}\x{2600}-\x{27BF}\x{1F1E6}-\x{1F1FF}]*"
    );
    let found: Vec<Range<usize>> = emojis
        .find_iter(work.prompt)
        .map(|found| found.range())
        .filter(|range| !work.is_held(range))
        .collect();
    for range in found {
        work.exchange(range, "", &reason);
    }
    super::apply::withdraw(work, "emojis", true);
    set_line(work, "emojis", "", point)
}

/// Where the value of a noun stands: "the deadline is Monday", "Deadline: Monday".
fn value_place(work: &Work<'_>, noun: &str) -> Vec<Range<usize>> {
    let words: Vec<String> = noun.split_whitespace().map(regex::escape).collect();
    let Ok(pattern) = regex::Regex::new(&format!(
        r"(?i)\b{}\**(?:\s*[:：=]\**\s*|\s+(?:is|are|named|called|of|will be|ist|sind|heißt|namens|est|s['’]appelle|es|se llama|è|si chiama|é|chama-se)\s+|\s+(?P<q>[\x22“„«]))(?P<v>[^\n]+)",
        words.join(r"\s+")
    )) else {
        return Vec::new();
    };
    pattern
        .captures_iter(work.prompt)
        .filter_map(|found| {
            let value = found.name("v")?;
            let start = found.name("q").map_or(value.start(), |quote| quote.start());
            let text = &work.prompt[start..value.end()];
            let quoted = text::literals::scan(text);
            if let (Some(whole), Some(inner)) = (quoted.quotations.first(), quoted.quoted.first())
                && whole.start == 0
            {
                return Some(start + inner.start..start + inner.end);
            }
            let end = pattern!(r"[.,;!?](?:\s|$)|\s{refine_values.behind_value}\s|[()\n\r]|$")
                .find(text)?;
            let value = text[..end.start()].trim_end();
            (!value.is_empty() && value.chars().count() <= LONGEST_VALUE)
                .then(|| start..start + value.len())
        })
        .collect()
}

/// Gives what a noun names another value.
pub fn set_value(work: &mut Work<'_>, noun: &str, value: &str) -> Outcome {
    let mut places = value_place(work, noun);
    // "the bear's name" is what "a bear named Bruno" tells.
    if let Some(found) = pattern!(r"(?i)^(?:(?P<a>.+){refine_values.ones_name}|{refine_values.name} {refine_values.of} (?:{refine_values.the} )?(?P<b>.+))$").captures(noun)
        && places.is_empty()
        && let Some(whose) = found.name("a").or(found.name("b"))
    {
        places = value_place(work, whose.as_str());
    }
    let same =
        places.windows(2).all(|pair| work.prompt[pair[0].clone()] == work.prompt[pair[1].clone()]);
    if same && let Some(done) = put(work, &places, value) {
        return done;
    }
    let told = work.partly(
        "The prompt states it now; where it says something else, only its author can tell.",
        &[],
    );
    work.add_line(&format!("{}: {}", capitalize(noun), stop(value)), &told.1);
    told
}

/// Whether a sentence says who the model is.
pub fn gives_role(sentence: &str) -> bool {
    pattern!(r"(?i)^{refine_values.role} ?\S").is_match(sentence)
}

/// Sets who the model is, in place of the earlier role or at the beginning.
pub fn set_role(work: &mut Work<'_>, role: &str) -> Outcome {
    let earlier =
        work.sentences().iter().find(|range| gives_role(&work.prompt[(*range).clone()])).cloned();
    let new = stop(&capitalize(role));
    if let Some(place) = earlier {
        return put(work, &[place], &new).unwrap_or_else(|| overlaps(work));
    }
    let start = work.prompt.len() - work.prompt.trim_start().len();
    let gap = if work.prompt[start..].starts_with(['#', '<', '-', '*']) { "\n\n" } else { " " };
    let told = work.applied("The prompt states it as a requirement now.", &[]);
    work.edits.add(start..start, &format!("{new}{gap}"), &told.1, None);
    told
}

/// Changes how many of something there are to be.
pub fn set_count(work: &mut Work<'_>, number: &str, noun: &str, point: &Point) -> Outcome {
    let stem = noun.trim_end_matches('s');
    let places: Vec<Range<usize>> = regex::Regex::new(&format!(
        r"(?i)\b(?P<n>\d{{1,4}})[ -](?:[\p{{L}}-]+ ){{0,2}}?{}\w{{0,2}}\b",
        regex::escape(stem)
    ))
    .into_iter()
    .flat_map(|pattern| {
        pattern
            .captures_iter(work.prompt)
            .filter_map(|found| found.name("n").map(|count| count.range()))
            .collect::<Vec<_>>()
    })
    .filter(|range| !work.is_held(range))
    .collect();
    match places.len() {
        1 => put(work, &places, number).unwrap_or_else(|| overlaps(work)),
        _ => require(work, asks::core(&point.text).0),
    }
}

/// Takes over a bare new value ("budget 80 EUR", "by Friday") where the prompt has one of its kind.
pub fn update(work: &mut Work<'_>, text: &str) -> Option<Outcome> {
    if text.split_whitespace().count() > 5 {
        return None;
    }
    if let Some((part, number)) = part_in(text) {
        return set_part(work, part, number);
    }
    let (found, known) = (slots::read(text), slots::read(work.prompt));
    // Days are not exchanged for hours: they may be those of another thing.
    let unit = |span: &String| {
        let word = span.rsplit([' ', '-']).next().unwrap_or_default();
        word.to_lowercase().trim_end_matches('s').to_owned()
    };
    let duration =
        found.duration.filter(|new| known.duration.as_ref().map(unit) == Some(unit(new)));
    let bound = pattern!(r"(?i)^{refine_values.limit} ");
    [(known.budget, found.budget), (known.deadline, found.deadline), (known.duration, duration)]
        .into_iter()
        .find_map(|pair| match pair {
            (Some(old), Some(new)) if old != new => Some((old, new)),
            _ => None,
        })
        .and_then(|(old, new)| {
            // "less than 60 EUR" stays a limit when only the sum changes.
            let old = if bound.is_match(&new) { old } else { bound.replace(&old, "").into_owned() };
            let places: Vec<Range<usize>> =
                work.places(&old).into_iter().filter(|range| !work.is_held(range)).collect();
            if places.len() == 1 { put(work, &places, &new) } else { None }
        })
}

/// The part that a remark gives a figure, with that figure: "Make the game 10 minutes".
pub fn part_in(remark: &str) -> Option<(&str, &str)> {
    let found = pattern!(
        r"(?i)^(?:{refine_values.make} )?{refine_values.the_part} (?P<part>[\p{L}-]+(?: [\p{L}-]+)?) (?:{refine_values.last} )*(?P<n>\d{1,4})[ -][\p{L}]+(?: {refine_values.long})?$"
    )
    .captures(remark)?;
    let whole = pattern!(r"(?i)^{refine_values.whole}\b");
    let (part, number) = (found.name("part")?.as_str(), found.name("n")?.as_str());
    (!whole.is_match(part)).then_some((part, number))
}

/// Gives a part the figure where the prompt has one for it; `None` where it has none.
fn set_part(work: &mut Work<'_>, part: &str, number: &str) -> Option<Outcome> {
    let part = regex::escape(part);
    let pattern = regex::Regex::new(&format!(
        r"(?i)\b(?P<a>\d{{1,4}})[ -][\p{{L}}]+ (?:[\p{{L}}-]+ ){{0,2}}?{part}\b|\b{part}(?: (?:of|for|lasting|takes|lasts|should take|is))?[ :(]+(?P<b>\d{{1,4}})[ -][\p{{L}}]+"
    ))
    .ok()?;
    let places: Vec<Range<usize>> = pattern
        .captures_iter(work.prompt)
        .filter_map(|found| found.name("a").or(found.name("b")))
        .map(|place| place.range())
        .filter(|range| !work.is_held(range))
        .collect();
    if places.len() == 1 { put(work, &places, number) } else { None }
}

/// The text that a thing stands for in the prompt: what is quoted, a name, or the value behind a noun.
pub fn value_of(work: &Work<'_>, thing: &str) -> Option<String> {
    let quoted = asks::unquoted(thing);
    if quoted != thing {
        return Some(quoted.to_owned());
    }
    if let Some(found) = pattern!(r"^\p{Ll}[\p{L} ]*? (?P<v>\p{Lu}.*)$").captures(thing)
        && !work.places(&found["v"]).is_empty()
    {
        return Some(found["v"].to_owned());
    }
    let place = value_place(work, thing).into_iter().next();
    if let Some(place) = place {
        return Some(work.prompt[place].to_owned());
    }
    let named = thing.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
    (named && work.tongue.tag != "de" && !work.places(thing).is_empty()).then(|| thing.to_owned())
}

/// Where a noun stands with an article that points at something definite.
pub fn mentions(work: &Work<'_>, thing: &str) -> Vec<Range<usize>> {
    let words: Vec<String> = thing.split_whitespace().map(regex::escape).collect();
    let Ok(pattern) = regex::Regex::new(&format!(
        r"(?i)\b(?:the|my|our|this|your|der|die|das|den|dem|mein\w*|unser\w*|le|la|mon|ma|notre|el|mi|nuestr[oa]|il|lo|[oa]|meu|minha)\s+{}\b",
        words.join(r"\s+")
    )) else {
        return Vec::new();
    };
    pattern
        .find_iter(work.prompt)
        .map(|found| found.range())
        .filter(|range| !work.is_held(range))
        .collect()
}
