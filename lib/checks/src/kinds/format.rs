//! The format of an answer.

use std::ops::Range;

use patterns::pattern;

use super::judgement::Judgement;
use super::{emphasis, parsed};
use crate::Reason;
use crate::output::{LineKind, Output};

/// Whether the answer has a format, by its name among the values of constraints.
pub fn of(output: &Output<'_>, name: &str) -> Judgement {
    let markdown = output.markdown();
    match name {
        "json" | "yaml" | "xml" | "csv" | "html" => {
            let payload = payload(output);
            match parsed::parse(name, output.at(&payload)) {
                Ok(()) => Judgement::of(true, name).found(name),
                Err(problem) => {
                    let at = payload.start + problem.at;
                    let at = output.text.floor_char_boundary(at.min(output.text.len()));
                    let rest = output.text[at..].split('\n').next().unwrap_or_default();
                    let place = (!rest.is_empty()).then(|| at..at + rest.len());
                    Judgement::of(false, name).found(problem.message).at(place)
                }
            }
        }
        "table" => {
            let table = markdown.tables.first().map(|table| table.range.clone());
            let tagged = || pattern!(r"(?i)<table\b").find(output.text).map(|found| found.range());
            Judgement::present(name, table.or_else(tagged))
        }
        "markdown" => {
            let line = markdown.lines.iter().find(|line| is_marked(line.kind));
            let place = line.map(|line| line.range.clone());
            let place = place.or_else(|| emphasis::emphases(output).into_iter().next());
            let inline = || pattern!(r"`[^`\n]+`|\]\([^)\s]+\)").find(output.text);
            Judgement::present(name, place.or_else(|| inline().map(|found| found.range())))
        }
        "plain_text" => {
            let line = markdown
                .lines
                .iter()
                .find(|line| is_marked(line.kind) && !matches!(line.kind, LineKind::Item { .. }));
            let place = line.map(|line| line.range.clone());
            let place = place.or_else(|| emphasis::emphases(output).into_iter().next());
            Judgement::absent(name, place)
        }
        "numbered_list" => list(output, name, |numbered| numbered),
        "bullet_list" => list(output, name, |numbered| !numbered),
        "code_block" => {
            Judgement::present(name, markdown.fences.first().map(|fence| fence.range.clone()))
        }
        _ => Judgement::undecided(Reason::Unclear),
    }
}

/// Whether a line is something in Markdown that it is not in plain text.
const fn is_marked(kind: LineKind) -> bool {
    !matches!(kind, LineKind::Blank | LineKind::Text | LineKind::Break)
}

/// A list has two items or more.
fn list(output: &Output<'_>, name: &str, is_of: impl Fn(bool) -> bool) -> Judgement {
    let mut items = output.markdown().items().filter(|(_, _, numbered)| is_of(*numbered));
    let first = items.next().map(|(range, ..)| range);
    let number = usize::from(first.is_some()) + items.count();
    Judgement::of(number > 1, name).found(number.to_string()).at(first)
}

/// What a program would read: the code of the only fence, if nothing stands around it, else the whole answer.
pub fn payload(output: &Output<'_>) -> Range<usize> {
    let whole = output.trimmed();
    match output.markdown().fences.as_slice() {
        [fence] if fence.range.start <= whole.start && whole.end <= fence.range.end => {
            fence.code.clone()
        }
        _ => whole,
    }
}
