//! Whether a rewritten prompt still has everything that must not be lost.

mod constraints;
mod remark;
mod speech;

use std::collections::HashSet;

use patterns::{Pattern, pattern};

use crate::{CodeBlockIntegrity, Integrity, VariableIntegrity};
use ::text::variables;

pub use speech::language_of;
use text::literals::{self, Literals, scan};

/// Most literals that are searched for letter by letter when the same kind of literal does not hold them.
const MOST_SEARCHES: usize = 200;
/// Bytes that are searched for a literal in a step.
const BYTES_A_STEP: usize = 4;

/// Compares a prompt with what it was rewritten from. `waived` is text, the feedback for one, that may
/// have asked for something to go: what it names is not missed.
///
/// - Variables are compared by name, with runs of spaces as one.
/// - Code, fenced or between backticks, must stand there character for character.
/// - Numbers are compared by value where that is certain: "1,000" is 1000 and "2,50" is 2.5. A number
///   must stand by itself: the 3 of "MP3" is no 3. List markers are no numbers.
/// - Quotations may change their marks, not their words.
/// - The language is changed only if both texts can be told with certainty.
/// - Constraints may be worded in another way and become stricter, not looser.
///
/// What occurs several times must occur once at least. The time is linear in the length of the texts.
pub fn check(original: &str, rewritten: &str, waived: &str) -> Integrity {
    check_beside(original, rewritten, "", waived)
}

/// [`check`] for a prompt that has settings or a negative prompt `beside` it, which may keep what was in the
/// original.
pub fn check_beside(original: &str, rewritten: &str, beside: &str, waived: &str) -> Integrity {
    let language_out = language_of(rewritten);
    let rewritten = &[rewritten, beside].join(if beside.is_empty() { "" } else { "\n" });
    let (old, new) = (scan(original), scan(rewritten));
    let waiver = Waiver::of(waived);
    let variables = compare_variables(original, rewritten, &waiver);
    let code_blocks = compare_code(original, &old, rewritten, &new, &waiver);
    let numbers_lost = lost_numbers(original, &old, rewritten, &waiver);
    let quoted_literals_lost = lost_quotations(original, &old, rewritten, &new, &waiver);
    let urls_lost = lost_addresses(original, &old, rewritten, &waiver);
    let language_in = language_of(original);
    let differ = speech::differ(language_in, language_out);
    let translated = differ && !speech::asks_for(waived, language_out);
    // Another language says the same with words that cannot be compared.
    let (constraints, kept) = constraints::compare(original, rewritten, &waiver);
    let constrained = kept || differ;
    Integrity {
        passed: variables.lost.is_empty()
            && code_blocks.lost == 0
            && numbers_lost.is_empty()
            && quoted_literals_lost.is_empty()
            && urls_lost.is_empty()
            && constrained
            && !translated,
        variables,
        code_blocks,
        numbers_lost,
        quoted_literals_lost,
        urls_lost,
        constraints,
        language_in: language_in.to_owned(),
        language_out: language_out.to_owned(),
    }
}

/// What a remark allows to go.
struct Waiver<'a> {
    text: &'a str,
    squeezed: String,
    numbers: HashSet<String>,
    variables: HashSet<String>,
    all: [bool; 5],
}

/// Kinds of literals that a remark can dismiss altogether.
#[derive(Clone, Copy)]
enum Kind {
    Variables,
    Code,
    Numbers,
    Quotations,
    Addresses,
}

/// Remarks that dismiss all literals of a kind, in the order of [`Kind`].
const DISMISSALS: [Pattern; 5] = [
    pattern!(r"(?i){integrity.dismissal}{integrity.variables}\b"),
    pattern!(r"(?i){integrity.dismissal}{integrity.code}\b"),
    pattern!(r"(?i){integrity.dismissal}{integrity.numbers}\b"),
    pattern!(r"(?i){integrity.dismissal}{integrity.quotations}\b"),
    pattern!(r"(?i){integrity.dismissal}{integrity.addresses}\b"),
];

impl<'a> Waiver<'a> {
    fn of(text: &'a str) -> Self {
        let dismisses = |pattern: &Pattern| !text.is_empty() && pattern.is_match(text);
        Self {
            text,
            squeezed: squeezed(text),
            numbers: values_in(text),
            variables: names_in(text),
            all: DISMISSALS.each_ref().map(dismisses),
        }
    }

    fn covers(&self, kind: Kind, literal: &str) -> bool {
        self.all[kind as usize] || !literal.is_empty() && contains(&self.squeezed, literal)
    }
}

/// Whether a text has another one in it.
fn contains(text: &str, part: &str) -> bool {
    budget::spend(text.len() / BYTES_A_STEP);
    text.contains(part)
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Each once, in order.
fn once(list: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = HashSet::new();
    list.filter(|item| seen.insert(item.clone())).collect()
}

fn names(text: &str) -> Vec<String> {
    once(variables::find(text).into_iter().map(|variable| squeezed(variable.name)))
}

fn names_in(text: &str) -> HashSet<String> {
    names(text).into_iter().collect()
}

fn compare_variables(original: &str, rewritten: &str, waiver: &Waiver<'_>) -> VariableIntegrity {
    let (old, new) = (names(original), names(rewritten));
    let (was, is): (HashSet<&String>, HashSet<&String>) =
        (old.iter().collect(), new.iter().collect());
    let waived = |name: &String| {
        waiver.all[Kind::Variables as usize]
            || waiver.variables.contains(name)
            || stands_alone(waiver.text, name)
    };
    VariableIntegrity {
        kept: old.iter().filter(|name| is.contains(name)).cloned().collect(),
        added: new.iter().filter(|name| !was.contains(name)).cloned().collect(),
        lost: old.iter().filter(|name| !is.contains(name) && !waived(name)).cloned().collect(),
    }
}

/// Whether a word occurs in a text between characters that cannot continue it.
fn stands_alone(text: &str, word: &str) -> bool {
    budget::spend(text.len() / BYTES_A_STEP);
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).take(MOST_SEARCHES).any(|(at, _)| {
        !text[..at].chars().next_back().is_some_and(inside)
            && !text[at + word.len()..].chars().next().is_some_and(inside)
    })
}

fn compare_code(
    original: &str,
    old: &Literals,
    rewritten: &str,
    new: &Literals,
    waiver: &Waiver<'_>,
) -> CodeBlockIntegrity {
    let kept: HashSet<&str> = new.code_text.iter().map(|range| &rewritten[range.clone()]).collect();
    let mut searches = 0;
    let mut result = CodeBlockIntegrity::default();
    for range in &old.code_text {
        let code = &original[range.clone()];
        let stands = kept.contains(code) || waiver.covers(Kind::Code, &squeezed(code)) || {
            searches += 1;
            searches <= MOST_SEARCHES && contains(rewritten, code)
        };
        if stands {
            result.kept += 1;
        } else {
            result.lost += 1;
        }
    }
    result
}

/// What a number can mean: "1.000" is itself and a thousand, "2,50" is two and a half.
fn values(number: &str) -> Vec<String> {
    let plain: String = number
        .chars()
        .map(|c| match c {
            '−' => '-',
            '٫' => '.',
            '٬' => ',',
            _ => western(c),
        })
        .filter(|c| !matches!(c, '\u{a0}' | '\u{202f}' | '\u{2009}'))
        .collect();
    let mut list = vec![plain.to_lowercase()];
    if pattern!(r"^-?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$").is_match(&plain)
        || pattern!(r"^-?[1-9]\d{0,2}(?:['’]\d{3})+(?:[.,]\d+)?$").is_match(&plain)
    {
        let digits: String = plain.chars().filter(|c| !matches!(c, ',' | '\'' | '’')).collect();
        list.push(trimmed(&digits));
    }
    if pattern!(r"^-?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?$").is_match(&plain) {
        list.push(trimmed(&plain.replace('.', "").replace(',', ".")));
    }
    let decimals = pattern!(r"^-?\d+[.,](?P<d>\d+)$").captures(&plain);
    if decimals.is_some_and(|found| {
        found["d"].len() != 3 || plain.trim_start_matches('-').starts_with('0')
    }) {
        list.push(trimmed(&plain.replace(',', ".")));
    }
    list
}

/// Without the zeros that end a decimal fraction.
fn trimmed(number: &str) -> String {
    if number.contains('.') {
        number.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        number.to_owned()
    }
}

/// The ASCII digit for a digit of another script.
fn western(character: char) -> char {
    const ZEROS: [char; 8] = ['٠', '۰', '०', '০', '๐', '０', '௦', '౦'];
    ZEROS
        .iter()
        .find_map(|zero| {
            let value = u32::from(character).checked_sub(u32::from(*zero))?;
            char::from_digit(value, 10)
        })
        .unwrap_or(character)
}

/// All values that the numbers of a text can mean, those in code and addresses included.
fn values_in(text: &str) -> HashSet<String> {
    let mut list: HashSet<String> = HashSet::new();
    for number in literals::numbers(text) {
        list.extend(values(&text[number]));
    }
    list
}

fn lost_numbers(
    original: &str,
    old: &Literals,
    rewritten: &str,
    waiver: &Waiver<'_>,
) -> Vec<String> {
    if old.numbers.is_empty() || waiver.all[Kind::Numbers as usize] {
        return Vec::new();
    }
    let kept = values_in(rewritten);
    let numbers = old.numbers.iter().map(|range| &original[range.clone()]);
    let lost = numbers.filter(|number| {
        let meant = values(number);
        let known = |set: &HashSet<String>| meant.iter().any(|value| set.contains(value));
        !known(&kept) && !known(&waiver.numbers)
    });
    once(lost.map(str::to_owned))
}

fn lost_quotations(
    original: &str,
    old: &Literals,
    rewritten: &str,
    new: &Literals,
    waiver: &Waiver<'_>,
) -> Vec<String> {
    let words = |text: &str, range: &std::ops::Range<usize>| squeezed(&text[range.clone()]);
    let kept: HashSet<String> =
        (new.quoted.iter().chain(&new.code_text)).map(|range| words(rewritten, range)).collect();
    let whole = std::cell::OnceCell::new();
    let mut searches = 0;
    let mut stands = |literal: &str| {
        if kept.contains(literal) {
            return true;
        }
        searches += 1;
        if searches > MOST_SEARCHES {
            return false;
        }
        let text = whole.get_or_init(|| squeezed(rewritten));
        budget::spend(text.len() / BYTES_A_STEP);
        text.match_indices(literal).take(MOST_SEARCHES).any(|(at, _)| {
            let marks = |c: char| "\"'“”„‘’‚«»‹›「」『』《》〈〉`".contains(c);
            let before = text[..at].trim_end().chars().next_back();
            let after = text[at + literal.len()..].trim_start().chars().next();
            before.is_some_and(marks) && after.is_some_and(marks)
        })
    };
    let lost = old.quoted.iter().zip(&old.quotations).filter(|(quoted, _)| {
        let literal = words(original, quoted);
        !stands(&literal) && !waiver.covers(Kind::Quotations, &literal)
    });
    once(lost.map(|(_, range)| original[range.clone()].to_owned()))
}

fn lost_addresses(
    original: &str,
    old: &Literals,
    rewritten: &str,
    waiver: &Waiver<'_>,
) -> Vec<String> {
    if old.addresses.is_empty() {
        return Vec::new();
    }
    let kept: HashSet<&str> =
        literals::addresses(rewritten).map(|range| &rewritten[range]).collect();
    let addresses = old.addresses.iter().map(|range| &original[range.clone()]);
    let lost = addresses
        .filter(|address| !kept.contains(address) && !waiver.covers(Kind::Addresses, address));
    once(lost.map(str::to_owned))
}
