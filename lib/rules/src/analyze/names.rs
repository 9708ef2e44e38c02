//! Names of variables that do not fit each other or what is declared.

use std::collections::HashSet;

use super::object;
use super::reading::Reading;
use super::rule::Spot;
use patterns::{pattern, words};

/// Words that names of variables are often made of.
const COMMON: &[(&str, &str)] = words!("analyze.identifiers");

/// Different names that are compared with each other.
const COMPARED: usize = 100;
/// Shortest name whose likeness to another tells.
const TELLING: usize = 5;

/// A name that differs from another one by a slip, or has one within a common word.
pub fn misspelled(reading: &Reading<'_>) -> Vec<Spot> {
    let mut seen: HashSet<&str> = HashSet::new();
    let mut known: Vec<&str> = Vec::new();
    let mut spots = Vec::new();
    for (span, name) in &reading.variables {
        if known.len() == COMPARED || !seen.insert(name) {
            continue;
        }
        let before = known.iter().copied().find(|other| is_slip(other, name));
        known.push(name);
        if let Some(other) = before {
            spots.push(Spot::naming(*span, other));
        } else if let Some(word) = name.split(['_', '-', '.', ' ']).find_map(meant) {
            spots.push(Spot::naming(*span, word));
        }
    }
    spots
}

/// The common word that a part of a name is with two letters exchanged.
fn meant(part: &str) -> Option<&'static str> {
    let common = || COMMON.iter().flat_map(|(_, words)| words.split(' '));
    let lower = part.to_lowercase();
    if common().any(|word| word == lower) {
        return None;
    }
    common().find(|word| is_exchange(word, &lower))
}

/// Whether two words differ by two neighbouring letters that changed places.
fn is_exchange(one: &str, other: &str) -> bool {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let differ: Vec<usize> =
        (0..one.len().min(other.len())).filter(|at| one[*at] != other[*at]).collect();
    one.len() == other.len()
        && matches!(differ.as_slice(), [a, b] if *b == a + 1 && one[*a] == other[*b] && one[*b] == other[*a])
}

/// Whether two names are one but for a slip: case, signs, or a letter that is no ending.
fn is_slip(one: &str, other: &str) -> bool {
    let plain = |name: &str| {
        name.chars()
            .filter(|c| c.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect::<String>()
    };
    let (one, other) = (plain(one), plain(other));
    if one == other || is_exchange(&one, &other) {
        return !one.is_empty();
    }
    let (short, long) = if one.len() < other.len() { (&one, &other) } else { (&other, &one) };
    let (short, long): (Vec<char>, Vec<char>) = (short.chars().collect(), long.chars().collect());
    if short.len() < TELLING || long.len() != short.len() + 1 {
        return false;
    }
    let at = short.iter().zip(&long).position(|(one, other)| one != other);
    // A letter more at the end is an ending, and a digit numbers.
    at.is_some_and(|at| long[at].is_alphabetic() && short[at..] == long[at + 1..])
}

/// Names that the prompt says it is filled with.
fn declared(text: &str) -> Option<Vec<String>> {
    if let Some(front) = object::front_matter(text) {
        let front = &text[front.start..front.end];
        let inputs = pattern!(r"(?m)^inputs:\n(?P<body>(?:[ \t]+[^\n]*\n)+)").captures(front)?;
        let body = inputs.name("body")?.as_str();
        let indent = body.len() - body.trim_start_matches(' ').len();
        let own =
            body.lines().filter(|line| line.len() - line.trim_start_matches(' ').len() == indent);
        return Some(
            own.filter_map(|line| Some(line.split_once(':')?.0.trim().to_owned())).collect(),
        );
    }
    let listed =
        pattern!(r"(?im)^\W*(?:{analyze.filled_by}) ?[:：] ?(?P<row>[\w.{}`$-]+(?:[,、，] ?[\w.{}`$-]+)+)\W*$")
            .captures(text)?;
    let names = listed["row"].split([',', '、', '，']);
    let bare = |name: &str| name.trim_matches([' ', '{', '}', '`', '$', '.']).to_owned();
    Some(names.map(bare).collect())
}

/// A variable that is not among the declared ones.
pub fn undeclared(reading: &Reading<'_>) -> Vec<Spot> {
    let Some(known) = declared(reading.source.text) else { return Vec::new() };
    let mut seen: HashSet<&str> = HashSet::new();
    let strange = reading.variables.iter().filter(|(_, name)| {
        let root = name.split(['.', '|', ' ', '[']).next().unwrap_or_default();
        !known.iter().any(|own| own == root)
    });
    let first = strange.filter(|(_, name)| seen.insert(name));
    first.map(|(span, _)| Spot::naming(*span, known.join(", "))).collect()
}
