//! How much of what a prompt demands became a check.

use std::ops::Range;

use engine::Constraint;
use patterns::pattern;
use text::code_points::CodePoints;
use text::{Cover, imperative, literals, sentences};

use crate::{Coverage, Uncovered};

/// What became of the sentences of a prompt that demand something: orders, wishes, and what must or must not be.
/// Material that a prompt has in code or quotations demands nothing.
pub fn of(prompt: &str, constraints: &[Constraint]) -> Coverage {
    let literals = literals::scan(prompt);
    let held = literals.cover(prompt.len());
    let is_fence = |range: &&Range<usize>| {
        let code = prompt[range.start..range.end].trim_start();
        code.starts_with("```") || code.starts_with("~~~")
    };
    let fences: Vec<Range<usize>> = literals.code.iter().filter(is_fence).cloned().collect();
    let fences = Cover::of(prompt.len(), &[&fences]);
    let mut points = CodePoints::of(prompt);
    let mut coverage = Coverage::default();
    let mut next = 0;
    for range in sentences(prompt, &held) {
        let sentence = &prompt[range.clone()];
        if fences.touches(&(range.start..range.start + 1)) || !is_demand(sentence) {
            continue;
        }
        let (start, end) = (points.at(range.start), points.at(range.end));
        coverage.demands += 1;
        // Constraints come in the order of their statements.
        while constraints.get(next).is_some_and(|one| one.start < start && one.end <= start) {
            next += 1;
        }
        let mut following = constraints[next..].iter().take_while(|one| one.start < end);
        if following.any(|one| one.end > start) {
            coverage.covered += 1;
        } else {
            coverage.uncovered.push(Uncovered { quote: sentence.to_owned(), start, end });
        }
    }
    coverage
}

/// Whether a sentence demands something of the answer.
fn is_demand(sentence: &str) -> bool {
    imperative::starts_work(sentence)
        || pattern!(r"(?i)\b{imperative.asking}\b").is_match(sentence)
        || pattern!(r"(?i)\b{check_demands.must}\b|{check_demands.must_anywhere}")
            .is_match(sentence)
        || pattern!(r"(?i)^\W*{check_demands.order}(?:$|[^\p{L}\p{N}_'’])").is_match(sentence)
}
