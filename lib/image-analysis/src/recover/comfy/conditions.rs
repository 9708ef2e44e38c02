//! The texts behind a condition of a sampler, and how the graph joins them.

use serde_json::{Map, Value};

use super::graph::{Graph, Link, Node, link};
use super::known;

/// Inputs of a node that encodes text; models with several encoders have a text for each.
const ENCODED: [&str; 17] = [
    "populated_text",
    "text",
    "user_prompt",
    "text_g",
    "text_l",
    "clip_l",
    "clip_g",
    "t5xxl",
    "bert",
    "mt5xl",
    "llama",
    "qwen25_7b",
    "chatglm3",
    "prompt",
    "tags",
    "lyrics",
    "caption",
];
/// Beginnings of the names of inputs that carry a condition.
const CARRIED: [&str; 4] = ["conditioning", "cond", "positive", "negative"];
/// Inputs that carry both conditions at once.
const PIPES: [&str; 4] = ["basic_pipe", "sdxl_tuple", "text_embeds", "pipe"];
/// Settings of the nodes that place or weigh a condition.
const SETTINGS: [&str; 9] = [
    "x",
    "y",
    "width",
    "height",
    "strength",
    "start",
    "end",
    "conditioning_to_strength",
    "set_cond_area",
];

/// One of the two conditions of a sampler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// What the picture shows.
    Positive,
    /// What it does not show.
    Negative,
}

impl Side {
    /// Its name, which is also that of inputs.
    pub fn name(self) -> &'static str {
        match self {
            Side::Positive => "positive",
            Side::Negative => "negative",
        }
    }
}

/// A text of a condition.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The text, word for word.
    pub text: String,
    /// Identifier of the node that encodes it.
    pub node: String,
    /// How it joins the one before it; `None` for the first.
    pub join: Option<&'static str>,
    /// Where, when and how strongly it counts, under ComfyUI's names.
    pub settings: Map<String, Value>,
}

impl<'a> Graph<'a> {
    /// The texts behind an input of conditions, in the order in which the graph joins them; none behind a
    /// condition that was zeroed. `None` if one of them cannot be told.
    pub fn condition(&self, id: &str, input: &str, side: Side, depth: usize) -> Option<Vec<Part>> {
        let value = self.node(id)?.inputs.get(input)?;
        match value.as_str() {
            Some(text) => {
                self.count(text.len())?;
                Some(vec![Part::new(text.to_owned(), id)])
            }
            None => self.behind(&link(value)?, side, PIPES.contains(&input), depth),
        }
    }

    /// The texts behind a link. What comes through a pipe does not depend on the number of the output.
    fn behind(&self, source: &Link<'_>, side: Side, pipe: bool, depth: usize) -> Option<Vec<Part>> {
        let node = self.pass(&source.node, depth)?;
        if node.is(&["zeroout"]) {
            return Some(Vec::new());
        }
        if let Some(chosen) = self.chosen(node, depth) {
            return self.behind(&link(chosen?)?, side, pipe, depth + 1);
        }
        if known::encodes(node) && !node.inputs.keys().any(|name| is_condition(name)) {
            return self.encoded(node, &source.node, depth);
        }
        if !known::encodes(node) && !known::conditions(node) {
            return None;
        }
        let (names, side) = carried(node, source.output, side, pipe);
        if names.is_empty() {
            return None;
        }
        let mut parts: Vec<Part> = Vec::new();
        for name in names.into_iter().filter(|name| weighs(node, name)) {
            let mut more = self.condition(&source.node, name, side, depth + 1)?;
            if let (Some(first), false) = (more.first_mut(), parts.is_empty()) {
                first.join = Some(join(node));
            }
            parts.extend(more);
        }
        // Some nodes add a text of their own, such as one for a box.
        if let Some(text) = node.inputs.get("text").filter(|_| node.is(&["gligen", "encode"])) {
            let own = Part::new(self.text(text, depth + 1)?, &source.node);
            parts.push(Part { join: Some("add"), ..own });
        }
        self.step(depth, parts.len())?;
        if node.is(&["conditioning", "gligen"]) {
            for part in &mut parts {
                for (name, value) in settings(node) {
                    self.count(value.as_str().map_or(0, str::len))?;
                    part.settings.entry(name).or_insert_with(|| value.clone());
                }
            }
        }
        Some(parts)
    }

    /// The texts of a node that encodes text; a text that several encoders share counts once. `None` if it has a text
    /// of another name: nobody knows what that is for.
    fn encoded(&self, node: &Node<'a>, id: &str, depth: usize) -> Option<Vec<Part>> {
        let is_known = |(name, value): (&String, &Value)| {
            let has_text =
                value.is_string() || link(value).is_some() && known::is_named_a_text(name);
            !has_text || ENCODED.contains(&name.as_str()) || known::says_nothing(name)
        };
        if !node.inputs.iter().all(is_known) {
            return None;
        }
        let mut parts: Vec<Part> = Vec::new();
        let given = ENCODED.iter().filter_map(|name| node.inputs.get(*name));
        for (index, value) in given.enumerate() {
            let text = self.text(value, depth + 1)?;
            let known = parts.iter().any(|part| part.text == text);
            if index == 0 || !(known || text.trim().is_empty()) {
                let join = parts.first().map(|_| "encoder");
                parts.push(Part { join, ..Part::new(text, id) });
            }
        }
        (!parts.is_empty()).then_some(parts)
    }
}

impl Part {
    fn new(text: String, node: &str) -> Self {
        Self { text, node: node.to_owned(), join: None, settings: Map::new() }
    }
}

fn is_condition(input: &str) -> bool {
    CARRIED.iter().any(|start| input.starts_with(start))
}

/// The inputs that one output of a node is made of, and their side.
fn carried<'a>(node: &Node<'a>, output: u64, side: Side, pipe: bool) -> (Vec<&'a str>, Side) {
    let of = |side: Side| -> Vec<&'a str> {
        let names = node.inputs.keys().map(String::as_str);
        names.filter(|name| name.starts_with(side.name())).collect()
    };
    let (positive, negative) = (of(Side::Positive), of(Side::Negative));
    if positive.is_empty() || negative.is_empty() {
        let linked = node.inputs.iter().filter(|(_, value)| link(value).is_some());
        let passes = |name: &str| is_condition(name) || PIPES.contains(&name);
        // A reroute has one input, of any name.
        let mut names: Vec<&'a str> = linked
            .map(|(name, _)| name.as_str())
            .filter(|name| passes(name) || node.inputs.len() == 1)
            .collect();
        // What is added follows what it is added to.
        names.sort_by_key(|name| name.ends_with("_from"));
        return (names, side);
    }
    // Both conditions pass through: the first output is the positive one.
    let linked = positive.iter().all(|name| !node.inputs[*name].is_string());
    match output {
        0 if linked && !pipe => (positive, Side::Positive),
        1 if linked && !pipe => (negative, Side::Negative),
        _ if side == Side::Positive => (positive, side),
        _ => (negative, side),
    }
}

/// How a node joins conditions.
fn join(node: &Node<'_>) -> &'static str {
    if node.is(&["concat"]) {
        "concat"
    } else if node.is(&["average", "blend"]) {
        "average"
    } else {
        "combine"
    }
}

/// Whether an input has any weight: an average may leave out one of its two.
fn weighs(node: &Node<'_>, input: &str) -> bool {
    let weight = node.inputs.get("conditioning_to_strength").and_then(Value::as_f64);
    match input {
        "conditioning_to" => weight != Some(0.0),
        "conditioning_from" => weight != Some(1.0),
        _ => true,
    }
}

fn settings<'a>(node: &Node<'a>) -> impl Iterator<Item = (&'static str, &'a Value)> {
    SETTINGS.iter().filter_map(|name| {
        let value = node.inputs.get(*name).filter(|value| !(value.is_array() || value.is_object()));
        Some((*name, value?))
    })
}
