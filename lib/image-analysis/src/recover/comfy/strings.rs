//! Texts of a graph: literals, joined texts, and texts that pass through other nodes.

use serde_json::Value;

use super::graph::{Graph, Node, link};
use super::known;

/// Beginnings of the names of texts that a node joins in order: `text_a`, `text_b` or `string1`, `string2`.
const SERIES: [&str; 4] = ["string", "text", "prompt", "part"];
/// Inputs that hold the text between joined texts.
const DELIMITERS: [&str; 2] = ["delimiter", "separator"];
/// Inputs that hold or pass on a text; the first that a node has counts. A populated text is what a template
/// with random choices became.
const HELD: [&str; 12] = [
    "populated_text",
    "text",
    "string",
    "value",
    "prompt",
    "Text",
    "String",
    "text_0",
    "positive",
    "negative",
    "source",
    "anything",
];

impl Graph<'_> {
    /// A text: a literal, or linked to a node that holds, joins or changes texts. `None` if it is not
    /// known what came out of that node.
    pub fn text(&self, value: &Value, depth: usize) -> Option<String> {
        if let Some(text) = value.as_str() {
            self.step(depth, 0)?;
            self.count(text.len())?;
            return Some(text.to_owned());
        }
        let source = link(value)?;
        let node = self.pass(&source.node, depth)?;
        if let Some(chosen) = self.chosen(node, depth) {
            return self.text(chosen?, depth + 1);
        }
        let of = |name: &str| self.text(node.inputs.get(name)?, depth + 1);
        match node.class {
            "StringReplace" | "Text Find and Replace" => {
                let text = of("string").or_else(|| of("text"))?;
                let (find, new) = (of("find")?, of("replace")?);
                let added = text.matches(&find).count().saturating_mul(new.len());
                self.count(text.len().saturating_add(added))?;
                return Some(text.replace(&find, &new));
            }
            "StringTrim" => {
                let text = of("string")?;
                self.count(text.len())?;
                return Some(match of("mode")?.as_str() {
                    "Left" => text.trim_start().to_owned(),
                    "Right" => text.trim_end().to_owned(),
                    _ => text.trim().to_owned(),
                });
            }
            _ => {}
        }
        if known::joins(node) {
            return self.joined(node, &series(node)?, depth);
        }
        if !known::holds(node) {
            return None;
        }
        match HELD.iter().find(|name| node.inputs.contains_key(**name)) {
            Some(name) => of(name),
            None => self.text(node.only_link()?, depth + 1),
        }
    }

    /// Texts of a node that joins them.
    fn joined(&self, node: &Node<'_>, texts: &[&Value], depth: usize) -> Option<String> {
        let delimiter = DELIMITERS.iter().find_map(|name| node.inputs.get(*name));
        let delimiter = match delimiter {
            Some(value) => self.text(value, depth + 1)?.replace("\\n", "\n"),
            None => String::new(),
        };
        let mut list: Vec<String> =
            texts.iter().map(|text| self.text(text, depth + 1)).collect::<Option<_>>()?;
        if let Some(clean) = node.inputs.get("clean_whitespace") {
            if clean.as_str() == Some("true") || clean.as_bool() == Some(true) {
                list.iter_mut().for_each(|text| *text = text.trim().to_owned());
            }
            list.retain(|text| !text.is_empty());
        }
        let between = delimiter.len().saturating_mul(list.len());
        self.count(list.iter().map(String::len).sum::<usize>().saturating_add(between))?;
        Some(list.join(&delimiter))
    }
}

/// At least two texts in a series, in its order.
fn series<'a>(node: &Node<'a>) -> Option<Vec<&'a Value>> {
    SERIES.iter().find_map(|stem| {
        let mut texts: Vec<((usize, &str), &Value)> = node
            .inputs
            .iter()
            .filter_map(|(name, value)| {
                let rest = name.strip_prefix(stem)?.trim_start_matches('_');
                let place = rest.parse::<u8>().is_ok()
                    || (rest.len() == 1 && rest.starts_with(|c: char| c.is_ascii_alphabetic()));
                (place && (value.is_string() || link(value).is_some()))
                    .then_some(((rest.len(), rest), value))
            })
            .collect();
        texts.sort_by_key(|(place, _)| *place);
        (texts.len() >= 2).then(|| texts.into_iter().map(|(_, text)| text).collect())
    })
}
