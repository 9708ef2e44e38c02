//! Rules about `{{variables}}`. They hold in any language.

use std::collections::{HashMap, HashSet};

use super::reading::Reading;
use super::rule::{Edit, Rule, Spot};
use super::span::Span;
use engine::MetricName::Structure;
use engine::Severity::{High, Low, Medium as Middling};
use patterns::pattern;
use text::{head, tail};

/// The rules of this file.
pub const RULES: &[Rule] = &[
    Rule::code("unbalanced_braces", Structure, High, unbalanced_braces).mended(balance),
    Rule::code("mixed_variable_styles", Structure, Middling, mixed_variable_styles),
    Rule::code("foreign_variable_style", Structure, Low, foreign_variable_style),
    Rule::code("similar_variables", Structure, Middling, similar_variables),
    Rule::code("empty_variable", Structure, Middling, empty_variable),
];

/// `{{` without `}}` on its line, or the other way round; whole variables are no longer in the prose, and the
/// braces of nested JSON are closed one by one.
fn unbalanced_braces(reading: &Reading<'_>) -> Vec<Spot> {
    let prose = &reading.source.prose;
    let mut open: Vec<usize> = Vec::new();
    let mut partners: HashMap<usize, usize> = HashMap::new();
    for (at, byte) in prose.bytes().enumerate() {
        match byte {
            b'{' => open.push(at),
            b'}' => {
                if let Some(start) = open.pop() {
                    partners.insert(start, at);
                    partners.insert(at, start);
                }
            }
            _ => {}
        }
    }
    let torn = |at: usize| match (partners.get(&at), partners.get(&(at + 1))) {
        // Objects never begin side by side: "{{name} and {city}}", "{{a" on one line and "b}}" on another.
        (Some(outer), Some(inner)) if at < *inner => {
            *outer != inner + 1 || prose[at..*outer].contains('\n')
        }
        (Some(_), Some(_)) => false,
        _ => true,
    };
    pattern!(r"\{\{|\}\}")
        .find_iter(prose)
        .filter(|found| torn(found.start()))
        .map(|found| Spot::new(found.range().into()))
        .collect()
}

/// Bytes on either side of braces that are read to mend them.
const NEAR: usize = 100;

/// Gives the markers near braces of the line that lack one brace the second one: `{{name}` and `{name}}`. The braces of
/// an object in JSON pair up by themselves.
fn balance(reading: &Reading<'_>, spot: &Spot) -> Vec<Edit> {
    let prose = &reading.source.prose;
    let (before, behind) = prose.split_at(spot.span.start);
    let before = tail(before, NEAR).rsplit('\n').next().unwrap_or_default();
    let behind = head(behind, NEAR).lines().next().unwrap_or_default();
    let start = spot.span.start - before.len();
    let line = &prose[start..spot.span.start + behind.len()];
    if line.matches('{').count() == line.matches('}').count()
        && pattern!(r"[\x22'\w][ \t]*:[ \t]*[\[{\x22'\d]").is_match(line)
    {
        return Vec::new();
    }
    pattern!(r"(?P<open>\{+)[ \t]*(?P<name>[\p{L}_][\p{L}\d_.-]*(?: [\p{L}\d_.-]+){0,3})[ \t]*(?P<close>\}+)")
        .captures_iter(line)
        .filter(|found| matches!((found["open"].len(), found["close"].len()), (1, 2) | (2, 1)))
        .map(|found| {
            let whole = found.get_match();
            let span = Span::new(start + whole.start(), start + whole.end());
            Edit::new(span, format!("{{{{{}}}}}", &found["name"]))
        })
        .collect()
}

/// Placeholders in another style than `{{name}}`.
fn foreign(reading: &Reading<'_>) -> Vec<Spot> {
    let prose = &reading.source.prose;
    pattern!(r"\$\{[A-Za-z_][\w .-]{0,40}\}|\{[A-Za-z_][\w .-]{0,40}\}|\[[A-Z][A-Z0-9_ ]{1,40}\]|%[a-zA-Z_]{2,40}%|<[A-Z][A-Z0-9_]{2,40}>|\[\[[A-Za-z][\w ]{0,40}\]\]")
        .find_iter(prose)
        .filter(|found| {
            let braced = prose[..found.start()].ends_with('{') || prose[found.end()..].starts_with('}');
            // "[x](url)" is a link.
            !braced && !prose[found.end()..].starts_with('(')
        })
        .map(|found| Spot::new(found.range().into()))
        .collect()
}

fn mixed_variable_styles(reading: &Reading<'_>) -> Vec<Spot> {
    if reading.variables.is_empty() { Vec::new() } else { foreign(reading) }
}

fn foreign_variable_style(reading: &Reading<'_>) -> Vec<Spot> {
    if reading.variables.is_empty() { foreign(reading) } else { Vec::new() }
}

/// `{{Name}}` beside `{{name}}`, `{{first_name}}` beside `{{first name}}`: two variables where one was meant.
fn similar_variables(reading: &Reading<'_>) -> Vec<Spot> {
    let mut known: HashMap<String, &str> = HashMap::new();
    let mut reported = HashSet::new();
    let mut spots = Vec::new();
    for (span, name) in &reading.variables {
        let plain: String =
            name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
        if plain.is_empty() {
            continue;
        }
        let first = known.entry(plain).or_insert(name);
        if first != name && reported.insert(*name) {
            spots.push(Spot::naming(*span, format!("{{{{{first}}}}}")));
        }
    }
    spots
}

fn empty_variable(reading: &Reading<'_>) -> Vec<Spot> {
    pattern!(r"\{\{\s*\}\}")
        .find_iter(reading.source.text)
        .map(|found| Spot::new(found.range().into()))
        .collect()
}
