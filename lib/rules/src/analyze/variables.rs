//! Rules about the form and the place of variables. They hold in any language.

use std::collections::HashMap;

use super::mask::Kind;
use super::reading::Reading;
use super::rule::{Edit, Spot};
use super::span::Span;
use patterns::pattern;
use text::{head, tail};

/// Markers that lack a brace: `{{name}` and `{name}}`, and `{{` or `{` that nothing closes on its line. The braces of an
/// object in JSON pair up within their line.
pub fn unbalanced(reading: &Reading<'_>) -> Vec<Spot> {
    let text = &reading.source.prose;
    let torn = pattern!(
        r"\{{1,3}[ \t]*[\p{L}_][\p{L}\d_. -]{0,60}?[ \t]*\}{1,3}|\{\{[^{}\n]{0,80}(?:\n|$)|\{[\p{L}_]{2,40}[ ,.!?;:]"
    );
    let lacks = |found: &patterns::Match<'_>| {
        let before = tail(&text[..found.start()], NEAR).rsplit('\n').next().unwrap_or_default();
        let behind = head(&text[found.end()..], NEAR).lines().next().unwrap_or_default();
        let whole = [before, found.as_str(), behind].concat();
        let object =
            whole.matches('{').count() == whole.matches('}').count() && before.contains(['"', ':']);
        match (found.as_str().matches('{').count(), found.as_str().matches('}').count()) {
            (1, 2) | (2, 0 | 1) => !object,
            // "Dear {name, welcome", in a line that has no other brace.
            (1, 0) => {
                !reading.variables.is_empty()
                    && !before.contains(['{', '}'])
                    && !behind.contains(['{', '}', '"'])
            }
            _ => false,
        }
    };
    let places = torn.find_iter(text).filter(lacks);
    places.map(|found| Spot::new(found.range().into())).collect()
}

/// Bytes on either side of braces that are read to mend them.
const NEAR: usize = 100;

/// The marker with both braces on either side, where its name ends before them.
pub fn balance(reading: &Reading<'_>, spot: &Spot) -> Vec<Edit> {
    let name = reading.source.slice(spot.span).trim();
    if !name.ends_with('}') {
        return Vec::new();
    }
    vec![(spot.span, format!("{{{{{}}}}}", name.trim_matches(['{', '}']).trim()))]
}

/// Marks of other styles that are looked at.
const LOOKED_AT: usize = 50;

/// `{name}` or `${name}` beside `{{name}}`: only double braces are filled in.
pub fn mixed_styles(reading: &Reading<'_>) -> Vec<Spot> {
    let text = reading.source.text;
    let double = |span: &Span| text[span.start..span.end].starts_with("{{");
    if !reading.variables.iter().any(|(span, _)| double(span)) || reading.source.mask.is_object {
        return Vec::new();
    }
    let spoken_of = |span: &Span| {
        let line = tail(&text[..span.start], NEAR).rsplit('\n').next().unwrap_or_default();
        pattern!(r"(?i)\b{analyze.open_end}\b").is_match(line)
    };
    let torn = |span: &Span| text[..span.start].ends_with('{') || text[span.end..].starts_with('}');
    let single = reading.variables.iter().map(|(span, _)| *span).filter(|span| !double(span));
    let other = pattern!(r"%[A-Z][A-Z_]{2,40}%|<[a-z]+(?:_[a-z]+)+>|\[\[\w{2,40}\]\]");
    let closed = |span: &Span| text.contains(&text[span.start..span.end].replace('<', "</"));
    let others = reading
        .all(other)
        .take(LOOKED_AT)
        .filter(|span| !text[span.start..].starts_with('<') || !closed(span));
    let mixed = single.chain(others).filter(|span| !spoken_of(span) && !torn(span));
    mixed.map(Spot::new).collect()
}

/// Whether a variable stands between marks that keep its value apart: tags, fences, quotation marks, rules of signs.
fn is_delimited(reading: &Reading<'_>, span: Span) -> bool {
    let text = reading.source.text;
    let before = text[..span.start].trim_end();
    let behind = text[span.end..].trim_start();
    let part = reading.source.mask.around(span);
    let inside = part.is_some_and(|(part, kind)| {
        matches!(kind, Kind::Fence | Kind::Tag | Kind::Quote) && part.holds(span)
    });
    before.ends_with(['>', '"', '“', '«', '„', '`', '#', '=', '-', '~', '*', '|', ']', '\'', '「'])
        || behind.starts_with(['<', '`', '"'])
        || inside
}

/// The variables of content from somebody else, by name.
fn contents<'r>(reading: &'r Reading<'_>) -> impl Iterator<Item = (Span, &'r str)> {
    reading.variables.iter().copied().filter(|(_, name)| {
        pattern!(r"(?i)(?:^|[_.-]){analyze.content_name}$|{analyze.content_name_scripted}$")
            .is_match(name)
    })
}

/// Content of somebody else that nothing sets apart from the instructions.
pub fn undelimited(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    if source.mask.is_object || source.mask.of(Kind::Example).next().is_some() {
        return Vec::new();
    }
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for (_, name) in &reading.variables {
        *counts.entry(name).or_default() += 1;
    }
    // A paragraph of its own is set apart by its lines, and a turn of a chat by its marks.
    let alone = |span: Span| {
        let before = source.text[..span.start].trim_end_matches([' ', '\t']);
        let behind = source.text[span.end..].trim_start_matches([' ', '\t']);
        (before.is_empty() || before.ends_with('\n'))
            && (behind.is_empty() || behind.starts_with(['\n', '\r', '<']))
    };
    // A value within a sentence is short.
    let labelled = |span: Span| source.text[..span.start].trim_end().ends_with([':', '：']);
    contents(reading)
        .filter(|(span, name)| counts[name] == 1 && !is_delimited(reading, *span))
        .filter(|(span, _)| labelled(*span) && !alone(*span))
        .map(|(span, _)| Spot::new(span))
        .collect()
}

/// Puts a variable between tags of its name, where it stands alone behind a colon at the end of its line.
pub fn delimit(reading: &Reading<'_>, spot: &Spot) -> Vec<Edit> {
    let text = reading.source.text;
    let name = reading.source.slice(spot.span).trim_matches(['{', '}']).trim();
    let line = &text[..spot.span.start];
    let line = &line[line.rfind('\n').map_or(0, |at| at + 1)..];
    let behind = text[spot.span.end..].lines().next().unwrap_or_default();
    let fits = pattern!(r"^[a-z][a-z0-9_-]{0,40}$").is_match(name)
        && pattern!(r"^[^:\n]{1,60}:[ \t]*$").is_match(line)
        && behind.trim().is_empty()
        && !text.contains(&format!("<{name}>"));
    let marked = || format!("<{name}>{}</{name}>", reading.source.slice(spot.span));
    if fits { vec![(spot.span, marked())] } else { Vec::new() }
}
