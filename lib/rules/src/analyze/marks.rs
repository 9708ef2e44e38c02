//! Rules about signs that come in pairs.

use std::collections::{HashMap, VecDeque};

use super::mask::Kind;
use super::reading::Reading;
use super::rule::{Edit, Rule, Spot};
use super::span::Span;
use engine::MetricName::Structure;
use engine::Severity::{High, Low, Medium as Middling};
use patterns::pattern;

/// The rules of this file.
pub const RULES: &[Rule] = &[
    Rule::code("unclosed_fence", Structure, High, unclosed_fence).mended(close),
    Rule::code("unclosed_quote", Structure, Low, unclosed_quote),
    Rule::code("unclosed_bracket", Structure, Low, unclosed_bracket),
    Rule::code("unclosed_tag", Structure, Middling, unclosed_tag),
];

fn unclosed_fence(reading: &Reading<'_>) -> Vec<Spot> {
    reading.source.mask.open_fence.map(Spot::new).into_iter().collect()
}

/// The fence again, on a line of its own at the end.
fn close(reading: &Reading<'_>, spot: &Spot) -> Vec<Edit> {
    let text = reading.source.text;
    // Behind three quotation marks someone may be speaking: """Wait," she said.
    if text[spot.span.end..].starts_with(char::is_alphanumeric)
        && text[..spot.span.end].ends_with('"')
    {
        return Vec::new();
    }
    let lead = if text.ends_with('\n') { "" } else { "\n" };
    let fence = format!("{lead}{}", reading.source.slice(spot.span));
    vec![Edit::new(Span::at(text.len()), fence)]
}

fn unclosed_quote(reading: &Reading<'_>) -> Vec<Spot> {
    reading.source.mask.open_quote.map(Spot::new).into_iter().collect()
}

/// Brackets of the prose that have no counterpart in their paragraph.
fn unclosed_bracket(reading: &Reading<'_>) -> Vec<Spot> {
    let prose = &reading.source.prose;
    let mut open: Vec<(usize, char)> = Vec::new();
    let mut spots = Vec::new();
    let mut before = '\n';
    for (at, character) in prose.char_indices() {
        match character {
            '(' | '[' | '（' | '【' => open.push((at, character)),
            ')' | ']' | '）' | '】' => {
                let partner = match character {
                    ')' => '(',
                    ']' => '[',
                    '）' => '（',
                    _ => '【',
                };
                if let Some(position) = open.iter().rposition(|(_, other)| *other == partner) {
                    open.truncate(position);
                }
            }
            '\n' if before == '\n' => {
                spots.extend(
                    open.drain(..).map(|(at, c)| Spot::new(Span::new(at, at + c.len_utf8()))),
                );
            }
            _ => {}
        }
        // Depth is bounded, so that looking for a partner stays cheap.
        if open.len() > 64 {
            open.clear();
        }
        if !matches!(character, ' ' | '\r') {
            before = character;
        }
    }
    spots.extend(open.into_iter().map(|(at, c)| Spot::new(Span::new(at, at + c.len_utf8()))));
    // ":(" is a face, "a)" numbers an item.
    spots.retain(|spot| !prose[..spot.span.start].ends_with([':', ';', '-']));
    spots
}

/// A tag alone on its line, or one with a counterpart elsewhere, that is not closed.
fn unclosed_tag(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    let fenced: Vec<Span> = source
        .mask
        .parts
        .iter()
        .filter(|(_, kind)| matches!(kind, Kind::Fence | Kind::Code | Kind::Quote))
        .map(|(span, _)| *span)
        .collect();
    let inside = |at: usize| {
        let next = fenced.partition_point(|span| span.end <= at);
        fenced.get(next).is_some_and(|span| span.start <= at)
    };
    let mut open: HashMap<&str, VecDeque<Span>> = HashMap::new();
    let mut orphans = Vec::new();
    for tag in pattern!(r"<(?P<close>/)?(?P<name>[A-Za-z][A-Za-z0-9_-]{1,40})(?: [^<>\n]{0,200})?>")
        .captures_iter(source.text)
    {
        let (Some(whole), Some(name)) = (tag.get(0), tag.name("name")) else { continue };
        let span = Span::new(whole.start(), whole.end());
        if inside(span.start) || whole.as_str().ends_with("/>") || is_void(name.as_str()) {
            continue;
        }
        if tag.name("close").is_some() {
            if open.get_mut(name.as_str()).and_then(VecDeque::pop_back).is_none() {
                orphans.push(span);
            }
        } else if alone_on_its_line(source.text, span) {
            open.entry(name.as_str()).or_default().push_back(span);
        } else {
            open.entry(name.as_str()).or_default().push_front(span);
        }
    }
    // "<name>" in the middle of a line may be a placeholder.
    let mut found: Vec<Span> = open
        .into_values()
        .flatten()
        .filter(|span| alone_on_its_line(source.text, *span))
        .chain(orphans)
        .collect();
    found.sort();
    found.into_iter().map(Spot::new).collect()
}

fn alone_on_its_line(text: &str, span: Span) -> bool {
    let before = text[..span.start].rsplit('\n').next().unwrap_or_default();
    let after = text[span.end..].split('\n').next().unwrap_or_default();
    before.trim().is_empty() && after.trim().is_empty()
}

/// Whether an element of HTML has no end, or needs none.
fn is_void(name: &str) -> bool {
    const NAMES: &str =
        " br hr img input meta link source area base col embed track wbr li td tr th dt dd option ";
    NAMES.contains(&format!(" {} ", name.to_ascii_lowercase()))
}
