//! The format of an answer.

use std::ops::Range;

use patterns::pattern;

use super::judgement::Judgement;
use super::parsed;
use crate::Reason;
use crate::output::{LineKind, Output};

/// Whether the answer has a format, by its name among the values of constraints.
pub fn of(output: &Output<'_>, name: &str) -> Judgement {
    let markdown = output.markdown();
    match name {
        "json" | "yaml" | "xml" | "csv" => match parsed::parse(name, output.at(&payload(output))) {
            Ok(()) => Judgement::of(true, name).found(name),
            Err(problem) => Judgement::of(false, name).found(problem),
        },
        "table" => {
            let table = markdown.tables.first().map(|table| table.range.clone());
            let tagged = || pattern!(r"(?i)<table\b").find(output.text).map(|found| found.range());
            Judgement::present(name, table.or_else(tagged))
        }
        "markdown" => {
            let inline = || pattern!(r"`[^`\n]+`|\]\([^)\s]+\)").find(output.text);
            let place = marked(output, |_| true);
            Judgement::present(name, place.or_else(|| inline().map(|found| found.range())))
        }
        "plain_text" => {
            let place = marked(output, |kind| !matches!(kind, LineKind::Item { .. }));
            Judgement::of(place.is_none(), name).at(place)
        }
        "numbered_list" => list(output, name, |numbered| numbered),
        "bullet_list" => list(output, name, |numbered| !numbered),
        "code_block" => {
            Judgement::present(name, markdown.fences.first().map(|(range, _)| range.clone()))
        }
        _ => Judgement::undecided(Reason::Unclear),
    }
}

/// The first line of a kind among `kinds` that is something in Markdown which it is not in plain text, else the first
/// passage that is emphasised.
pub fn marked(output: &Output<'_>, kinds: impl Fn(LineKind) -> bool) -> Option<Range<usize>> {
    let is_plain = |kind| matches!(kind, LineKind::Blank | LineKind::Text | LineKind::Break);
    let emphasis = pattern!(
        r"\*{1,3}[^\s*][^*\n]*\*{1,3}|__[^_\n]+__|==[^=\n]+==|(?i:<(?:mark|strong|em|b|i|u)>[^<\n]+</)"
    );
    let lines = &output.markdown().lines;
    let line = lines.iter().find(|line| !is_plain(line.kind) && kinds(line.kind));
    line.map(|line| line.range.clone()).or_else(|| {
        lines.iter().filter(|line| line.kind != LineKind::Code).find_map(|line| {
            let passage = emphasis.find(output.at(&line.range))?;
            Some(line.range.start + passage.start()..line.range.start + passage.end())
        })
    })
}

/// A list has two items or more.
fn list(output: &Output<'_>, name: &str, is_of: impl Fn(bool) -> bool) -> Judgement {
    let items = output.markdown().items().filter(|(_, _, numbered)| is_of(*numbered));
    let items: Vec<_> = items.map(|(range, ..)| range).collect();
    Judgement::of(items.len() > 1, name).found(items.len().to_string()).at(items.first().cloned())
}

/// What a program would read: the code of the only fence, if nothing stands around it, else the whole answer.
pub fn payload(output: &Output<'_>) -> Range<usize> {
    let whole = output.trimmed();
    match output.markdown().fences.as_slice() {
        [(range, code)] if range.start <= whole.start && whole.end <= range.end => code.clone(),
        _ => whole,
    }
}
