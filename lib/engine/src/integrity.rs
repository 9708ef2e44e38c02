//! Whether a rewritten prompt still has everything that must not be lost.

mod asked;
mod clause;
mod constraints;
mod quantity;
mod reader;
mod speech;

use std::collections::HashSet;
use std::ops::Range;

use patterns::pattern;

use crate::{CodeBlockIntegrity, Integrity, ProtectedKind as Kind, Requested, VariableIntegrity};
use ::text::variables;

pub use asked::{Asked, Removed};
pub use speech::{asks_for, differ, language_of};

use reader::{Loss, Reader};
use text::literals::{self, Literals, scan};

/// Most literals that are searched for letter by letter when the same kind of literal does not hold them.
const MOST_SEARCHES: usize = 200;
/// Bytes that are searched for a literal in a step.
const BYTES_A_STEP: usize = 4;
/// Marks around quotations.
const MARKS: &str = "\"'“”„‘’‚«»‹›「」『』《》〈〉`";
/// Most that is listed of what was asked to go.
const MOST_REQUESTED: usize = 200;

/// Compares a prompt with what it was rewritten from, and with what stands `beside` that: a system prompt, a negative
/// prompt, settings. What was `asked` to go is no loss.
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
pub fn check(original: &str, rewritten: &str, beside: &str, asked: &Asked<'_>) -> Integrity {
    asked.read(original, || compare(original, rewritten, beside, asked))
}

fn compare(original: &str, rewritten: &str, beside: &str, asked: &Asked<'_>) -> Integrity {
    let language_out = language_of(rewritten);
    let rewritten = &[rewritten, beside].join(if beside.is_empty() { "" } else { "\n" });
    let (old, new) = (scan(original), scan(rewritten));
    let mut judge = Judge { reader: Reader::of(asked, original, rewritten), requested: Vec::new() };
    let (constraints, kept) = constraints::compare(original, rewritten, &mut judge);
    let variables = compare_variables(original, &old, rewritten, &mut judge);
    let code_blocks = compare_code(original, &old, rewritten, &new, &mut judge);
    let numbers_lost = lost_numbers(original, &old, rewritten, &mut judge);
    let quoted_literals_lost = lost_quotations(original, &old, rewritten, &new, &mut judge);
    let urls_lost = lost_addresses(original, &old, rewritten, &mut judge);
    let language_in = language_of(original);
    let differ = speech::differ(language_in, language_out);
    let translated = differ && !judge.allows_language(language_in, language_out);
    // Another language says the same with words that cannot be compared.
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
        requested: judge.requested.into_iter().map(|(_, requested)| requested).collect(),
        language_in: language_in.to_owned(),
        language_out: language_out.to_owned(),
    }
}

/// The first of what a writer says that the feedback asked to go, for a reason that has nothing to do with it.
pub fn unfounded<'a>(original: &str, rewritten: &str, asked: &Asked<'a>) -> Option<&'a Removed> {
    asked.read(original, || Reader::of(asked, original, rewritten).unfounded())
}

/// Tells what was asked to go from what is lost.
struct Judge<'a, 'p> {
    reader: Reader<'a, 'p>,
    /// With the places of constraints: the numbers in them go, too.
    requested: Vec<(Range<usize>, Requested)>,
}

impl Judge<'_, '_> {
    /// Whether a literal was asked to go; notes that.
    fn allows(&mut self, kind: Kind, text: &str, place: &Range<usize>) -> bool {
        let within = |(range, _): &&(Range<usize>, Requested)| {
            range.start <= place.start && place.end <= range.end
        };
        let because = || {
            let around = self.requested.iter().find(within).filter(|_| kind == Kind::Number);
            around.map(|(_, requested)| requested.because.clone())
        };
        let loss = Loss { kind, text, place: place.clone() };
        let because = because().or_else(|| self.reader.literal(&loss));
        self.note(kind, text, 0..0, because)
    }

    /// Whether another language was asked for; notes that.
    fn allows_language(&mut self, was: &str, is: &str) -> bool {
        let because = self.reader.language(is);
        self.note(Kind::Language, was, 0..0, because)
    }

    fn note(
        &mut self,
        kind: Kind,
        text: &str,
        place: Range<usize>,
        because: Option<String>,
    ) -> bool {
        let Some(because) = because else { return false };
        let text = text.to_owned();
        let requested = Requested { kind, text, because };
        // What an operation without a feedback took out was asked by nobody.
        let is_news = !requested.because.is_empty()
            && !self.requested.iter().any(|(_, known)| *known == requested);
        if is_news && self.requested.len() < MOST_REQUESTED {
            self.requested.push((place, requested));
        }
        true
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

fn compare_variables(
    original: &str,
    old: &Literals,
    rewritten: &str,
    judge: &mut Judge<'_, '_>,
) -> VariableIntegrity {
    let (known, new) = (names(original), names(rewritten));
    let (was, is): (HashSet<&String>, HashSet<&String>) =
        (known.iter().collect(), new.iter().collect());
    let place = |name: &String| {
        let named =
            |range: &&Range<usize>| squeezed(&original[(*range).clone()]).contains(name.as_str());
        old.variables.iter().find(named).cloned().unwrap_or_default()
    };
    let mut missed =
        |name: &&String| !is.contains(name) && !judge.allows(Kind::Variable, name, &place(name));
    VariableIntegrity {
        lost: known.iter().filter(&mut missed).cloned().collect(),
        kept: known.iter().filter(|name| is.contains(name)).cloned().collect(),
        added: new.iter().filter(|name| !was.contains(name)).cloned().collect(),
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
    judge: &mut Judge<'_, '_>,
) -> CodeBlockIntegrity {
    let kept: HashSet<&str> = new.code_text.iter().map(|range| &rewritten[range.clone()]).collect();
    let mut searches = 0;
    let mut result = CodeBlockIntegrity::default();
    for range in &old.code_text {
        let code = &original[range.clone()];
        let stands = kept.contains(code) || {
            searches += 1;
            searches <= MOST_SEARCHES && contains(rewritten, code)
        };
        if stands {
            result.kept += 1;
        } else if !judge.allows(Kind::Code, code, range) {
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
    judge: &mut Judge<'_, '_>,
) -> Vec<String> {
    if old.numbers.is_empty() {
        return Vec::new();
    }
    let kept = values_in(rewritten);
    let lost = old.numbers.iter().filter(|range| {
        let number = &original[(*range).clone()];
        !values(number).iter().any(|value| kept.contains(value))
            && !judge.allows(Kind::Number, number, range)
    });
    once(lost.map(|range| original[range.clone()].to_owned()))
}

fn lost_quotations(
    original: &str,
    old: &Literals,
    rewritten: &str,
    new: &Literals,
    judge: &mut Judge<'_, '_>,
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
            let marks = |c: char| MARKS.contains(c);
            let before = text[..at].trim_end().chars().next_back();
            let after = text[at + literal.len()..].trim_start().chars().next();
            before.is_some_and(marks) && after.is_some_and(marks)
        })
    };
    let lost = old.quoted.iter().zip(&old.quotations).filter(|(quoted, place)| {
        let literal = words(original, quoted);
        !stands(&literal) && !judge.allows(Kind::Quotation, &literal, place)
    });
    once(lost.map(|(_, range)| original[range.clone()].to_owned()))
}

fn lost_addresses(
    original: &str,
    old: &Literals,
    rewritten: &str,
    judge: &mut Judge<'_, '_>,
) -> Vec<String> {
    if old.addresses.is_empty() {
        return Vec::new();
    }
    let kept: HashSet<&str> =
        literals::addresses(rewritten).map(|range| &rewritten[range]).collect();
    let lost = old.addresses.iter().filter(|range| {
        let address = &original[(*range).clone()];
        !kept.contains(address) && !judge.allows(Kind::Url, address, range)
    });
    once(lost.map(|range| original[range.clone()].to_owned()))
}
