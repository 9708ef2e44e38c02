//! Formats that programs read, held to their parsers.

use csv::ReaderBuilder;
use patterns::pattern;
use saphyr_parser::{Event, Parser};
use serde::de::IgnoredAny;

/// Deepest nesting of a document that is read to its end: the parser of XML calls itself for each element.
const DEEPEST: usize = 100;
const TOO_DEEP: &str = "nested too deeply";
/// Most attributes of an element; the parser compares each with all others.
const MOST_ATTRIBUTES: usize = 100;
/// Bytes that are copied in a step.
const COPIED: usize = 16;

/// Reads a text in a format; the error says why it is none.
pub fn parse(name: &str, text: &str) -> Result<(), String> {
    match name {
        "json" => json(text),
        "yaml" => yaml(text),
        "xml" => xml(text),
        _ => csv(text),
    }
}

/// JSON, or an object on each line (JSON Lines).
fn json(text: &str) -> Result<(), String> {
    let read = |text: &str| serde_json::from_str::<IgnoredAny>(text);
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let is_object = |line: &str| line.trim_start().starts_with('{') && read(line).is_ok();
    match read(text) {
        Err(error) if !lines.all(is_object) => Err(error.to_string()),
        _ => Ok(()),
    }
}

/// YAML with a mapping or a sequence at its top: any text is a scalar.
fn yaml(text: &str) -> Result<(), String> {
    let (mut structured, mut content) = (false, false);
    let mut depth = 0_usize;
    for next in Parser::new_from_str(text) {
        let (event, _) = next.map_err(|error| error.to_string())?;
        if let Event::Scalar(.., Some(tag))
        | Event::SequenceStart(_, Some(tag))
        | Event::MappingStart(_, Some(tag)) = &event
        {
            // A document may name a long prefix once and use it everywhere.
            budget::spend(tag.handle.len() / COPIED);
        }
        match event {
            Event::MappingStart(..) | Event::SequenceStart(..) => {
                structured |= !content;
                content = true;
                depth += 1;
            }
            Event::MappingEnd | Event::SequenceEnd => depth = depth.saturating_sub(1),
            Event::Scalar(..) | Event::Alias(_) => content = true,
            _ => {}
        }
        if depth > DEEPEST {
            return Err(TOO_DEEP.to_owned());
        }
    }
    structured.then_some(()).ok_or_else(|| "neither a mapping nor a sequence".to_owned())
}

/// The parser of XML calls itself for each element, compares each attribute of one with its others, and looks for each
/// prefix among the namespaces around it, which an element that declares some copies.
fn xml(text: &str) -> Result<(), String> {
    let part = pattern!(
        r#"(?s)<!--.*?(?:-->|\z)|<!\[.*?(?:\]\]>|\z)|<\?.*?(?:\?>|\z)|(?P<tag></?[^<>"'!?/](?:[^<>"']|"[^"]*"|'[^']*')*>)"#
    );
    let (mut around, mut steps) = (vec![0], text.len());
    for tag in part.captures_iter(text).filter_map(|found| found.name("tag")) {
        let tag = tag.as_str();
        if tag.starts_with("</") {
            around.pop();
            continue;
        }
        let declared = tag.matches("xmlns").count();
        let visible = around.last().unwrap_or(&0) + declared;
        steps = steps.saturating_add(if declared > 0 { visible * visible } else { 0 });
        let attributes = tag.matches("=\"").count() + tag.matches("='").count();
        let compared = if attributes > MOST_ATTRIBUTES { usize::MAX } else { attributes + 1 };
        steps = steps.saturating_add(compared.saturating_mul(tag.len() + visible));
        if !tag.ends_with("/>") {
            around.push(visible);
        }
        if around.len() > DEEPEST + 1 {
            return Err(TOO_DEEP.to_owned());
        }
    }
    budget::spend(steps);
    roxmltree::Document::parse(text).map(|_| ()).map_err(|error| error.to_string())
}

/// Rows of as many fields each, of two or more.
fn csv(text: &str) -> Result<(), String> {
    let comma = text.lines().next().unwrap_or_default();
    let delimiter = [b',', b';', b'\t']
        .into_iter()
        .max_by_key(|sign| (comma.bytes().filter(|byte| byte == sign).count(), *sign == b','));
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(false)
        .delimiter(delimiter.unwrap_or(b','))
        .from_reader(text.as_bytes());
    let rows =
        reader.records().collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string())?;
    let has_fields = rows.first().is_some_and(|row| row.len() > 1);
    has_fields.then_some(()).ok_or_else(|| "no fields".to_owned())
}
