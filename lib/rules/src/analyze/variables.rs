//! Rules about the form and the place of variables. They hold in any language.

use super::reading::Reading;
use super::rule::{Edit, Spot};
use engine::prompt::Span;
use engine::prompt::mask::Kind;
use patterns::pattern;

/// Markers that lack a brace: `{{name}` and `{name}}`, and `{{` that nothing closes on its line.
pub fn unbalanced(reading: &Reading<'_>) -> Vec<Spot> {
    let text = &reading.source.prose;
    let torn = pattern!(
        r"\{{1,3}[ \t]*[\p{L}_][\p{L}\d_. -]{0,60}?[ \t]*\}{1,3}|\{\{[^{}\n]{0,80}(?:\n|$)"
    );
    let lacks = |found: &patterns::Match<'_>| {
        // A variable as a value in JSON.
        let value = reading.source.text[..found.start()].trim_end().ends_with("\":");
        let braces = |sign: char| found.as_str().matches(sign).count();
        !value && matches!((braces('{'), braces('}')), (1, 2) | (2, 0 | 1))
    };
    let places = torn.find_iter(text).filter(lacks);
    places.map(|found| Spot::new(found.range().into())).collect()
}

/// The marker with both braces on either side, where its name ends before them.
pub fn balance(reading: &Reading<'_>, spot: &Spot) -> Option<Edit> {
    let name = reading.source.slice(spot.span).trim();
    let marker = || format!("{{{{{}}}}}", name.trim_matches(['{', '}']).trim());
    name.ends_with('}').then(|| (spot.span, marker()))
}

/// Content of somebody else behind a label, in a line with other words, that nothing sets apart from the instructions.
pub fn undelimited(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    if source.mask.is_object || source.mask.of_kind(Kind::Example).next().is_some() {
        return Vec::new();
    }
    let foreign =
        pattern!(r"(?i)(?:^|[_.-]){analyze.content_name}$|{analyze.content_name_scripted}$");
    let is_bare = |(span, name): &&(Span, &str)| {
        let before = source.text[..span.start].trim_end_matches([' ', '\t']);
        let behind = source.text[span.end..].trim_start();
        let inside = source.mask.holds(*span, &[Kind::Fence, Kind::Tag, Kind::Quote]);
        let again = reading.variables.iter().filter(|(_, other)| other == name).count() > 1;
        // "Is this a complaint? {{message}} Answer with yes or no."
        let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '.' | '?' | '!');
        let within = before.ends_with(goes_on) && !source.text[span.end..].starts_with('\n');
        (before.ends_with([':', '：']) || within && behind.starts_with(char::is_uppercase))
            && !behind.starts_with(['<', '`', '"'])
            && !inside
            && !again
            && foreign.is_match(name)
    };
    let found = reading.variables.iter().filter(is_bare);
    found.map(|(span, _)| Spot::new(*span)).collect()
}

/// Puts a variable between tags of its name, where it stands alone behind a colon at the end of its line.
pub fn delimit(reading: &Reading<'_>, spot: &Spot) -> Option<Edit> {
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
    fits.then(|| (spot.span, marked()))
}
