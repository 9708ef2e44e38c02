//! Names of variables that do not fit each other or what is declared.

use std::collections::HashSet;

use super::mask::lines;
use super::reading::Reading;
use super::rule::Spot;
use crate::container::{Container, Role};
use patterns::{pattern, words};
use text::list;

/// Words that names of variables are often made of.
const COMMON: &[(&str, &str)] = words!("analyze.identifiers");

/// Different names that are compared with each other.
const COMPARED: usize = 100;
/// Letters of a word from which on one letter that differs tells, and from which on two that changed places.
const TELLING: usize = 5;

/// A name that differs from another one by a slip, or has one within a common word.
pub fn misspelled(reading: &Reading<'_>) -> Vec<Spot> {
    let mut known: Vec<&str> = Vec::new();
    let mut spots = Vec::new();
    let declared = declared(reading.source.text).unwrap_or_default();
    for (span, name) in &reading.variables {
        if known.len() == COMPARED || known.contains(name) {
            continue;
        }
        let before = known.iter().copied().find(|other| is_slip(other, name));
        known.push(name);
        let meant = || name.split(['_', '-', '.', ' ']).find_map(meant);
        // The first of two may be the slip, where the other one is declared.
        if let Some(other) = before.or_else(meant)
            && !declared.iter().any(|own| own == name)
        {
            spots.push(Spot::naming(*span, other));
        }
    }
    spots
}

fn is_common(word: &str) -> bool {
    COMMON.iter().flat_map(|(_, words)| words.split_whitespace()).any(|common| common == word)
}

/// The common word that a part of a name is with two letters exchanged.
fn meant(part: &str) -> Option<&'static str> {
    let lower = part.to_lowercase();
    let mut common = COMMON.iter().flat_map(|(_, words)| words.split_whitespace());
    common.find(|word| is_exchange(word, &lower)).filter(|_| !is_common(&lower))
}

/// Whether two words have the same letters, of which two changed places.
fn is_exchange(one: &str, other: &str) -> bool {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let differ: Vec<usize> =
        (0..one.len().min(other.len())).filter(|at| one[*at] != other[*at]).collect();
    let [a, b] = differ[..] else { return false };
    let apart = b == a + 1 || a > 0 && one.len() > TELLING;
    one.len() == other.len() && apart && one[a] == other[b] && one[b] == other[a]
}

/// Whether two names are one but for a slip: case, signs, or a letter of a part that is no word of its own.
fn is_slip(one: &str, other: &str) -> bool {
    let plain = |name: &str| name.replace(|c: char| !c.is_alphanumeric(), "").to_lowercase();
    if plain(one) == plain(other) {
        return !plain(one).is_empty();
    }
    let (one, other) = (one.to_lowercase(), other.to_lowercase());
    let parts =
        |name: &str| name.split(['_', '-', '.', ' ']).map(str::to_owned).collect::<Vec<_>>();
    let (one, other) = (parts(&one), parts(&other));
    let differ: Vec<_> = one.iter().zip(&other).filter(|(one, other)| one != other).collect();
    let ([(one, other)], true) = (differ.as_slice(), one.len() == other.len()) else {
        return false;
    };
    !(is_common(one) && is_common(other)) && (is_exchange(one, other) || is_one_more(one, other))
}

/// Whether a word has a letter more than another. At the end it is an ending, and a digit numbers.
fn is_one_more(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    let (short, long): (Vec<char>, Vec<char>) = (short.chars().collect(), long.chars().collect());
    let at = short.iter().zip(&long).position(|(one, other)| one != other);
    short.len() >= TELLING
        && long.len() == short.len() + 1
        && at.is_some_and(|at| long[at].is_alphabetic() && short[at..] == long[at + 1..])
}

/// Names that the prompt says it is filled with: in front matter, in a row, in a list of names with what they mean.
fn declared(text: &str) -> Option<Vec<String>> {
    let container = Container::of(text);
    if let Some(front) = container.texts().first().filter(|one| one.role == Role::Setting) {
        let inputs = pattern!(r"(?m)^inputs:\n(?P<body>(?:[ \t]+[^\n]*\n)+)");
        let found = inputs.captures(&front.text)?;
        let body = found.name("body")?.as_str();
        let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
        let own = body.lines().filter(|line| indent(line) == indent(body));
        let names = own.filter_map(|line| Some(line.split_once(':')?.0.trim().to_owned()));
        return Some(names.collect());
    }
    let listed = pattern!(
        r"(?im)^\W*(?:{analyze.filled_by}) ?[:：] ?(?P<row>[\w.{}`$-]+(?:[,、，] ?[\w.{}`$-]+)+)\W*$"
    );
    if let Some(found) = listed.captures(text) {
        let bare = |name: &str| name.trim_matches([' ', '{', '}', '`', '$', '.']).to_owned();
        return Some(found["row"].split([',', '、', '，']).map(bare).collect());
    }
    let names = explained(text);
    (names.len() >= 2).then_some(names)
}

/// The variables that a list below "Variables:" explains.
fn explained(text: &str) -> Vec<String> {
    let heading = pattern!(r"(?i)^[\W_]*{analyze.filled_by}[^:\n]{0,40}(?:[:：]\W*|\**)$");
    let item =
        pattern!(r"^[`*]*\{\{?\s*(?P<n>[^{}\n]{1,60}?)\s*\}?\}[`*]*\s*(?:[:：=]|[-–—] )\s*\p{L}");
    let mut below = false;
    let mut found = Vec::new();
    for (_, line) in lines(text) {
        let own = &line[list::marker(line)..];
        if heading.is_match(line) {
            below = true;
        } else if let Some(one) = item.captures(own).filter(|_| below) {
            found.push(one["n"].to_owned());
        } else if !line.trim().is_empty() {
            below = false;
        }
    }
    found
}

/// A variable that is not among the declared ones.
pub fn undeclared(reading: &Reading<'_>) -> Vec<Spot> {
    let Some(known) = declared(reading.source.text) else { return Vec::new() };
    let mut seen: HashSet<&str> = HashSet::new();
    let strange = reading.variables.iter().filter(|(_, name)| {
        let root = name.split(['.', '|', ' ', '[']).next().unwrap_or_default();
        !known.iter().any(|own| own == root || own == name)
    });
    let first = strange.filter(|(_, name)| seen.insert(name));
    first.map(|(span, _)| Spot::naming(*span, known.join(", "))).collect()
}
