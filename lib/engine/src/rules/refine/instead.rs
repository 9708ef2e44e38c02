//! "X instead of Y": what is wanted, without the verb or label around it, and whether it fits where Y stands.

use std::ops::Range;

use crate::rules::imperative;
use crate::rules::split::capitalize;
use crate::rules::wording::tag_named;
use patterns::pattern;

/// Words of the longest text that can stand for another one.
const LONGEST: usize = 8;

/// Whether a remark asks for something instead of something else.
pub fn is_wish(remark: &str) -> bool {
    pattern!(r"(?i)\b{refine_instead.instead}").is_match(remark)
}

/// What stands before the "instead of" of a remark.
pub fn before(remark: &str) -> Option<&str> {
    let found = pattern!(r"(?i)^(?P<v>\S.*?),? {refine_instead.instead}").captures(remark)?;
    found.name("v").map(|found| found.as_str())
}

/// What a remark wants, without the verb or label that leads to it: "free samples" for "Mention free
/// samples", "families" for "The audience is families". A first word that has its capital letter from the
/// beginning of the remark alone loses it.
pub fn wanted(remark: &str, old: &str) -> String {
    let text = remark.trim().trim_end_matches(',');
    let verb = pattern!(
        r"(?ix)^(?:{refine_instead.wish_lead}\s+)*{refine_instead.wish_verb}\ (?:{refine_instead.recipient}\ )?(?P<v>\S.*)$"
    );
    let label = pattern!(
        r"(?i)^(?:{refine_instead.label_article} )?(?P<l>[\p{L}]+(?: \p{L}+)?)(?: ?: | {refine_instead.label_is} )(?P<v>\S.*?)(?: {refine_common.be_at_end})?$"
    );
    let wish = pattern!(r"(?i)^{refine_instead.wish} (?:{refine_instead.to_have} )?");
    if let Some(found) = verb.captures(text) {
        return found["v"].to_owned();
    }
    if let Some(found) = label.captures(text) {
        return found["v"].to_owned();
    }
    if let Some(found) = wish.find(text) {
        return text[found.end()..].to_owned();
    }
    // "Lisbon", "NASA" and German nouns keep their capital letter.
    let mut words = text.split(' ');
    let first = words.next().unwrap_or_default();
    let next_is_low = words.next().is_some_and(|next| next.starts_with(char::is_lowercase));
    let leads = pattern!(
        r"(?i)^(?:(?:\d[\d.,]*|{refine_instead.number})|{refine_instead.article}|{refine_instead.preposition})$"
    )
    .is_match(first);
    let plain = first.chars().skip(1).all(char::is_lowercase)
        && tag_named(first).is_none()
        && !pattern!(r"(?i){refine_instead.day_or_month_ending}$|^{refine_instead.month}$")
            .is_match(first)
        && !pattern!(r"(?i)[äöüß]|{refine_instead.noun_ending}\b").is_match(text);
    let old_is_low = old.starts_with(char::is_lowercase);
    if plain && (leads || old_is_low && (next_is_low || first == text)) {
        return text
            .chars()
            .take(1)
            .flat_map(char::to_lowercase)
            .chain(text.chars().skip(1))
            .collect();
    }
    text.to_owned()
}

/// What is to go, without the verb or preposition that leads to it: "the discount" for "mentioning the
/// discount".
pub fn unwanted(remark: &str) -> &str {
    pattern!(
        r"(?i)^(?:{refine_instead.unwanted_verb}|{refine_instead.unwanted_lead})\s*(?P<v>\S.*)$"
    )
    .captures(remark)
    .filter(|found| !remark.to_lowercase().starts_with("zu") || found["v"].contains(' '))
    .and_then(|found| found.name("v"))
    .map_or(remark, |found| found.as_str())
    .trim()
}

/// What is not wanted and what is, if a remark says so of words that it does not quote.
pub fn asked(remark: &str) -> Option<(String, String)> {
    if !is_wish(remark) {
        return None;
    }
    let (old, new, quoted) = super::asks::exchange(super::asks::core(remark).0)?;
    (!quoted).then_some((old, new))
}

/// A text without its article.
pub fn bare(text: &str) -> &str {
    pattern!(r"(?i)^{refine_instead.article} (?P<v>\S.*)$")
        .captures(text)
        .and_then(|found| found.name("v"))
        .map_or(text, |found| found.as_str())
}

/// Whether a text is a number in figures or words.
pub fn is_number(text: &str) -> bool {
    pattern!(r"(?i)^(?:\d[\d.,]*|{refine_instead.number})$").is_match(text)
}

/// A number from two to twelve in figures for one in English words, or the other way round, with what follows it.
pub fn restated(text: &str) -> Option<String> {
    if !is_number(text) {
        return None;
    }
    const WORDS: [&str; 11] = [
        "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    ];
    let (number, rest) = text
        .split_once(' ')
        .map_or((text, String::new()), |(number, rest)| (number, format!(" {rest}")));
    let low = number.to_lowercase();
    let other = match WORDS.iter().position(|word| *word == low) {
        Some(at) => (at + 2).to_string(),
        None => (*WORDS.get(low.parse::<usize>().ok()?.checked_sub(2)?)?).to_owned(),
    };
    Some(format!("{other}{rest}"))
}

/// A number and its unit as they stand before a noun: "5-day" for "5 days".
pub fn hyphenated(text: &str) -> Option<String> {
    let found = pattern!(r"^(\d+) ([a-z]+?)s?$").captures(text)?;
    Some(format!("{}-{}", &found[1], &found[2]))
}

/// The words that go and what comes in their place, if the sentence stays whole by it: a figure keeps its
/// unit, a noun takes its article along, "at night" replaces "at dawn". `None` where words around the place
/// belong to what goes ("a discount of 10%"), or would have to be inflected.
pub fn fit(
    prompt: &str,
    place: &Range<usize>,
    new: &str,
    tag: &str,
) -> Option<(Range<usize>, String)> {
    let new = new.trim().trim_end_matches(['.', '!']);
    let old = &prompt[place.clone()];
    if new.is_empty() || new.split(' ').count() > LONGEST {
        return None;
    }
    let (before, after) = (tail(&prompt[..place.start]), &prompt[place.end..]);
    if is_number(old) {
        return counted(place, after, old, new);
    }
    // "ask a question" is no name of a thing.
    let acts = pattern!(r"(?i)^[\p{L}]+ {refine_instead.act_object} ");
    let named = pattern!(
        r"(?i)^(?:{refine_instead.preposition}|(?:\d[\d.,]*|{refine_instead.number})|{refine_instead.article}) |^\p{L}+{refine_instead.gerund_ending} "
    );
    let acts = tag == "en" && acts.is_match(new) && !named.is_match(new);
    if acts || imperative::starts_work(new) && new.split(' ').count() > 2 {
        return None;
    }
    let complement = pattern!(
        r"(?i)^\s+{refine_instead.amount_of}\s+(?:{refine_instead.up_to} )?[€$£]?\d|^\s?[%€$£]"
    );
    let amount =
        pattern!(r"\d[\d.,]*\s?(?:%|€|\$|£|{refine_instead.percent})[ -]$|[€$£]\d[\d.,]*[ -]$");
    if complement.is_match(after) || amount.is_match(before) && !new.starts_with(char::is_numeric) {
        return None;
    }
    let mut end = place.end;
    let camera = pattern!(r"(?i)^{refine_instead.camera_move}$");
    if camera.is_match(old)
        && let Some(found) =
            pattern!(r"(?i)^ (?P<p>{refine_instead.camera_way})(?:[.,;]|$)").captures(after)
    {
        end += 1 + found["p"].len();
    }
    let leading = pattern!(r"(?i)^{refine_instead.preposition} ").is_match(new);
    let governed = pattern!(
        r"(?i)(?:^|[^\p{L}])(?P<p>{refine_instead.preposition} )(?:{refine_instead.article} )?$"
    )
    .captures(before);
    if leading {
        let from = governed?.name("p")?.start();
        return Some((place.start - (before.len() - from)..end, new.to_owned()));
    }
    let article = pattern!(r"(?i)(?:^|[^\p{L}])(?P<a>{refine_instead.article}) $").captures(before);
    let article = article.and_then(|found| found.name("a"));
    let from = |found: patterns::Match<'_>| place.start - (before.len() - found.start());
    let own = (new.len() > bare(new).len()).then(|| &new[..new.len() - bare(new).len() - 1]);
    let plain = bare(new);
    if tag == "en" {
        let plural = |text: &str| {
            let head =
                text.split(" of ").next().unwrap_or(text).split(" with ").next().unwrap_or(text);
            pattern!(r"(?i)[^siu]s$").is_match(head)
        };
        let verb = pattern!(r"(?i)^ {refine_instead.copula}\b").is_match(&prompt[end..]);
        if verb && plural(plain) != plural(old) {
            return None;
        }
        return match article {
            Some(found) if found.as_str().to_lowercase().starts_with('a') => {
                let raise = found.as_str().starts_with('A');
                let text = if plural(plain) {
                    plain.to_owned()
                } else {
                    let vowel = plain.to_lowercase().starts_with(['a', 'e', 'i', 'o', 'u']);
                    format!("{} {plain}", if vowel { "an" } else { "a" })
                };
                Some((from(found)..end, if raise { capitalize(&text) } else { text }))
            }
            Some(_) => Some((place.start..end, plain.to_owned())),
            None if own.is_some_and(|own| own.to_lowercase() != "the") && !modified(before) => {
                Some((place.start..end, new.to_owned()))
            }
            None => Some((place.start..end, plain.to_owned())),
        };
    }
    match (article, own) {
        (Some(found), Some(own)) => {
            let there = found.as_str().to_lowercase();
            let own = own.to_lowercase();
            if there == own {
                return Some((place.start..end, plain.to_owned()));
            }
            // An adjective behind the noun would have to agree with another gender.
            let free = pattern!(r"(?i)^(?:\s*$|\s*[.,;:!?)\n]|\s+{refine_instead.following}\b)")
                .is_match(&prompt[end..]);
            let joined = joined(tag, &there, &own)?;
            free.then(|| {
                let raise = found.as_str().starts_with(char::is_uppercase);
                let joined = if raise { capitalize(&joined) } else { joined };
                (from(found)..end, format!("{joined}{plain}"))
            })
        }
        (Some(_), None) => None,
        (None, _) if modified(before) && tag != "de" => Some((place.start..end, plain.to_owned())),
        (None, _) => Some((place.start..end, plain.to_owned())),
    }
}

/// The article or contraction that takes the place of another one: "de la" for "del".
fn joined(tag: &str, there: &str, own: &str) -> Option<String> {
    let (lead, simple) = match (tag, there) {
        ("es", "del") | ("fr", "du") => ("de ", true),
        ("es", "al") => ("a ", true),
        ("fr", "au") => ("à ", true),
        ("es", "el" | "la" | "los" | "las" | "un" | "una") => ("", true),
        ("fr", "le" | "la" | "les" | "un" | "une") => ("", true),
        ("it", "il" | "lo" | "la" | "i" | "gli" | "le" | "un" | "uno" | "una") => ("", true),
        ("pt", "o" | "a" | "os" | "as" | "um" | "uma") => ("", true),
        ("de", "das" | "die") => ("", matches!(own, "das" | "die" | "den")),
        _ => return None,
    };
    if !simple {
        return None;
    }
    Some(match (tag, lead, own) {
        ("es", "de ", "el") => "del ".to_owned(),
        ("es", "a ", "el") => "al ".to_owned(),
        ("fr", "de ", "le") => "du ".to_owned(),
        ("fr", "de ", "les") => "des ".to_owned(),
        ("fr", "à ", "le") => "au ".to_owned(),
        ("fr", "à ", "les") => "aux ".to_owned(),
        _ => format!("{lead}{own} "),
    })
}

/// A figure for a figure: "60" for the 45 of "45-minute" where 60 minutes are wanted.
fn counted(
    place: &Range<usize>,
    after: &str,
    old: &str,
    new: &str,
) -> Option<(Range<usize>, String)> {
    let found = pattern!(r"(?i)^(?P<n>(?:\d[\d.,]*|{refine_instead.number}))(?:[ -](?P<u>\S.*))?$")
        .captures(new)?;
    let number = found["n"].to_owned();
    let Some(unit) = found.name("u") else { return Some((place.clone(), number)) };
    let head = unit.as_str().split([' ', '-']).next_back()?.to_lowercase();
    let alike = |word: &str| stem(word) == stem(&head);
    let word = pattern!(r"^(?P<gap>[ -])(?P<w>[\p{L}]+)").captures(after);
    if let Some(word) = word
        && alike(&word["w"])
    {
        if &word["gap"] == "-" || word["w"].to_lowercase() == head {
            return Some((place.clone(), number));
        }
        let whole = word.get(0)?.end();
        return Some((place.start..place.end + whole, new.to_owned()));
    }
    let one = |text: &str| pattern!(r"(?i)^(?:1|{refine_instead.one})$").is_match(text);
    let counts = pattern!(r"^(?: [\p{L}-]+){1,3}")
        .find(after)
        .is_some_and(|words| words.as_str().split(' ').skip(2).any(alike));
    (counts && !one(old) && !one(&number)).then(|| (place.clone(), number))
}

fn stem(word: &str) -> String {
    let word = word.to_lowercase();
    let word = word.trim_end_matches(['s', 'n', 'e', 'a', 'i']);
    word.chars().take(6).collect()
}

/// Whether an adjective and not the beginning of a phrase stands before a place.
fn modified(before: &str) -> bool {
    pattern!(r"(?i)\b{refine_instead.determiner} [\p{L}-]+ $").is_match(before)
}

/// The end of a text, as much as tells what leads to the next word.
fn tail(text: &str) -> &str {
    let from = text.char_indices().rev().nth(39).map_or(0, |(at, _)| at);
    &text[from..]
}
