//! ComfyUI: the picture's graph, under `prompt` as it ran and under `workflow` as it was drawn.

mod conditions;
mod graph;
mod known;
mod passes;
mod pictures;
mod strings;
mod widgets;

use std::borrow::Cow;

use serde_json::{Map, Value};

use self::graph::Graph;
use super::Record;
use super::field::Field;
use super::json;

/// Most graphs of a kind that are read: a picture has one.
const MOST_GRAPHS: usize = 4;

/// Reads the graph that ran, or else the drawn one.
pub fn read(fields: &[Field]) -> Option<(usize, Record)> {
    let ran = |map: &Map<String, Value>| passes::read(&Graph::new(map)?);
    let drawn = |map: &Map<String, Value>| passes::read(&Graph::new(&widgets::ran(map)?)?);
    graphs(fields, "prompt", ran).or_else(|| graphs(fields, "workflow", drawn))
}

fn graphs(
    fields: &[Field],
    name: &str,
    read: impl Fn(&Map<String, Value>) -> Option<Record>,
) -> Option<(usize, Record)> {
    let found = fields.iter().enumerate();
    let found = found.filter_map(|(index, field)| Some((index, object(field, name)?)));
    found.take(MOST_GRAPHS).find_map(|(index, map)| {
        // Some programs put both into one object.
        let inner = map.get(name).and_then(Value::as_object).unwrap_or(&map);
        Some((index, read(inner)?))
    })
}

/// The object of the field `name`; in Exif the text begins with the name instead.
fn object<'a>(field: &'a Field, name: &str) -> Option<Cow<'a, Map<String, Value>>> {
    let whole = || field.object().map(Cow::Borrowed);
    if field.name == name {
        return whole();
    }
    if field.place != "EXIF" {
        return None;
    }
    match field.text.trim().split_at_checked(name.len()) {
        Some((start, rest)) if start.eq_ignore_ascii_case(name) => {
            json::object(rest.trim_start().strip_prefix(':')?).map(Cow::Owned)
        }
        _ => whole(),
    }
}
