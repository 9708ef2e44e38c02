//! How much of what a prompt demands became a check.

use patterns::pattern;
use text::{code_points::CodePoints, imperative};

use crate::{Check, Coverage, Uncovered, statement::Prompt};

/// What became of the sentences of a prompt that demand something: orders, wishes, what must or must not be, and whatever
/// states a constraint. One that states an `unsure` one is not covered. Material demands nothing. The checks
/// come in the order of their statements.
pub fn of(prompt: &Prompt<'_>, checked: &[Check], unsure: &[Check]) -> Coverage {
    let mut points = CodePoints::of(prompt.text);
    let mut coverage = Coverage::default();
    for range in prompt.demands() {
        let sentence = &prompt.text[range.clone()];
        let (start, end) = (points.at(range.start), points.at(range.end));
        let (is_checked, is_unsure) = (states(checked, start, end), states(unsure, start, end));
        if !(is_checked || is_unsure || is_demand(sentence)) {
            continue;
        }
        coverage.demands += 1;
        if is_checked && !is_unsure {
            coverage.covered += 1;
        } else {
            coverage.uncovered.push(Uncovered { quote: sentence.to_owned(), start, end });
        }
    }
    coverage
}

/// Whether a sentence states one of some demands.
fn states(checks: &[Check], start: usize, end: usize) -> bool {
    let next = checks.partition_point(|one| one.start < start);
    checks.get(next).is_some_and(|one| one.start < end) || next > 0 && checks[next - 1].end > start
}

/// Whether a sentence demands something of the answer.
fn is_demand(sentence: &str) -> bool {
    imperative::starts_work(sentence)
        || pattern!(r"(?i)\b{imperative.asking}\b").is_match(sentence)
        || pattern!(r"(?i)\b{check_demands.must}\b|{check_demands.must_anywhere}")
            .is_match(sentence)
        || pattern!(r"(?i)\b{constraint_number.number}[\s-]+(?:\p{L}+[\s-]+)?(?:{constraint_count.words}|{constraint_count.sentences}|{constraint_count.paragraphs}|{constraint_count.characters}|{constraint_count.sections})\b")
            .is_match(sentence)
        || pattern!(r"(?i)^\W*{check_demands.order}(?:$|[^\p{L}\p{N}_'’])").is_match(sentence)
}
