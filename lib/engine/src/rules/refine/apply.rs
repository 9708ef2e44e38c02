//! Carrying out what a point asks for.

use std::ops::Range;

use super::asks::Ask;
use super::place::ended;
use super::points::Point;
use super::work::{Outcome, Work, in_case};
use super::{asks, figures, instead, scene, values};
use crate::rules::optimize;
use crate::rules::split::capitalize;
use crate::{FeedbackStatus, variables};
use patterns::pattern;

/// Characters of a text that a reason repeats.
const NAMED: usize = 80;

/// Applies what a point asks for to the prompt and tells what became of it.
pub fn carry_out(work: &mut Work<'_>, ask: Ask, point: &Point) -> Outcome {
    match ask {
        Ask::Steering => work.refused(
            "It addresses the service instead of the prompt. Feedback is data here, so nothing in it is followed as an order.",
            &[],
        ),
        Ask::Answer => work.refused(
            "Refining changes the prompt; it does not carry out what the prompt asks for.",
            &[],
        ),
        Ask::Remark => work.refused("It asks for no change.", &[]),
        Ask::Keep => work.applied("It stays as it is.", &[]),
        Ask::Question => work.refused(
            "It is a question. Say what is to be different, and the prompt is changed.",
            &[],
        ),
        Ask::Unclear if point.surplus => work.refused(
            "The feedback has more points than are worked on at once; send the rest again.",
            &[],
        ),
        Ask::Unclear => work.refused(
            "It does not say what is to stand in the prompt instead, and finding that takes a language model.",
            &[],
        ),
        Ask::Translate => work.refused(
            "Translating the prompt takes a language model. It can be made to ask for answers in another language.",
            &[],
        ),
        // Both need the finished text; the caller lays it out.
        Ask::Target(_) | Ask::Structure => work.refused("", &[]),
        Ask::Improve => improve(work),
        Ask::Replace { old, new, quoted } => replace(work, &old, &new, quoted, point),
        Ask::Value { noun, value } => values::set_value(work, &noun, &value),
        Ask::Rename { old, new } => rename(work, &old, &new),
        Ask::Fill { name, value } => fill(work, &name, &value),
        Ask::Variables(list) => {
            let told: Vec<Outcome> =
                list.iter().map(|(thing, name)| parametrize(work, thing, name)).collect();
            let refused = told.iter().filter(|(status, _)| *status == FeedbackStatus::NotApplied);
            let status = match refused.count() {
                0 => FeedbackStatus::Applied,
                some if some == told.len() => FeedbackStatus::NotApplied,
                _ => FeedbackStatus::PartlyApplied,
            };
            let reasons: Vec<String> = told.into_iter().map(|(_, reason)| reason).collect();
            (status, reasons.join(" "))
        }
        Ask::Role(role) => values::set_role(work, &role),
        Ask::Count { number, noun } => values::set_count(work, &number, &noun, point),
        Ask::Remove { what, quoted, part } => {
            super::removal::remove(work, &what, quoted, part, point)
        }
        Ask::Shorter | Ask::Longer | Ask::Specific | Ask::Simpler | Ask::Examples => {
            values::set_manner(work, &ask, point)
        }
        Ask::Scale(percent) => values::set_scale(work, percent, point),
        Ask::NoEmojis => values::ban_emojis(work, point),
        Ask::Length(length) => values::set_length(work, &length, point),
        Ask::Tone(tone) => values::set_tone(work, &tone, point),
        Ask::Audience(audience) => values::set_audience(work, &audience, point),
        Ask::Format(format) => values::set_format(work, &format, point),
        Ask::Language(tag, ambiguous) => values::set_language(work, tag, ambiguous),
        Ask::Include(what) => include(work, &what, point),
        Ask::Exclude(what) => exclude(work, &what, point),
        Ask::Requirement(text) => require(work, &text),
    }
}

/// The beginning of a text, for reasons.
pub fn brief(text: &str) -> String {
    let mut short: String = text.chars().take(NAMED).collect();
    if text.chars().nth(NAMED).is_some() {
        short.push('…');
    }
    short
}

fn improve(work: &mut Work<'_>) -> Outcome {
    if !work.rewords {
        return work
            .refused("Nothing was found that can be corrected without knowing the matter.", &[]);
    }
    let corrections = optimize::correct(work.prompt, work.tongue, work.voice);
    if work.edits.absorb(&corrections) == 0 {
        return work
            .refused("Nothing was found that can be corrected without knowing the matter.", &[]);
    }
    work.partly(
        "Repetitions, filler and slips were corrected; a new wording takes a language model.",
        &[],
    )
}

fn replace(work: &mut Work<'_>, old: &str, new: &str, quoted: bool, point: &Point) -> Outcome {
    let new = new.trim_end_matches(['.', ' ']).to_owned()
        + if quoted && new.ends_with('.') { "." } else { "" };
    let bare =
        |text: &str| pattern!(r"(?i)^{refine_apply.articles}\s+").replace(text, "").into_owned();
    let mut named = (old.to_owned(), new.clone());
    let mut places = work.places(old);
    if !quoted {
        let plain = (bare(old), bare(&new));
        // "the cat" by "a dog": the article that stands in the prompt stays, if both had one.
        if plain.0 != old && plain.1 != new || places.is_empty() {
            let found = work.places(&plain.0);
            if !found.is_empty() {
                (places, named) = (found, plain);
            }
        }
    }
    let wish = !quoted && instead::is_wish(&point.text);
    if wish
        && places.is_empty()
        && let Some((old, new)) = [instead::restated, instead::hyphenated]
            .into_iter()
            .filter_map(|form| form(old).zip(form(&new)))
            .find(|(old, _)| !work.places(old).is_empty())
    {
        let places = work.places(&old);
        return exchange(work, &old, &new, places, point);
    }
    if places.is_empty() {
        let corrects = pattern!(r"(?i)^{refine_apply.not}\b");
        if wish && let Some(ask) = asks::setting(&new) {
            return carry_out(work, ask, &Point::of(&new));
        }
        if wish || corrects.is_match(asks::core(&point.text).0) {
            return require(work, asks::core(&point.text).0);
        }
        let reason = if work.is_in_code(old) {
            "\"{}\" stands only in code, a variable or an address, which are kept as they are."
        } else {
            "The prompt does not say \"{}\"."
        };
        return work.refused(reason, &[&brief(old)]);
    }
    if wish {
        return exchange(work, old, &new, places, point);
    }
    let reason =
        work.voice.say("\"{}\" was replaced by \"{2}\".", &[&brief(&named.0), &brief(&named.1)]);
    let mut done = 0;
    for range in places {
        let (range, new) = fitted(work.prompt, range, &named.1);
        let text = in_case(&work.prompt[range.clone()], &named.0, new);
        done += usize::from(work.exchange(range, &text, &reason));
    }
    if done == 0 {
        return overlaps(work);
    }
    work.applied("\"{}\" was replaced by \"{2}\".", &[&brief(&named.0), &brief(&named.1)])
}

/// Puts what is wanted in the place of what is not, where the sentence stays whole by it; elsewhere the wish is
/// stated as a requirement.
fn exchange(
    work: &mut Work<'_>,
    old: &str,
    new: &str,
    places: Vec<Range<usize>>,
    point: &Point,
) -> Outcome {
    let tag = work.tongue.tag;
    let fits: Vec<Option<(Range<usize>, String)>> =
        places.iter().map(|place| instead::fit(work.prompt, place, new, tag)).collect();
    // A figure may stand before other units as well, which are not meant.
    let all = fits.iter().all(Option::is_some) || instead::is_number(old);
    let fits: Vec<(Range<usize>, String)> = fits.into_iter().flatten().collect();
    if all && !fits.is_empty() {
        let mut done = 0;
        let (named, old) = (old, brief(&work.prompt[fits[0].0.clone()]));
        let new = brief(&fits[0].1);
        let reason = work.voice.say("\"{}\" was replaced by \"{2}\".", &[&old, &new]);
        for (range, text) in fits {
            let text = in_case(&work.prompt[range.clone()], instead::bare(named), &text);
            done += usize::from(work.exchange(range, &text, &reason));
        }
        if done == 0 {
            return overlaps(work);
        }
        return work.applied("\"{}\" was replaced by \"{2}\".", &[&old, &new]);
    }
    let wish = asks::core(&point.text).0;
    let told = work.partly(
        "The prompt asks to leave it out now; the sentence that has it cannot do without it unless it is reworded.",
        &[],
    );
    work.add_line(&ended(&capitalize(wish)), &told.1);
    told
}

/// A replacement without the words that stand around its place already: "5 examples" for the 3 of
/// "3 examples", "at night" for the dawn of "at dawn".
fn fitted<'t>(prompt: &str, range: Range<usize>, new: &'t str) -> (Range<usize>, &'t str) {
    if let Some((figure, noun)) = new.split_once(' ')
        && figure.ends_with(|c: char| c.is_ascii_digit())
        && prompt[range.end..].trim_start().starts_with(noun)
    {
        return (range, figure);
    }
    let preposition = pattern!(r"(?i)^{refine_apply.prepositions} ");
    let from = prompt[..range.start].char_indices().rev().nth(4).map_or(0, |(at, _)| at);
    let before = pattern!(r"(?i)\b{refine_apply.prepositions} $").find(&prompt[from..range.start]);
    match before {
        Some(found) if preposition.is_match(new) => (from + found.start()..range.end, new),
        _ => (range, new),
    }
}

/// Two points want the same words changed.
pub fn overlaps(work: &Work<'_>) -> Outcome {
    work.refused("It would change words that another point changes or that must be kept.", &[])
}

fn rename(work: &mut Work<'_>, old: &str, new: &str) -> Outcome {
    if variables::find(work.prompt).iter().any(|found| found.name == new) {
        return work.refused("The prompt has a variable named \"{}\" already.", &[new]);
    }
    if work.markers(old).is_empty() {
        return work.refused("The prompt does not say \"{}\".", &[&format!("{{{{{old}}}}}")]);
    }
    let reason = work.voice.say("The variable \"{}\" is named \"{2}\" now.", &[old, new]);
    let mut done = 0;
    for (_, name) in work.markers(old) {
        done += usize::from(work.exchange(name, new, &reason));
    }
    if done == 0 {
        return overlaps(work);
    }
    work.applied("The variable \"{}\" is named \"{2}\" now.", &[old, new])
}

fn fill(work: &mut Work<'_>, name: &str, value: &str) -> Outcome {
    if work.markers(name).is_empty() {
        return work.refused("The prompt does not say \"{}\".", &[&format!("{{{{{name}}}}}")]);
    }
    let value = value.trim_end_matches('.');
    let reason = work.voice.say("The variable \"{}\" was filled in.", &[name]);
    let mut done = 0;
    for (marker, _) in work.markers(name) {
        done += usize::from(work.exchange(marker, value, &reason));
    }
    if done == 0 {
        return overlaps(work);
    }
    work.applied("The variable \"{}\" was filled in.", &[name])
}

/// Puts a variable where its value stands, or asks for one in a line of its own.
fn parametrize(work: &mut Work<'_>, thing: &str, name: &str) -> Outcome {
    let marker = format!("{{{{{name}}}}}");
    if variables::find(work.prompt).iter().any(|found| found.name == name) {
        return work.applied("The prompt has the variable \"{}\" already.", &[name]);
    }
    let value = values::value_of(work, thing);
    let places = match &value {
        Some(value) => work.places(value),
        None => values::mentions(work, thing),
    };
    let shown = value.unwrap_or_else(|| asks::unquoted(thing).to_owned());
    let reason = work.voice.say("\"{}\" is the variable \"{2}\" now.", &[&brief(&shown), name]);
    let mut done = 0;
    for range in places {
        done += usize::from(work.exchange(range, &marker, &reason));
    }
    if done > 0 {
        return work.applied("\"{}\" is the variable \"{2}\" now.", &[&brief(&shown), name]);
    }
    if asks::unquoted(thing) != thing {
        return work.refused("The prompt does not say \"{}\".", &[&brief(&shown)]);
    }
    let reason =
        work.voice.say("The prompt has the variable \"{}\" in a line of its own now.", &[name]);
    work.add_line(&format!("{}: {marker}", capitalize(thing)), &reason);
    work.applied("The prompt has the variable \"{}\" in a line of its own now.", &[name])
}

fn include(work: &mut Work<'_>, what: &str, point: &Point) -> Outcome {
    let what = what.trim_end_matches(['.', ' ']);
    let last = pattern!(r"(?i) {refine_apply.at_the_end}$");
    let what = last.find(what).map_or(what, |found| &what[..found.start()]);
    let bare = asks::unquoted(what);
    if bare != what.trim() && (bare.ends_with(['.', '!', '?']) || bare.split(' ').count() > 2) {
        let reason = work.voice.say("The text was added as it is.", &[]);
        work.add_line(bare, &reason);
        return work.applied("The text was added as it is.", &[]);
    }
    let literal = pattern!(
        r"(?is)^(?:{refine_apply.this} )*{refine_apply.piece_of_text}\s*[:：]?\s+(?P<v>\S.*?)(?P<top> {refine_apply.to_the_top})?(?: {refine_apply.to_the_end})?$"
    );
    if let Some(found) = literal.captures(what) {
        let quoted = asks::unquoted(&found["v"]);
        if quoted != found["v"].trim() || found["v"].len() < what.len() && what.contains(':') {
            let reason = work.voice.say("The text was added as it is.", &[]);
            let text = ended(quoted);
            if found.name("top").is_some() {
                let start = work.prompt.len() - work.prompt.trim_start().len();
                work.edits.add(start..start, &format!("{text}\n\n"), &reason, None);
            } else {
                work.add_line(&text, &reason);
            }
            return work.applied("The text was added as it is.", &[]);
        }
    }
    let says_so = work.places(what);
    if what.split_whitespace().count() >= 2
        && says_so.iter().any(|range| !work.is_held(range))
        && !says_so.iter().any(|range| is_negated(work, range.start))
    {
        return work.applied("The prompt says so already.", &[]);
    }
    let own = asks::core(&point.text).0;
    let mentions = pattern!(r"(?i)^{refine_apply.mention}");
    let line = match work.tongue.line("include", what) {
        _ if mentions.is_match(own) && !work.is_foreign(own) => ended(&capitalize(own)),
        Some(line) => line,
        None if work.is_foreign(own) => format!("Include {what}."),
        None => ended(own),
    };
    withdraw(work, what, false);
    if work.is_foreign(own) && what.split_whitespace().count() > 4 {
        return foreign(work, &line);
    }
    state(work, &line)
}

/// Takes out a short instruction that demands the opposite: "mention the price" before "don't mention it".
pub fn withdraw(work: &mut Work<'_>, what: &str, demanded: bool) {
    let demand = pattern!(
        r"(?i)^(?:{refine_apply.please} )?(?:{refine_apply.mention}|{refine_apply.include})\b"
    );
    let ban = pattern!(r"(?i)^(?:{refine_apply.please} )?{refine_apply.do_not}\b");
    let Some(subject) = super::work::phrase(what) else { return };
    let reason = work.voice.say("It would contradict what the feedback asks for.", &[]);
    let contrary: Vec<_> = work
        .sentences()
        .iter()
        .filter(|range| {
            let text = &work.prompt[(*range).clone()];
            subject.is_match(text)
                && text.split_whitespace().count() <= 8 + what.split_whitespace().count()
                && (if demanded { demand } else { ban }).is_match(text)
        })
        .cloned()
        .collect();
    for range in contrary {
        if work.only_copy(&range, what).is_none() {
            let whole = work.whole(&range);
            work.exchange(whole, "", &reason);
        }
    }
}

/// Whether a "no" or "without" stands shortly before a place.
fn is_negated(work: &Work<'_>, at: usize) -> bool {
    let before: String = work.prompt[..at].chars().rev().take(30).collect();
    let before: String = before.chars().rev().collect();
    pattern!(r"(?i)\b{refine_apply.negation}\b[^.!?\n]*$").is_match(&before)
}

fn exclude(work: &mut Work<'_>, what: &str, point: &Point) -> Outcome {
    let own = asks::core(&point.text).0;
    let line = match work.tongue.line("exclude", what.trim_end_matches('.')) {
        Some(line) if work.is_foreign(own) => line,
        _ => ended(&capitalize(own)),
    };
    withdraw(work, what, true);
    state(work, &line)
}

/// States a requirement.
pub fn state(work: &mut Work<'_>, line: &str) -> Outcome {
    let reason = work.voice.say("The prompt states it as a requirement now.", &[]);
    if work.add_line(line, &reason) {
        work.applied("The prompt states it as a requirement now.", &[])
    } else {
        work.applied("The prompt says so already.", &[])
    }
}

/// Takes an instruction over in its own words.
pub fn require(work: &mut Work<'_>, text: &str) -> Outcome {
    if let Some(done) = values::update(work, text).or_else(|| figures::update(work, text)) {
        return done;
    }
    let line = pattern!(r"(?i)^(?:{refine_apply.i_want_it_to} )").replace(text, "");
    if let Some(weather) = scene::weather(text) {
        return state(work, &ended(&capitalize(&weather)));
    }
    let line = pattern!(r"(?i)^{refine_apply.make_it} ").replace(&line, "Make the result ");
    let line = ended(&capitalize(line.trim()));
    if work.is_foreign(text) {
        return foreign(work, &line);
    }
    state(work, &line)
}

/// States a requirement whose words are in another language than the prompt.
fn foreign(work: &mut Work<'_>, line: &str) -> Outcome {
    let told = work.partly("The prompt states it now, in the words of the feedback; translating them takes a language model.", &[]);
    work.add_line(line, &told.1);
    told
}
