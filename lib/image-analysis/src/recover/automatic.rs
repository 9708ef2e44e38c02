//! The `parameters` text of the AUTOMATIC1111 web UI, also written by Forge, SD.Next and others.
//!
//! The prompt, then `Negative prompt:` at the beginning of a line, then one line of settings that
//! begins with `Steps:` (`modules/infotext_utils.py` of the web UI).

use serde_json::{Map, Value};

use super::Record;
use super::field::Field;
use super::json;

/// Fewest settings of a line of settings; the web UI has the same bound.
const FEWEST_SETTINGS: usize = 3;

/// Reads the first field with such a text.
pub fn read(fields: &[Field]) -> Option<(usize, Record)> {
    fields.iter().enumerate().find_map(|(index, field)| Some((index, parse(&field.text)?)))
}

/// Reads such a text.
pub fn parse(text: &str) -> Option<Record> {
    let text = text.trim();
    budget::spend(text.len());
    // Some programs write the settings behind the words, on their line.
    let behind = |(start, line): (usize, &str)| {
        let at = line.rfind(" Steps: ")? + 1;
        Some((start + at, settings(line[at..].trim())?))
    };
    let own = lines(text)
        .filter(|(_, line)| line.trim_start().starts_with("Steps:"))
        .filter_map(|(start, line)| Some((start, settings(line.trim())?)))
        .last();
    let (start, parameters) = own.or_else(|| lines(text).filter_map(behind).last())?;
    let head = &text[..start];
    let mut split = lines(head).filter(|(_, line)| line.starts_with("Negative prompt:"));
    let split = split.next().map(|(start, _)| start);
    // Where the settings follow on a line, so does the negative prompt.
    let split = split
        .or_else(|| Some(head.find(" Negative prompt:").filter(|_| !head.ends_with('\n'))? + 1));
    let (prompt, negative) = match split {
        Some(at) => (&head[..at], Some(&head[at + "Negative prompt:".len()..])),
        None => (head, None),
    };
    let negative = negative.map(|text| text.trim().to_owned());
    Some(Record {
        tool: tool(&parameters),
        prompt: prompt.trim().to_owned(),
        negative_prompt: negative,
        parameters,
    })
}

/// The lines, and where each begins.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n').scan(0, |next, line| {
        let start = *next;
        *next += line.len();
        Some((start, line))
    })
}

fn tool(parameters: &Map<String, Value>) -> String {
    if let Some(app) = parameters.get("App").and_then(Value::as_str) {
        return app.to_owned();
    }
    let version = parameters.get("Version").and_then(Value::as_str).unwrap_or_default();
    let mut start = version.chars();
    match (start.next(), start.next()) {
        _ if version.starts_with("ComfyUI") => "ComfyUI",
        _ if version.starts_with("Fooocus") => "Fooocus",
        _ if version.starts_with("neo") => "Forge Neo",
        (Some('f'), Some('0'..='9')) => "Forge",
        _ => "AUTOMATIC1111",
    }
    .to_owned()
}

/// The settings in a line `Steps: 20, Sampler: Euler, Name: "value, with a comma", …` as the AUTOMATIC1111 web UI
/// writes it; `None` if there are too few of them, or not those of a sampler.
pub fn settings(line: &str) -> Option<Map<String, Value>> {
    let mut settings = Map::new();
    let mut rest = line;
    while !rest.is_empty() {
        let (name, after) = rest.split_once(':')?;
        let name = name.trim();
        if !is_name(name) {
            break;
        }
        let after = after.trim_start();
        let (value, next) = value(after);
        budget::spend(json::WORK * (rest.len() - next.len()));
        settings.insert(name.to_owned(), value);
        rest = next.trim_start().strip_prefix(',').unwrap_or_default().trim_start();
    }
    let sampled = ["Sampler", "Seed", "CFG scale"].iter().any(|name| settings.contains_key(*name));
    let counted = settings.get("Steps").is_some_and(Value::is_number);
    (settings.len() >= FEWEST_SETTINGS && counted && sampled).then_some(settings)
}

fn is_name(name: &str) -> bool {
    name.len() <= 100
        && name.chars().next().is_some_and(char::is_alphanumeric)
        && name.chars().all(|c| c.is_alphanumeric() || " -_/.()+'".contains(c))
}

/// The value that `text` begins with, and the rest. A quoted text and JSON may hold commas.
fn value(text: &str) -> (Value, &str) {
    if text.starts_with(['"', '[', '{']) {
        let mut stream = serde_json::Deserializer::from_str(text).into_iter::<Value>();
        match stream.next() {
            Some(Ok(value)) => {
                budget::spend(json::WORK * stream.byte_offset());
                let rest = text[stream.byte_offset()..].trim_start();
                if rest.is_empty() || rest.starts_with(',') {
                    return (value, rest);
                }
            }
            // The text is one line, so the column is where the parser gave up.
            Some(Err(error)) => budget::spend(json::WORK * error.column()),
            None => {}
        }
    }
    let end = text.find(',').unwrap_or(text.len());
    (json::scalar(text[..end].trim()), &text[end..])
}
