//! Midjourney: a description `<prompt> --ar 16:9 --v 7 Job ID: <uuid>`.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Map, Value};

use super::Record;
use super::field::Field;
use super::json;

static JOB: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\s*\bJob ID:\s*([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\s*$")
        .expect("a pattern")
});

/// Longest end of a text in which a job's identifier is searched, in bytes.
const LONGEST_END: usize = 200;

/// Reads the first field that ends with a job's identifier. The prompt keeps its flags, as they are
/// part of it; the settings name them too.
pub fn read(fields: &[Field]) -> Option<(usize, Record)> {
    fields.iter().enumerate().find_map(|(index, field)| {
        let text = field.text.trim_end();
        let end = text.floor_char_boundary(text.len().saturating_sub(LONGEST_END));
        budget::spend(json::WORK * (text.len() - end));
        let job = JOB.captures(&text[end..])?;
        let prompt = text[..end + job.get(0)?.start()].trim();
        let mut parameters = flags(prompt);
        parameters.insert("jobId".to_owned(), Value::from(&job[1]));
        let record = Record {
            tool: "Midjourney".to_owned(),
            prompt: prompt.to_owned(),
            negative_prompt: None,
            parameters,
        };
        Some((index, record))
    })
}

/// The flags at the end: `--name value`; one without a value is true.
fn flags(prompt: &str) -> Map<String, Value> {
    budget::spend(json::WORK * prompt.len());
    let Some(start) = prompt.find(" --") else { return Map::new() };
    prompt[start..]
        .split(" --")
        .filter_map(|flag| {
            let (name, value) = flag.trim().split_once(' ').unwrap_or((flag.trim(), ""));
            let named = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric());
            let value =
                if value.is_empty() { Value::Bool(true) } else { json::scalar(value.trim()) };
            named.then(|| (name.to_owned(), value))
        })
        .collect()
}
