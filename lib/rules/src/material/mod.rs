//! Where the author of a prompt speaks, and where something is quoted to work on.

mod examples;
mod line;

use std::ops::Range;

use crate::split::end_of_material;
use patterns::pattern;
use text::{Cover, Literals, list::is_item};

/// So many bytes of an object in JSON are read to find its end.
const LONGEST_JSON: usize = 8000;
/// So many beginnings of such objects are looked at.
const MOST_JSON: usize = 50;

/// Content to work on and examples: between triple quotation marks or tags, in quoted lines and tables,
/// pasted below a line that announces it, and inputs with their answers.
pub fn supplied(text: &str, literals: &Literals) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let code = Cover::of(text.len(), &[&literals.code]);
    let quoted =
        pattern!(r#"(?s)""".*?"""|'''.*?'''|(?m:^[ \t]*[>|][^\n]*(?:\n[ \t]*[>|][^\n]*)*)"#);
    found.extend(quoted.find_iter(text).map(|found| found.range()));
    found.extend(tagged(text));
    found.retain(|range| !code.touches(range));
    let pairs = examples::find(text, literals, &Cover::of(text.len(), &[&found]));
    found.extend(pairs.shown.iter().chain(&pairs.open).cloned());
    let held = Cover::of(text.len(), &[&found, &literals.code]);
    found.extend(json(text, &held));
    let held = Cover::of(text.len(), &[&found, &literals.code]);
    found.extend(pasted(text, &held));
    found.sort_by_key(|range| range.start);
    found
}

/// Where examples stand, the open one behind them included, in the order of the text.
pub fn shown(text: &str, literals: &Literals) -> Vec<Range<usize>> {
    let code = Cover::of(text.len(), &[&literals.code]);
    let mut found = tagged(text);
    found.retain(|range| !code.touches(range));
    let pairs = examples::find(text, literals, &Cover::of(text.len(), &[&found]));
    found.retain(|range| pattern!(r"(?i)^<(?:{optimize_material.few_shot_tag}|(?:\w+[_-])?{optimize_material.example_tag}(?:[_-]\w+)?)\b").is_match(&text[range.clone()]));
    found.extend(pairs.shown.into_iter().chain(pairs.open));
    found.sort_by_key(|range| range.start);
    found
}

/// Blocks between tags on lines of their own, unless the tag names a part of a prompt.
fn tagged(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open: Option<(String, usize)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        match &open {
            Some((tag, start))
                if trimmed.strip_prefix("</").and_then(|rest| rest.strip_suffix('>'))
                    == Some(tag) =>
            {
                found.push(*start..at + line.trim_end().len());
                open = None;
            }
            None => {
                let tag = pattern!(r"^<(?P<t>[A-Za-z][\w-]{0,40})(?: [^<>]*)?>$").captures(trimmed);
                open = tag.map(|tag| (tag["t"].to_owned(), at)).filter(|(tag, _)| {
                    !pattern!(r"(?i)^{optimize_material.part_tag}(?:_\d+)?$").is_match(tag)
                });
            }
            Some(_) => {}
        }
        at += line.len();
    }
    found
}

/// What is pasted below "Summarize the following text:", without a short request behind it.
fn pasted(text: &str, held: &Cover) -> Option<Range<usize>> {
    let lead = pattern!(
        r"(?im)(?:\b{optimize_material.pasted}\b|{optimize_material.pasted_scripted})[^.!?\n:：]{0,60}[:：][ \t]*\r?\n"
    )
    .find_iter(text)
    .find(|lead| !held.touches(&lead.range()) && !shapes(lead.as_str()))?;
    let rest = &text[lead.end()..];
    let start = lead.end() + (rest.len() - rest.trim_start().len());
    let body = text[start..].trim_end();
    // A list is part of what the author says.
    if body.is_empty() || is_item(body) || held.touches(&(start..start + body.len())) {
        return None;
    }
    let end = start + body[..end_of_material(body)].trim_end().len();
    Some(start..end)
}

/// Whether a line announces the shape of an answer: "in exactly this schema:".
pub fn shapes(line: &str) -> bool {
    pattern!(
        r"(?i)\b(?:json|xml|yaml|csv|{optimize_material.shape})\b[^.!?\n]{0,60}[:：][ \t]*\s*$"
    )
    .is_match(line)
}

/// Objects and lists in JSON that begin a line below a line with a colon at its end.
fn json(text: &str, held: &Cover) -> Vec<Range<usize>> {
    let opening = pattern!(r"[:：][ \t]*\r?\n\s*(?P<open>\{\s*[\x22}]|\[\s*[\[{\x22])");
    let mut found: Vec<Range<usize>> = Vec::new();
    for start in opening
        .captures_iter(text)
        .filter_map(|found| found.name("open"))
        .map(|open| open.start())
        .take(MOST_JSON)
    {
        if found.last().is_some_and(|last| start < last.end) {
            continue;
        }
        let Some(end) = end_of_json(&text[start..]) else { continue };
        let range = start..start + end;
        if !held.touches(&range) && text[range.end..].lines().next().unwrap_or("").trim().is_empty()
        {
            found.push(range);
        }
    }
    found
}

/// Where the brackets that a text begins with are closed.
fn end_of_json(text: &str) -> Option<usize> {
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    for (at, character) in text.char_indices().take_while(|(at, _)| *at < LONGEST_JSON) {
        match character {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '{' | '[' if !quoted => depth += 1,
            '}' | ']' if !quoted => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}
