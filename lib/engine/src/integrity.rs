//! Whether a rewritten prompt still has everything that must not be lost.

mod asked;
mod clause;
mod constraints;
mod numbers;
mod speech;

use std::collections::HashSet;
use std::ops::Range;

use crate::{CodeBlockIntegrity, Integrity, ProtectedKind as Kind, Requested, VariableIntegrity};
use ::text::literals::{self, Literals, scan};
use ::text::variables;

pub use asked::{Asked, Removed};
pub use speech::{asks_for, differ, language_of};

use asked::{Loss, Reader};
use numbers::{values, values_in};

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
    asked.read(original, || {
        let (language_in, language_out) = (language_of(original), language_of(rewritten));
        let rewritten = &[rewritten, beside].join(if beside.is_empty() { "" } else { "\n" });
        let (old, new) = (scan(original), scan(rewritten));
        let mut judge = Judge {
            reader: Reader::of(asked, original, rewritten),
            original,
            rewritten,
            requested: Vec::new(),
        };
        let (constraints, is_constrained) = constraints::compare(original, rewritten, &mut judge);
        let variables = judge.variables();
        let code_blocks = judge.code(&old, &new);
        let numbers_lost = judge.numbers(&old);
        let quoted_literals_lost = judge.quotations(&old, &new);
        let urls_lost = judge.addresses(&old);
        let differ = speech::differ(language_in, language_out);
        let because = judge.reader.language(language_out).filter(|_| differ);
        let is_translated = differ && !judge.note(Kind::Language, language_in, 0..0, because);
        Integrity {
            passed: variables.lost.is_empty()
            && code_blocks.lost == 0
            && numbers_lost.is_empty()
            && quoted_literals_lost.is_empty()
            && urls_lost.is_empty()
            // Another language says the same with words that cannot be compared.
            && (is_constrained || differ)
            && !is_translated,
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
    })
}

/// Tells what was asked to go from what is lost.
struct Judge<'p> {
    reader: Reader<'p>,
    original: &'p str,
    rewritten: &'p str,
    /// With the places of constraints: the numbers in them go, too.
    requested: Vec<(Range<usize>, Requested)>,
}

impl Judge<'_> {
    /// Whether a literal was asked to go; notes that.
    fn allows(&mut self, kind: Kind, text: &str, place: &Range<usize>) -> bool {
        let within = |(range, _): &&(Range<usize>, Requested)| {
            kind == Kind::Number && range.start <= place.start && place.end <= range.end
        };
        let around = self.requested.iter().find(within);
        let because = around.map(|(_, requested)| requested.because.clone());
        let loss = Loss { kind, text, place: place.clone(), constraint: None };
        let because = because.or_else(|| self.reader.reason(&loss));
        self.note(kind, text, 0..0, because)
    }

    fn note(
        &mut self,
        kind: Kind,
        text: &str,
        place: Range<usize>,
        because: Option<String>,
    ) -> bool {
        let Some(because) = because else { return false };
        let requested = Requested { kind, text: text.to_owned(), because };
        // What an operation without a feedback took out was asked by nobody.
        let is_news = !requested.because.is_empty()
            && !self.requested.iter().any(|(_, known)| *known == requested);
        if is_news && self.requested.len() < MOST_REQUESTED {
            self.requested.push((place, requested));
        }
        true
    }

    /// The literals at some places of the original that are neither kept nor asked to go, each once.
    fn lost(
        &mut self,
        kind: Kind,
        places: &[Range<usize>],
        mut is_kept: impl FnMut(&str) -> bool,
    ) -> Vec<String> {
        let original = self.original;
        let mut lost = Vec::new();
        let mut known = HashSet::new();
        for place in places {
            let text = &original[place.clone()];
            if !is_kept(text) && !self.allows(kind, bare(text), place) && known.insert(text) {
                lost.push(text.to_owned());
            }
        }
        lost
    }

    fn variables(&mut self) -> VariableIntegrity {
        let (known, new) = (names(self.original), names(self.rewritten));
        let is_in = |list: &[String]| list.iter().cloned().collect::<HashSet<String>>();
        let (was, is) = (is_in(&known), is_in(&new));
        let original = self.original;
        let place = |name: &str| original.find(name).map(|at| at..at + name.len());
        let (kept, gone): (Vec<String>, Vec<String>) =
            known.into_iter().partition(|name| is.contains(name));
        let missed =
            |name: &String| !self.allows(Kind::Variable, name, &place(name).unwrap_or_default());
        VariableIntegrity {
            kept,
            lost: gone.into_iter().filter(missed).collect(),
            added: new.into_iter().filter(|name| !was.contains(name)).collect(),
        }
    }

    fn code(&mut self, old: &Literals, new: &Literals) -> CodeBlockIntegrity {
        let rewritten = self.rewritten;
        let kept: HashSet<&str> =
            new.code_text.iter().map(|range| &rewritten[range.clone()]).collect();
        let mut searches = 0..MOST_SEARCHES;
        let mut result = CodeBlockIntegrity::default();
        for range in &old.code_text {
            let code = &self.original[range.clone()];
            if kept.contains(code) || searches.next().is_some() && contains(rewritten, code) {
                result.kept += 1;
            } else if !self.allows(Kind::Code, code, range) {
                result.lost += 1;
            }
        }
        result
    }

    fn numbers(&mut self, old: &Literals) -> Vec<String> {
        if old.numbers.is_empty() {
            return Vec::new();
        }
        let kept = values_in(self.rewritten);
        let is_kept = |number: &str| values(number).iter().any(|value| kept.contains(value));
        self.lost(Kind::Number, &old.numbers, is_kept)
    }

    fn quotations(&mut self, old: &Literals, new: &Literals) -> Vec<String> {
        let rewritten = self.rewritten;
        let all = new.quoted.iter().chain(&new.code_text);
        let kept: HashSet<String> = all.map(|range| squeezed(&rewritten[range.clone()])).collect();
        let mut searches = 0..MOST_SEARCHES;
        let mut whole = None;
        let is_kept = |quotation: &str| {
            let marks = |c: char| MARKS.contains(c);
            let literal = squeezed(bare(quotation));
            if kept.contains(&literal) || searches.next().is_none() {
                return kept.contains(&literal);
            }
            let text: &String = whole.get_or_insert_with(|| squeezed(rewritten));
            budget::spend(text.len() / BYTES_A_STEP);
            text.match_indices(&literal).take(MOST_SEARCHES).any(|(at, _)| {
                text[..at].trim_end().ends_with(marks)
                    && text[at + literal.len()..].trim_start().starts_with(marks)
            })
        };
        self.lost(Kind::Quotation, &old.quotations, is_kept)
    }

    fn addresses(&mut self, old: &Literals) -> Vec<String> {
        if old.addresses.is_empty() {
            return Vec::new();
        }
        let rewritten = self.rewritten;
        let kept: HashSet<&str> =
            literals::addresses(rewritten).map(|range| &rewritten[range]).collect();
        self.lost(Kind::Url, &old.addresses, |address| kept.contains(address))
    }
}

/// Whether a text has another one in it.
fn contains(text: &str, part: &str) -> bool {
    budget::spend(text.len() / BYTES_A_STEP);
    text.contains(part)
}

/// Whether a word occurs in a text between characters that cannot continue it.
fn stands_alone(text: &str, word: &str) -> bool {
    budget::spend(text.len() / BYTES_A_STEP);
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).take(MOST_SEARCHES).any(|(at, _)| {
        !text[..at].ends_with(inside) && !text[at + word.len()..].starts_with(inside)
    })
}

/// A text without marks of quotation around it.
fn bare(text: &str) -> &str {
    text.trim_matches(|c: char| MARKS.contains(c)).trim()
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The names of the variables of a text, each once.
fn names(text: &str) -> Vec<String> {
    let mut seen = HashSet::new();
    let all = variables::find(text).into_iter().map(|variable| squeezed(variable.name));
    all.filter(|name| seen.insert(name.clone())).collect()
}
