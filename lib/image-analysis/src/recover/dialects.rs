//! Programs that write their settings as one JSON object: Fooocus, SwarmUI and InvokeAI.

use serde_json::{Map, Value};

use super::field::Field;
use super::{Record, automatic, json};

/// Fooocus: `parameters` or an Exif comment, with its own scheme or that of AUTOMATIC1111
/// (`modules/meta_parser.py`).
pub fn fooocus(fields: &[Field]) -> Option<(usize, Record)> {
    let said = fields.iter().any(|field| {
        field.name == "fooocus_scheme"
            || (field.name == "Software" && field.text.starts_with("Fooocus"))
    });
    fields.iter().enumerate().find_map(|(index, field)| {
        if let Some(map) = field.object() {
            let version = map.get("version").and_then(Value::as_str).unwrap_or_default();
            let fooocus = map.contains_key("base_model") && version.starts_with("Fooocus");
            if !(fooocus || said) {
                return None;
            }
            return Some((index, flat("Fooocus", map, &["prompt"], &["negative_prompt"])?));
        }
        let record = automatic::parse(said.then_some(&field.text)?)?;
        Some((index, Record { tool: "Fooocus".to_owned(), ..record }))
    })
}

/// SwarmUI: an object with `sui_image_params`.
pub fn swarm(fields: &[Field]) -> Option<(usize, Record)> {
    fields.iter().enumerate().find_map(|(index, field)| {
        let map = field.object()?.get("sui_image_params")?.as_object()?;
        Some((index, flat("SwarmUI", map, &["prompt"], &["negativeprompt"])?))
    })
}

/// InvokeAI: `invokeai_metadata`, and before version 3 `sd-metadata` or a command line under
/// `Dream`.
pub fn invoke(fields: &[Field]) -> Option<(usize, Record)> {
    let named =
        |name: &'static str| fields.iter().enumerate().find(move |(_, field)| field.name == name);
    let current = || {
        let (index, field) = named("invokeai_metadata")?;
        let map = field.object()?;
        let record = flat("InvokeAI", map, &["positive_prompt", "prompt"], &["negative_prompt"])?;
        Some((index, record))
    };
    let earlier = || {
        let (index, field) = named("sd-metadata")?;
        let map = field.object()?;
        let image = map.get("image")?.as_object()?;
        let prompt = match image.get("prompt")? {
            Value::String(prompt) => prompt,
            // Weighted parts; only a single part can be returned word for word.
            Value::Array(parts) => match parts.as_slice() {
                [part] => part.get("prompt")?.as_str()?,
                _ => return None,
            },
            _ => return None,
        };
        let mut parameters = json::without(image, &["prompt"]);
        if let Some(model) = map.get("model_weights").filter(|model| !model.is_null()) {
            parameters.insert("model".to_owned(), model.clone());
        }
        Some((index, bracketed(prompt, parameters)))
    };
    let first = || {
        let (index, field) = named("Dream").or_else(|| named("dream"))?;
        Some((index, dream(&field.text)?))
    };
    current().or_else(earlier).or_else(first)
}

/// `"a prompt" -s 50 -S 42 -W 512 -H 512 -C 7.5 -A k_lms`
fn dream(line: &str) -> Option<Record> {
    let line = line.trim();
    budget::spend(line.len());
    let (prompt, options) = match line.strip_prefix('"') {
        Some(rest) => rest.rsplit_once('"')?,
        None => line.split_at(line.find(" -")?),
    };
    let names = [
        ("-s", "steps"),
        ("-S", "seed"),
        ("-W", "width"),
        ("-H", "height"),
        ("-C", "cfg_scale"),
        ("-A", "sampler"),
    ];
    let mut parameters = Map::new();
    let mut words = options.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let Some((flag, name)) = names.iter().find(|(flag, _)| word.starts_with(flag)) else {
            continue;
        };
        let value = match &word[flag.len()..] {
            "" => words.next_if(|next| !next.starts_with('-')),
            joined => Some(joined),
        };
        if let Some(value) = value {
            parameters.insert((*name).to_owned(), json::scalar(value));
        }
    }
    (parameters.len() >= 2).then(|| bracketed(prompt, parameters))
}

/// A prompt of InvokeAI before version 3: what stands in square brackets is not to be seen.
fn bracketed(text: &str, parameters: Map<String, Value>) -> Record {
    let (mut prompt, mut negative) = (String::new(), Vec::new());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('[') {
        let Some((inner, after)) = behind.split_once(']') else { break };
        prompt.push_str(before);
        negative.push(inner.trim());
        rest = after;
    }
    prompt.push_str(rest);
    let (prompt, negative_prompt) = match negative.is_empty() {
        true => (text.to_owned(), None),
        false => (prompt.trim().to_owned(), Some(negative.join(", "))),
    };
    Record { tool: "InvokeAI".to_owned(), prompt, negative_prompt, parameters }
}

/// An object with the texts and the settings side by side.
fn flat(
    tool: &str,
    map: &Map<String, Value>,
    prompt: &[&str],
    negative: &[&str],
) -> Option<Record> {
    Some(Record {
        tool: tool.to_owned(),
        prompt: json::string(map, prompt)?,
        negative_prompt: json::string(map, negative),
        parameters: json::without(map, &[prompt, negative].concat()),
    })
}
