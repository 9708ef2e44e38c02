//! Names of variables that do not fit each other or what is declared.

use std::collections::{HashMap, HashSet};

use super::reading::Reading;
use super::rule::{LOOKED_AT, Spot};
use engine::prompt::Span;
use engine::prompt::mask::Kind;
use patterns::{pattern, words};

/// Words that names of variables are often made of.
const COMMON: &[(&str, &str)] = words!("analyze.identifiers");

/// Letters of a word from which on one letter more is a slip.
const TELLING: usize = 5;

/// A name that differs from another one by a slip, or has one within a common word.
pub fn misspelled(reading: &Reading<'_>) -> Vec<Spot> {
    let mut known: Vec<&str> = Vec::new();
    let mut spots = Vec::new();
    for (span, name) in &reading.variables {
        if known.len() == LOOKED_AT || known.contains(name) {
            continue;
        }
        let before = known.iter().copied().find(|other| is_slip(other, name));
        known.push(name);
        let meant = || name.split(['_', '-', '.', ' ']).find_map(meant);
        spots.extend(before.or_else(meant).map(|other| Spot::naming(*span, other)));
    }
    spots
}

fn common() -> impl Iterator<Item = &'static str> {
    COMMON.iter().flat_map(|(_, words)| words.split_whitespace())
}

fn is_common(word: &str) -> bool {
    common().any(|common| common == word)
}

/// The common word that a part of a name is with two letters exchanged.
fn meant(part: &str) -> Option<&'static str> {
    let lower = part.to_lowercase();
    let exchanged = |word: &&str| word.len() == lower.len() && slips(word, &lower);
    common().find(exchanged).filter(|_| !is_common(&lower))
}

/// Whether two words differ by two letters that changed places, or by one more within. At the end it is an ending, and a
/// digit numbers.
fn slips(one: &str, other: &str) -> bool {
    let sorted = |word: &str| {
        let mut letters: Vec<char> = word.chars().collect();
        letters.sort_unstable();
        letters
    };
    let (length, distance) = (one.len().min(other.len()), strsim::osa_distance(one, other));
    let ending = one.starts_with(other) || other.starts_with(one);
    let more = one.len() != other.len() && distance == 1 && length >= TELLING && !ending;
    let exchanged =
        sorted(one) == sorted(other) && (distance == 1 || distance == 2 && length > TELLING);
    (more || exchanged) && !one.chars().chain(other.chars()).any(char::is_numeric)
}

/// Whether two names are one but for a slip: case, signs, or a letter of a part that is no word of its own.
fn is_slip(one: &str, other: &str) -> bool {
    let plain = |name: &str| name.replace(|c: char| !c.is_alphanumeric(), "").to_lowercase();
    if plain(one) == plain(other) {
        return !plain(one).is_empty();
    }
    let (lower, second) = (one.to_lowercase(), other.to_lowercase());
    let split = |c: char| matches!(c, '_' | '-' | '.' | ' ');
    let (lefts, rights): (Vec<&str>, Vec<&str>) =
        (lower.split(split).collect(), second.split(split).collect());
    let differ: Vec<_> = lefts.iter().zip(&rights).filter(|(one, other)| one != other).collect();
    let slip = matches!(differ.as_slice(), [(one, other)]
        if !(is_common(one) && is_common(other)) && slips(one, other));
    slip && lefts.len() == rights.len()
}

/// A key that is written in two ways on two lines: "due_date" and "dueDate".
pub fn spelled_twice(reading: &Reading<'_>) -> Vec<Spot> {
    let text = reading.source.text;
    let name = pattern!(r"\b[a-z]+(?:(?:_[a-z0-9]+)+|(?:[A-Z][a-z0-9]+)+)\b");
    let mut known: HashMap<String, Span> = HashMap::new();
    let mut spots = Vec::new();
    for found in name.find_iter(text).take(10 * LOOKED_AT) {
        let place = Span::from(found.range());
        if reading.source.mask.holds(place, &[Kind::Markup, Kind::Fence]) {
            continue;
        }
        let word = reading.source.slice(place);
        let first = *known.entry(word.replace('_', "").to_lowercase()).or_insert(place);
        let other = reading.source.slice(first);
        if other != word && text[first.end..place.start].contains('\n') {
            spots.push(Spot::naming(place, other));
        }
    }
    spots.dedup_by_key(|spot| spot.value.clone());
    spots
}

/// Names that the prompt says it is filled with: a row or a list of names of which variables bear some, the inputs of front
/// matter, the parameters of a function.
fn declared<'a>(reading: &Reading<'a>) -> Option<Vec<&'a str>> {
    let text = reading.source.text;
    let row = pattern!(
        r"(?im)^(?P<head>[^:：\n]{0,60}) ?[:：] ?(?P<row>[\w{}`$-]+(?: \([^()\n]*\))?(?:(?:[,、，] ?| {analyze.and} )[\w{}`$-]+(?: \([^()\n]*\))?)+)(?P<behind> [^\n]{1,80})?[ .)]*$|^(?P<title>[^\n]{0,60})(?P<list>(?:\n+[ \t]*[-*•] [`$]*\{[^\n]*){2,})$|^def \w+\((?P<params>[^()\n]*)\)|^(?P<inputs>inputs):(?P<keys>(?:\n[ \t]+[^\n]*)+)"
    );
    let name =
        pattern!(r"(?im)(?:^ {0,3}(?:[-*•] )?|[,、，] ?| {analyze.and} )[{`$]*(?P<name>[\w.-]+)");
    let says = pattern!(r"(?i)\b{analyze.filled_by}\b");
    row.captures_iter(text).find_map(|found| {
        let group = |name: &str| found.name(name).map(|it| &text[it.range()]);
        let whole = ["row", "list", "params", "keys"].into_iter().find_map(group)?;
        let names = name.captures_iter(whole).filter_map(|it| it.name("name"));
        let names: Vec<&str> = names.map(|it| &whole[it.range()]).collect();
        let variables = reading.variables.iter().take(LOOKED_AT);
        let known = variables.filter(|(_, own)| names.contains(own)).count();
        let around = [group("head"), group("behind"), group("title")];
        let told = around.into_iter().flatten().any(|it| says.is_match(it));
        let most = known >= 2 && known * 2 > names.len() && group("behind").is_none();
        let is_front = group("inputs").is_some() && text.starts_with("---");
        let enough = is_front || most || known > 0 && (told || group("params").is_some());
        enough.then_some(names)
    })
}

/// A variable that is not among the declared ones.
pub fn undeclared(reading: &Reading<'_>) -> Vec<Spot> {
    let Some(known) = declared(reading) else { return Vec::new() };
    let mut seen: HashSet<&str> = HashSet::new();
    let strange = reading.variables.iter().filter(|(_, name)| {
        let root = name.split(['.', '|', ' ', '[']).next().unwrap_or_default();
        !known.contains(&root) && !known.contains(name) && seen.insert(name)
    });
    strange.map(|(span, _)| Spot::naming(*span, known.join(", "))).collect()
}
