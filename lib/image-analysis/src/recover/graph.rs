//! Follows a graph of ComfyUI from the saved picture back to its prompt.

use std::cell::Cell;
use std::collections::{HashMap, HashSet, VecDeque};

use serde_json::{Map, Value};

use super::Record;

/// Most nodes of a graph.
const MOST_NODES: usize = 5_000;
/// Longest path through a graph.
const DEEPEST: usize = 100;
/// Most steps in all: paths that fork and meet again multiply.
const MOST_STEPS: usize = 20_000;

#[derive(Debug)]
struct Node {
    class: String,
    inputs: Map<String, Value>,
}

/// Nodes by identifier, with their inputs: a value, or a node and the number of its output.
#[derive(Debug)]
pub struct Graph {
    nodes: HashMap<String, Node>,
    steps: Cell<usize>,
}

/// One of the two conditions of a sampler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Positive,
    Negative,
}

/// The source of a link.
#[derive(Clone, Debug)]
struct Link {
    node: String,
    output: u64,
}

impl Graph {
    /// The graph in `{"<id>": {"class_type": …, "inputs": {…}}, …}`; `None` if it has no node.
    pub fn new(map: Map<String, Value>) -> Option<Self> {
        let nodes: HashMap<String, Node> = map
            .into_iter()
            .take(MOST_NODES)
            .filter_map(|(id, mut value)| {
                let class = value.get("class_type")?.as_str()?.to_owned();
                let Value::Object(inputs) = value.get_mut("inputs")?.take() else { return None };
                Some((id, Node { class, inputs }))
            })
            .collect();
        (!nodes.is_empty()).then_some(Self { nodes, steps: Cell::new(0) })
    }

    /// The prompt and settings of the sampler of the saved picture. `None` if several pictures with
    /// different prompts were saved, as the file does not say which one it is.
    pub fn read(&self) -> Option<Record> {
        let mut found: Vec<Record> = Vec::new();
        for sampler in self.samplers() {
            let record = self.record(sampler)?;
            let same = |other: &Record| {
                other.prompt == record.prompt && other.negative_prompt == record.negative_prompt
            };
            if !found.iter().any(same) {
                found.push(record);
            }
        }
        if found.len() == 1 { found.pop() } else { None }
    }

    /// The samplers nearest to the nodes that save pictures, or else to those that preview them.
    fn samplers(&self) -> Vec<&Node> {
        let ends = |word: &str| {
            let mut ids: Vec<&String> = self
                .nodes
                .iter()
                .filter(|(_, node)| {
                    let class = node.class.to_lowercase();
                    class.contains(word) && !class.contains("text") && !class.contains("latent")
                })
                .map(|(id, _)| id)
                .collect();
            ids.sort_by_key(|id| (id.len(), (*id).clone()));
            ids
        };
        for word in ["save", "preview", "videocombine", "output"] {
            let mut samplers: Vec<&Node> =
                ends(word).into_iter().filter_map(|id| self.nearest(id)).collect();
            samplers.dedup_by(|one, other| std::ptr::eq(*one, *other));
            if !samplers.is_empty() {
                return samplers;
            }
        }
        // Without such a node, the sampler if there is only one.
        let mut all = self.nodes.values().filter(|node| is_sampler(node));
        match (all.next(), all.next()) {
            (Some(only), None) => vec![only],
            _ => Vec::new(),
        }
    }

    /// The sampler with the fewest links to a node.
    fn nearest(&self, id: &str) -> Option<&Node> {
        let mut queue = VecDeque::from([id.to_owned()]);
        let mut seen: HashSet<String> = HashSet::from([id.to_owned()]);
        while let Some(id) = queue.pop_front() {
            let Some(node) = self.nodes.get(&id) else { continue };
            if is_sampler(node) {
                return Some(node);
            }
            for link in node.inputs.values().filter_map(link) {
                if seen.insert(link.node.clone()) {
                    queue.push_back(link.node);
                }
            }
        }
        None
    }

    fn record(&self, sampler: &Node) -> Option<Record> {
        let guider = self.linked(sampler, "guider").unwrap_or(sampler);
        let positive =
            ["positive", "conditioning"].iter().find(|key| guider.inputs.contains_key(**key))?;
        let prompt = self.condition(guider, positive, Side::Positive, 0)?;
        let negative_prompt = if guider.inputs.contains_key("negative") {
            self.condition(guider, "negative", Side::Negative, 0)
        } else {
            None
        };
        let mut parameters = Map::new();
        let sigmas = self.linked(sampler, "sigmas").unwrap_or(sampler);
        let noise = self.linked(sampler, "noise").unwrap_or(sampler);
        let chosen = self.linked(sampler, "sampler").unwrap_or(sampler);
        let places = [
            ("seed", noise, &["seed", "noise_seed"][..]),
            ("steps", sigmas, &["steps"]),
            ("cfg", guider, &["cfg"]),
            ("cfg", sampler, &["cfg"]),
            ("guidance", self.guidance(guider, positive).unwrap_or(guider), &["guidance"]),
            ("sampler_name", chosen, &["sampler_name"]),
            ("scheduler", sigmas, &["scheduler"]),
            ("denoise", sigmas, &["denoise"]),
        ];
        for (name, node, keys) in places {
            let value = keys.iter().find_map(|key| self.value(node.inputs.get(*key)?, 0));
            if let Some(value) = value {
                parameters.entry(name).or_insert(value);
            }
        }
        self.models(sampler, guider, &mut parameters);
        if let Some(latent) = self.linked(sampler, "latent_image") {
            for name in ["width", "height"] {
                if let Some(value) = latent.inputs.get(name).and_then(|value| self.value(value, 0))
                {
                    parameters.insert(name.to_owned(), value);
                }
            }
        }
        Some(Record { tool: "ComfyUI".to_owned(), prompt, negative_prompt, parameters })
    }

    /// The text behind an input of conditions.
    fn condition(&self, node: &Node, input: &str, side: Side, depth: usize) -> Option<String> {
        self.step(depth)?;
        let value = node.inputs.get(input)?;
        if let Some(text) = value.as_str() {
            return Some(text.to_owned());
        }
        let link = link(value)?;
        let node = self.nodes.get(&link.node)?;
        if node.class.contains("ZeroOut") {
            return None;
        }
        if let Some(text) = self.encoded(node, depth) {
            return Some(text);
        }
        // Both conditions pass through: the first output is the positive one.
        if node.inputs.contains_key("positive") && node.inputs.contains_key("negative") {
            let side = match (link.output, node.inputs["positive"].is_string()) {
                (0, false) => Side::Positive,
                (1, false) => Side::Negative,
                _ => side,
            };
            let input = if side == Side::Positive { "positive" } else { "negative" };
            return self.condition(node, input, side, depth + 1);
        }
        let mut parts: Vec<String> = Vec::new();
        for (name, value) in &node.inputs {
            let passes = ["conditioning", "cond", "positive", "negative"]
                .iter()
                .any(|start| name.starts_with(start));
            // A reroute has one input, of any name.
            if super::graph::link(value).is_some() && (passes || node.inputs.len() == 1) {
                let part = self.condition(node, name, side, depth + 1)?;
                if !parts.contains(&part) {
                    parts.push(part);
                }
            }
        }
        (!parts.is_empty()).then(|| parts.join("\n"))
    }

    /// The text of a node that encodes text. Models with several encoders have a text for each;
    /// different texts are joined as lines.
    fn encoded(&self, node: &Node, depth: usize) -> Option<String> {
        let names = [
            "text", "text_g", "text_l", "clip_l", "clip_g", "t5xxl", "bert", "mt5xl", "llama",
            "prompt",
        ];
        if !node.class.to_lowercase().contains("encode") || node.inputs.contains_key("conditioning")
        {
            return None;
        }
        let mut texts: Vec<String> = Vec::new();
        for name in names {
            if let Some(value) = node.inputs.get(name) {
                let text = self.text(value, depth + 1)?;
                if !text.trim().is_empty() && !texts.contains(&text) {
                    texts.push(text);
                }
            }
        }
        let any = names.iter().any(|name| node.inputs.contains_key(*name));
        any.then(|| texts.join("\n"))
    }

    /// A text: a literal, or linked to a node that holds or joins texts.
    fn text(&self, value: &Value, depth: usize) -> Option<String> {
        self.step(depth)?;
        if let Some(text) = value.as_str() {
            return Some(text.to_owned());
        }
        let node = self.nodes.get(&link(value)?.node)?;
        let pairs = [
            ("string_a", "string_b"),
            ("text_a", "text_b"),
            ("string1", "string2"),
            ("text1", "text2"),
        ];
        for (first, second) in pairs {
            if let (Some(first), Some(second)) = (node.inputs.get(first), node.inputs.get(second)) {
                let delimiter =
                    node.inputs.get("delimiter").and_then(Value::as_str).unwrap_or_default();
                let first = self.text(first, depth + 1)?;
                return Some(first + delimiter + &self.text(second, depth + 1)?);
            }
        }
        let names =
            ["populated_text", "text", "string", "value", "prompt", "Text", "String", "positive"];
        if let Some(value) = names.iter().find_map(|name| node.inputs.get(*name)) {
            return self.text(value, depth + 1);
        }
        let mut links = node.inputs.values().filter(|value| link(value).is_some());
        match (links.next(), links.next()) {
            (Some(only), None) if node.inputs.len() == 1 => self.text(only, depth + 1),
            _ => None,
        }
    }

    /// A number or a name: a literal, or linked to a node that holds it.
    fn value(&self, value: &Value, depth: usize) -> Option<Value> {
        self.step(depth)?;
        match value {
            Value::Number(_) | Value::String(_) => Some(value.clone()),
            _ => {
                let node = self.nodes.get(&link(value)?.node)?;
                let names =
                    ["value", "seed", "noise_seed", "int", "float", "Number", "steps", "cfg"];
                let held = names.iter().find_map(|name| node.inputs.get(*name))?;
                self.value(held, depth + 1)
            }
        }
    }

    /// The node that sets the guidance of distilled models, on the path to the text.
    fn guidance(&self, guider: &Node, input: &str) -> Option<&Node> {
        let mut node = self.linked(guider, input)?;
        for _ in 0..DEEPEST {
            if node.inputs.contains_key("guidance") {
                return Some(node);
            }
            node = self.linked(node, "conditioning")?;
        }
        None
    }

    /// Names of the model and of its LoRAs.
    fn models(&self, sampler: &Node, guider: &Node, parameters: &mut Map<String, Value>) {
        let mut loras: Vec<Value> = Vec::new();
        let mut next = self.linked(guider, "model").or_else(|| self.linked(sampler, "model"));
        for _ in 0..DEEPEST {
            let Some(node) = next else { break };
            if let Some(name) = node.inputs.get("lora_name").filter(|name| name.is_string()) {
                loras.push(name.clone());
            }
            let name = ["ckpt_name", "unet_name", "model_name"]
                .iter()
                .find_map(|key| node.inputs.get(*key))
                .and_then(|value| self.value(value, 0));
            if let Some(name) = name {
                parameters.insert("model".to_owned(), name);
                break;
            }
            next = self.linked(node, "model");
        }
        if !loras.is_empty() {
            parameters.insert("loras".to_owned(), Value::Array(loras));
        }
    }

    fn linked(&self, node: &Node, input: &str) -> Option<&Node> {
        self.nodes.get(&link(node.inputs.get(input)?)?.node)
    }

    /// Counts a step; `None` if the path is too long.
    fn step(&self, depth: usize) -> Option<()> {
        self.steps.set(self.steps.get() + 1);
        (depth < DEEPEST && self.steps.get() < MOST_STEPS).then_some(())
    }
}

fn is_sampler(node: &Node) -> bool {
    let conditioned = ["positive", "guider"].iter().any(|key| node.inputs.contains_key(*key));
    node.class.contains("Sampler") && conditioned
}

/// `["<id>", <output>]`
fn link(value: &Value) -> Option<Link> {
    match value.as_array()?.as_slice() {
        [node, output] => {
            let node = node
                .as_str()
                .map(str::to_owned)
                .or_else(|| node.as_u64().map(|id| id.to_string()))?;
            Some(Link { node, output: output.as_u64()? })
        }
        _ => None,
    }
}
