//! NovelAI: `Software: NovelAI`, and under `Comment` an object with the prompt and the settings.

use serde_json::{Map, Value};

use super::Record;
use super::field::Field;
use super::json;

/// Reads separate fields, or one field with all of them as JSON (as in pixels and WebP files).
pub fn read(fields: &[Field]) -> Option<(usize, Record)> {
    let software = fields
        .iter()
        .any(|field| field.name == "Software" && field.text.trim().starts_with("NovelAI"));
    let of = |name: &str| fields.iter().position(|field| field.name == name);
    let apart = || {
        let index = of("Comment").filter(|_| software)?;
        let description = of("Description").map(|at| fields[at].text.clone());
        Some((index, record(fields[index].object()?, description)?))
    };
    let together = || {
        fields.iter().enumerate().find_map(|(index, field)| {
            let map = field.object()?;
            if !map.get("Software")?.as_str()?.starts_with("NovelAI") {
                return None;
            }
            let description = json::string(map, &["Description"]);
            let record = match map.get("Comment")? {
                Value::String(text) => record(&json::object(text)?, description),
                Value::Object(comment) => record(comment, description),
                _ => None,
            };
            Some((index, record?))
        })
    };
    apart().or_else(together)
}

fn record(comment: &Map<String, Value>, description: Option<String>) -> Option<Record> {
    let base = |key: &str| caption(comment, key)?.get("base_caption")?.as_str().map(str::to_owned);
    let characters = |key: &str| -> Vec<Value> {
        let list =
            caption(comment, key).and_then(|caption| caption.get("char_captions")?.as_array());
        let texts = list.into_iter().flatten();
        texts.filter_map(|part| part.get("char_caption").cloned()).collect()
    };
    let prompt = json::string(comment, &["prompt"])
        .filter(|prompt| !prompt.trim().is_empty())
        .or_else(|| base("v4_prompt"))
        .or(description)?;
    let negative_prompt = json::string(comment, &["uc"])
        .filter(|text| !text.trim().is_empty())
        .or_else(|| base("v4_negative_prompt"));
    let (positive, negative) = (characters("v4_prompt"), characters("v4_negative_prompt"));
    let mut parameters =
        json::without(comment, &["prompt", "uc", "v4_prompt", "v4_negative_prompt", "signed_hash"]);
    for (key, list) in [("characterPrompts", positive), ("characterNegativePrompts", negative)] {
        if list.iter().any(|text| text.as_str().is_some_and(|text| !text.is_empty())) {
            parameters.insert(key.to_owned(), Value::Array(list));
        }
    }
    Some(Record { tool: "NovelAI".to_owned(), prompt, negative_prompt, parameters })
}

fn caption<'a>(comment: &'a Map<String, Value>, key: &str) -> Option<&'a Map<String, Value>> {
    comment.get(key)?.get("caption")?.as_object()
}
