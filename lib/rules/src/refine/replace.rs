//! Puts one thing in the place of another, so that the sentence stays whole.

use std::ops::Range;

use super::courtesy::core;
use super::exchange::{Exchange, Kind};
use super::place::ended;
use super::set::indefinite;
use super::state::{UNREMOVED, brief, overlaps, require};
use super::work::{Outcome, Work, in_case, phrase};
use crate::imperative;
use crate::split::capitalize;
use patterns::{pattern, words};

/// Words of the longest text that takes the place of another one with the words around that.
const LONGEST: usize = 8;

/// What gives way, and to what.
type Fit = (Range<usize>, String);

/// Makes an exchange wherever the prompt has the words that go: quoted words as they stand, others with their article,
/// unit or preposition. What is wished for and does not fit is stated in the words of `wish`.
pub fn replace(work: &mut Work<'_>, exchange: &Exchange, wish: &str) -> Outcome {
    let Exchange { old, new, quoted, kind } = exchange;
    let new = if *quoted { new } else { new.trim_end_matches(['.', ' ']) };
    let new = &lowered(work, exchange, new, wish);
    let plain = (bare(old).to_owned(), new.clone());
    let whole = (old.clone(), new.clone());
    let mut ways = vec![whole];
    if !quoted {
        // "The cat" by "a dog": the article that stands in the prompt stays, if both had one.
        let both = plain.0 != *old && bare(new) != *new;
        ways.insert(usize::from(!both), plain);
        ways.extend(forms(old, new).into_iter().flatten());
    }
    let found = ways
        .into_iter()
        .map(|(old, new)| (work.places(&old), old, new))
        .find(|(places, ..)| !places.is_empty());
    let Some((places, old, new)) = found else {
        if *kind != Kind::Order {
            return require(work, core(wish).0);
        }
        let reason = if work.is_in_code(old) {
            "\"{}\" stands only in code, a variable or an address, which are kept as they are."
        } else {
            "The prompt does not say \"{}\"."
        };
        return work.refused(reason, &[&brief(old)]);
    };
    let fits: Vec<Option<Fit>> = match quoted {
        true => places.iter().map(|place| Some((place.clone(), new.clone()))).collect(),
        false => places.iter().map(|place| fit(work, place, &new)).collect(),
    };
    // A figure may stand before other units as well, which are not meant.
    let fitting = fits.iter().all(Option::is_some) || is_number(&old);
    let verbatim = |place: &Range<usize>| (place.clone(), bare(&new).to_owned());
    let fits: Vec<Fit> = match kind {
        Kind::Wish if !fitting => Vec::new(),
        Kind::Wish => fits.into_iter().flatten().collect(),
        _ => fits
            .into_iter()
            .zip(&places)
            .map(|(fit, at)| fit.unwrap_or_else(|| verbatim(at)))
            .collect(),
    };
    if fits.is_empty() {
        let told = work.partly(UNREMOVED, &[]);
        work.add_line(&ended(&capitalize(core(wish).0)), &told.1);
        return told;
    }
    let reason = "\"{}\" was replaced by \"{2}\".";
    let named = [brief(&work.prompt[fits[0].0.clone()]), brief(&fits[0].1)];
    let named = [named[0].as_str(), named[1].as_str()];
    let told = work.applied(reason, &named);
    let mut done = 0;
    for (range, text) in fits {
        let text = in_case(&work.prompt[range.clone()], bare(&old), &text);
        done += usize::from(work.exchange(range, &text, &told.1));
    }
    if done == 0 { overlaps(work) } else { told }
}

/// What comes, without the capital letter that it has as the beginning of the wish. German nouns keep theirs.
fn lowered(work: &Work<'_>, exchange: &Exchange, new: &str, wish: &str) -> String {
    let begins = exchange.kind == Kind::Wish && core(wish).0.starts_with(new);
    let is_low = exchange.old.starts_with(char::is_lowercase) && work.tongue.tag != "de";
    let word = new.split(' ').next().unwrap_or_default();
    let is_plain = !word.chars().skip(1).any(char::is_uppercase);
    let mut letters = new.chars();
    match letters.next().filter(|_| begins && is_low && is_plain) {
        Some(first) => first.to_lowercase().chain(letters).collect(),
        None => new.to_owned(),
    }
}

/// Whether a prompt has words that an exchange can name: as they are, without their article, or as another form of a
/// number.
pub fn stands(prompt: &str, old: &str) -> bool {
    let has = |text: &str| phrase(text).is_some_and(|words| words.is_in(prompt));
    has(bare(old)) || forms(old, old).into_iter().flatten().any(|(old, _)| has(&old))
}

/// Other forms of what goes and what comes: a number in words or figures, "5-day" for "5 days".
fn forms(old: &str, new: &str) -> [Option<(String, String)>; 2] {
    [
        restated(old).map(|old| (old, restated(new).unwrap_or_else(|| new.to_owned()))),
        hyphenated(old).zip(hyphenated(new)),
    ]
}

/// A text without its article.
pub fn bare(text: &str) -> &str {
    pattern!(r"(?i)^(?:{refine_replace.article} |{refine_replace.elided})(?P<v>\S.*)$")
        .captures(text)
        .and_then(|found| found.name("v"))
        .map_or(text, |found| found.as_str())
}

/// Whether a text is a number in figures or words.
fn is_number(text: &str) -> bool {
    pattern!(r"(?i)^(?:\d[\d.,]*|{refine_replace.number})$").is_match(text)
}

/// A number from two to twelve in figures for one in words, or the other way round, with what follows it.
fn restated(text: &str) -> Option<String> {
    let (number, rest) = text.split_once(' ').map_or((text, ""), |(number, rest)| (number, rest));
    let low = number.to_lowercase();
    let lists: &[(&str, &str)] = words!("refine_replace.numbers");
    let at = |list: &str| list.split(' ').position(|word| word == low);
    let other = match lists.iter().find_map(|(_, list)| at(list)) {
        Some(at) => (at + 2).to_string(),
        None => {
            let at = low.parse::<usize>().ok()?.checked_sub(2)?;
            lists.iter().find(|(tag, _)| *tag == "en")?.1.split(' ').nth(at)?.to_owned()
        }
    };
    Some(format!("{other} {rest}").trim_end().to_owned())
}

/// A number and its unit as they stand before a noun: "5-day" for "5 days".
fn hyphenated(text: &str) -> Option<String> {
    let found = pattern!(r"^(\d+) ([a-z]+?)s?$").captures(text)?;
    Some(format!("{}-{}", &found[1], &found[2]))
}

/// The words that go and what comes in their place, if the sentence stays whole by it: a figure keeps its unit, a noun
/// takes its article along, "at night" replaces "at dawn". `None` where words around the place belong to what goes ("a
/// discount of 10%"), or would have to be inflected.
fn fit(work: &Work<'_>, place: &Range<usize>, new: &str) -> Option<Fit> {
    let new = new.trim_end_matches(['.', '!']);
    let (old, after) = (&work.prompt[place.clone()], &work.prompt[place.end..]);
    let from = work.prompt[..place.start].char_indices().rev().nth(39).map_or(0, |(at, _)| at);
    let before = &work.prompt[from..place.start];
    let english = work.tongue.tag == "en";
    if new.is_empty() || new.split(' ').count() > LONGEST {
        return None;
    }
    if is_number(old) {
        return counted(place, after, old, new);
    }
    // "Ask a question" is no name of a thing.
    let acts = pattern!(r"(?i)^[\p{L}]+ {refine_replace.act_object} ");
    let named = pattern!(
        r"(?i)^(?:{refine_replace.preposition}|(?:\d[\d.,]*|{refine_replace.number})|{refine_replace.article}) |^\p{L}+{refine_replace.gerund_ending} "
    );
    let acts = english && acts.is_match(new) && !named.is_match(new);
    if acts || imperative::starts_work(new) && new.split(' ').count() > 2 {
        return None;
    }
    let complement = pattern!(
        r"(?i)^\s+{refine_replace.amount_of}\s+(?:{refine_replace.up_to} )?[€$£]?\d|^\s?[%€$£]"
    );
    let amount =
        pattern!(r"\d[\d.,]*\s?(?:%|€|\$|£|{refine_replace.percent})[ -]$|[€$£]\d[\d.,]*[ -]$");
    if complement.is_match(after) || amount.is_match(before) && !new.starts_with(char::is_numeric) {
        return None;
    }
    let camera = pattern!(r"(?i)^{refine_replace.camera_move}$").is_match(old);
    let way = pattern!(r"(?i)^ {refine_replace.camera_way}(?:\b)").find(after).filter(|_| camera);
    let end = place.end + way.map_or(0, |way| way.end());
    if pattern!(r"(?i)^{refine_replace.preposition} ").is_match(new) {
        let governed = pattern!(
            r"(?i)(?:^|[^\p{L}])(?P<p>{refine_replace.preposition} )(?:{refine_replace.article} )?$"
        );
        let governed = governed.captures(before)?.name("p")?.start();
        return Some((from + governed..end, new.to_owned()));
    }
    let plain = bare(new);
    let own = &new[..new.len() - plain.len()];
    let article = pattern!(r"(?i)(?:^|[^\p{L}])(?P<a>{refine_replace.article} )$").captures(before);
    let article = article.and_then(|found| found.name("a"));
    if english {
        let verb = pattern!(r"(?i)^ {refine_replace.copula}\b").is_match(&work.prompt[end..]);
        if verb && is_plural(plain) != is_plural(old) {
            return None;
        }
        let modified = pattern!(r"(?i)\b{refine_replace.determiner} [\p{L}-]+ $").is_match(before);
        let definite = pattern!(r"(?i)^{refine_common.the} $");
        let indefinite_article = pattern!(r"(?i)^{refine_common.a_or_an} $");
        return Some(match article {
            Some(found) if indefinite_article.is_match(found.as_str()) => {
                let raised = found.as_str().starts_with('A');
                let text = match is_plural(plain) {
                    true if raised => capitalize(plain),
                    true => plain.to_owned(),
                    false => format!("{} {plain}", indefinite(plain, raised)),
                };
                (from + found.start()..end, text)
            }
            None if !own.is_empty() && !definite.is_match(own) && !modified => {
                (place.start..end, new.to_owned())
            }
            _ => (place.start..end, plain.to_owned()),
        });
    }
    match article {
        Some(found) if !own.is_empty() => {
            // An adjective behind the noun would have to agree with another gender.
            let free = pattern!(r"(?i)^(?:\s*$|\s*[.,;:!?)\n]|\s+{refine_replace.following}\b)");
            let raised = found.as_str().starts_with(char::is_uppercase);
            let new =
                if raised { capitalize(new) } else { format!("{}{plain}", own.to_lowercase()) };
            free.is_match(&work.prompt[end..]).then(|| (from + found.start()..end, new))
        }
        Some(_) => None,
        // An article that is one word with its preposition stays as it is.
        None => {
            let joined = pattern!(r"(?i)(?:^|[^\p{L}]){refine_replace.contraction} $");
            let fits = !joined.is_match(before) && !own.ends_with(['\'', '’']);
            fits.then(|| (place.start..end, plain.to_owned()))
        }
    }
}

/// Whether an English noun is in the plural, judged by its head.
fn is_plural(text: &str) -> bool {
    let head = pattern!(r"(?i) {refine_replace.behind_head} ")
        .split(text)
        .next()
        .unwrap_or(text)
        .to_owned();
    pattern!(r"(?i)[^siu]s$").is_match(&head)
}

/// A figure for a figure: "60" for the 45 of "45-minute" where 60 minutes are wanted.
fn counted(place: &Range<usize>, after: &str, old: &str, new: &str) -> Option<Fit> {
    let found = pattern!(r"(?i)^(?P<n>(?:\d[\d.,]*|{refine_replace.number}))(?:[ -](?P<u>\S.*))?$")
        .captures(new)?;
    let number = found["n"].to_owned();
    let Some(unit) = found.name("u") else { return Some((place.clone(), number)) };
    let head = unit.as_str().split([' ', '-']).next_back()?.to_lowercase();
    let alike = |word: &str| stem(word) == stem(&head);
    let word = pattern!(r"^(?P<gap>[ -])(?P<w>[\p{L}]+)").captures(after);
    if let Some(word) = word.filter(|word| alike(&word["w"])) {
        if &word["gap"] == "-" || word["w"].to_lowercase() == head {
            return Some((place.clone(), number));
        }
        let whole = word.get(0)?.end();
        return Some((place.start..place.end + whole, new.to_owned()));
    }
    let one = |text: &str| pattern!(r"(?i)^(?:1|{refine_replace.one})$").is_match(text);
    let counts = pattern!(r"^(?: [\p{L}-]+){1,3}")
        .find(after)
        .is_some_and(|words| words.as_str().split(' ').skip(2).any(alike));
    (counts && !one(old) && !one(&number)).then(|| (place.clone(), number))
}

fn stem(word: &str) -> String {
    let word = word.to_lowercase();
    word.trim_end_matches(['s', 'n', 'e', 'a', 'i']).chars().take(6).collect()
}
