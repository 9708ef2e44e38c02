//! Formats that programs read, held to their parsers.

use csv::ReaderBuilder;
use patterns::pattern;
use saphyr_parser::{Event, Parser};
use serde::de::IgnoredAny;

/// Why a text is not of a format, and at which byte.
pub struct Problem {
    pub message: String,
    pub at: usize,
}

/// Deepest nesting of a document that is read to its end: the parser of XML calls itself for each element.
const DEEPEST: usize = 100;
/// Bytes that are copied in a step.
const COPIED: usize = 16;

/// Reads a text in a format.
pub fn parse(name: &str, text: &str) -> Result<(), Problem> {
    match name {
        "json" => json(text),
        "yaml" => yaml(text),
        "xml" => xml(text),
        "csv" => csv(text),
        _ => html(text),
    }
}

fn problem(message: impl ToString, at: usize) -> Problem {
    Problem { message: message.to_string(), at }
}

/// The byte where a place stands that is given by its line, from 1, and the characters or bytes before it.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    (start + column).min(text.len())
}

/// JSON, or an object on each line (JSON Lines).
fn json(text: &str) -> Result<(), Problem> {
    let error = match serde_json::from_str::<IgnoredAny>(text) {
        Ok(_) => return Ok(()),
        Err(error) => error,
    };
    let mut lines = text.lines().filter(|line| !line.trim().is_empty()).peekable();
    let is_object = |line: &str| {
        line.trim_start().starts_with('{') && serde_json::from_str::<IgnoredAny>(line).is_ok()
    };
    if lines.clone().count() > 1 && lines.all(is_object) {
        return Ok(());
    }
    let at = offset(text, error.line(), error.column().saturating_sub(1));
    Err(problem(error, at))
}

/// YAML with a mapping or a sequence at its top: any text is a scalar.
fn yaml(text: &str) -> Result<(), Problem> {
    let mut structured = false;
    let mut content = false;
    let mut depth = 0_usize;
    let mut parser = Parser::new_from_str(text);
    while let Some(next) = parser.next_event() {
        let (event, span) = next.map_err(|error| {
            let at =
                text.char_indices().nth(error.marker().index()).map_or(text.len(), |(at, _)| at);
            problem(error.info(), at)
        })?;
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
            let at = text.char_indices().nth(span.start.index()).map_or(text.len(), |(at, _)| at);
            return Err(problem("nested too deeply", at));
        }
    }
    if structured { Ok(()) } else { Err(problem("neither a mapping nor a sequence", 0)) }
}

fn xml(text: &str) -> Result<(), Problem> {
    let Some(steps) = xml_steps(text) else {
        return Err(problem("nested too deeply", 0));
    };
    budget::spend(steps);
    match roxmltree::Document::parse(text) {
        Ok(_) => Ok(()),
        Err(error) => {
            let place = error.pos();
            let column = (place.col as usize).saturating_sub(1);
            Err(problem(&error, offset(text, place.row as usize, column)))
        }
    }
}

/// What the parser of XML may take: it compares each attribute of an element with its others, and looks for each prefix
/// among the namespaces that are declared around it, which an element that declares some copies. `None` if elements nest
/// so deeply that it might run out of stack.
fn xml_steps(text: &str) -> Option<usize> {
    let mut steps = text.len();
    let mut around = vec![0];
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        rest = &rest[start..];
        let passed = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")];
        let passed = passed.into_iter().find(|(start, _)| rest.starts_with(start));
        let mut attributes = 0;
        let end = match passed {
            Some((start, end)) => rest[start.len()..].find(end).map(|at| start.len() + at),
            None => tag_end(rest, &mut attributes),
        };
        let Some(end) = end else { break };
        let tag = &rest[..end];
        rest = &rest[end..];
        if tag.starts_with("</") {
            around.pop();
        } else if passed.is_none() {
            let declared = tag.matches("xmlns").count();
            let visible = around.last().unwrap_or(&0) + declared;
            let copied = if declared > 0 { visible * visible } else { 0 };
            steps += copied + (attributes + 1) * visible + attributes * tag.len();
            if !tag.ends_with('/') {
                around.push(visible);
            }
        }
        if around.len() > DEEPEST + 1 {
            return None;
        }
    }
    Some(steps)
}

/// Where the sign stands that ends a tag. Counts its attributes.
fn tag_end(text: &str, attributes: &mut usize) -> Option<usize> {
    let mut quote = None;
    text.bytes().position(|byte| {
        match (byte, quote) {
            (_, Some(mark)) if byte == mark => quote = None,
            (b'"' | b'\'', None) => quote = Some(byte),
            (b'=', None) => *attributes += 1,
            (b'>', None) => return true,
            _ => {}
        }
        false
    })
}

/// Rows of as many fields each, of two or more.
fn csv(text: &str) -> Result<(), Problem> {
    let comma = text.lines().next().unwrap_or_default();
    let delimiter = [b',', b';', b'\t']
        .into_iter()
        .max_by_key(|sign| (comma.bytes().filter(|byte| byte == sign).count(), *sign == b','));
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(false)
        .delimiter(delimiter.unwrap_or(b','))
        .from_reader(text.as_bytes());
    let mut record = csv::StringRecord::new();
    let mut fields = 0;
    loop {
        match reader.read_record(&mut record) {
            Ok(true) => fields = record.len(),
            Ok(false) if fields > 1 => return Ok(()),
            Ok(false) => return Err(problem("no fields", 0)),
            Err(error) => {
                let at = error.position().map_or(0, |place| place.byte() as usize);
                return Err(problem(error, at));
            }
        }
    }
}

/// What begins and ends with a tag and has an element that pages have.
fn html(text: &str) -> Result<(), Problem> {
    let body = text.trim();
    let known = pattern!(
        r"(?i)<(?:!doctype|html|head|body|main|section|article|header|footer|nav|div|p|h[1-6]|ul|ol|dl|table|form|span|a|b|i|em|strong|img|svg|button|pre|blockquote)\b"
    );
    if !body.starts_with('<') {
        Err(problem("text before the first tag", 0))
    } else if !body.ends_with('>') {
        Err(problem("text behind the last tag", body.rfind('>').map_or(0, |at| at + 1)))
    } else if !known.is_match(body) {
        Err(problem("no element of a page", 0))
    } else {
        Ok(())
    }
}
