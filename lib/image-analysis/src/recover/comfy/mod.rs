//! ComfyUI: the picture's graph, under `prompt` as it ran and under `workflow` as it was drawn.

mod conditions;
mod graph;
mod passes;
mod strings;
mod widgets;

use serde_json::{Map, Value};

use self::graph::Graph;
use super::Record;
use super::field::Field;
use super::json;

/// Reads the graph that ran, or else the drawn one.
pub fn read(fields: &[Field]) -> Option<(usize, Record)> {
    let graphs = |name: &'static str, ran: fn(Map<String, Value>) -> Option<Graph>| {
        fields.iter().enumerate().find_map(move |(index, field)| {
            let mut map = json::object(content(field, name)?)?;
            // Some programs put both into one object.
            if let Some(Value::Object(inner)) = map.get_mut(name) {
                map = std::mem::take(inner);
            }
            Some((index, passes::read(&ran(map)?)?))
        })
    };
    graphs("prompt", Graph::new)
        .or_else(|| graphs("workflow", |map| Graph::new(widgets::ran(&map)?)))
}

/// The text of the field `name`; in Exif the text begins with the name instead.
fn content<'a>(field: &'a Field, name: &str) -> Option<&'a str> {
    if field.name == name {
        return Some(&field.text);
    }
    if field.place != "EXIF" {
        return None;
    }
    let text = field.text.trim();
    match text.split_at_checked(name.len()) {
        Some((start, rest)) if start.eq_ignore_ascii_case(name) => {
            rest.trim_start().strip_prefix(':')
        }
        _ => text.starts_with('{').then_some(text),
    }
}
