//! ComfyUI: the picture's graph, under `prompt` as it ran and under `workflow` as it was drawn.

use super::Record;
use super::field::Field;
use super::graph::Graph;
use super::json;
use super::widgets;

/// Reads the graph that ran, or else the drawn one.
pub fn read(fields: &[Field]) -> Option<(usize, Record)> {
    let ran = fields.iter().enumerate().find_map(|(index, field)| {
        let content = content(field, "prompt")?;
        let map = json::object(content)?;
        // Some programs put both into one object.
        let inner = map.get("prompt").and_then(|inner| inner.as_object()).cloned();
        Some((index, Graph::new(inner.unwrap_or(map))?.read()?))
    });
    ran.or_else(|| {
        fields.iter().enumerate().find_map(|(index, field)| {
            let map = json::object(content(field, "workflow")?)?;
            let inner = map.get("workflow").and_then(|inner| inner.as_object()).cloned();
            Some((index, Graph::new(widgets::ran(&inner.unwrap_or(map))?)?.read()?))
        })
    })
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
