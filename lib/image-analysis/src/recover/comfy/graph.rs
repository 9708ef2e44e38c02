//! A graph of ComfyUI: nodes, their inputs, and the way back along a link.

use std::cell::Cell;
use std::collections::HashMap;

use serde_json::{Map, Value};

/// Most nodes of a graph.
const MOST_NODES: usize = 5_000;
/// Longest path through a graph.
const DEEPEST: usize = 100;
/// Most steps in all: paths that fork and meet again multiply.
const MOST_STEPS: usize = 20_000;
/// Longest text of all paths together, in bytes: a text may be used many times.
const MOST_TEXT: usize = 4 << 20;

/// Inputs that tell a switch which of two inputs it lets through.
const FLAGS: [&str; 4] = ["switch", "boolean", "cond", "boolean_number"];
/// Ends of the names of two such inputs: for true, and for false.
const BRANCHES: [(&str, &str); 3] =
    [("on_true", "on_false"), ("tt_value", "ff_value"), ("_a", "_b")];
/// Inputs that tell a switch the number of the input that it lets through.
const NUMBERS: [&str; 4] = ["select", "index", "Input", "input"];

/// A node: its class, and its inputs in the file's order.
#[derive(Debug)]
pub struct Node {
    /// The class, such as `KSampler`.
    pub class: String,
    /// A value, or a link `["<id>", <output>]`.
    pub inputs: Map<String, Value>,
}

/// The source of a link.
#[derive(Clone, Debug)]
pub struct Link {
    /// Identifier of the node.
    pub node: String,
    /// Number of its output.
    pub output: u64,
}

/// Nodes by identifier.
#[derive(Debug)]
pub struct Graph {
    nodes: HashMap<String, Node>,
    steps: Cell<usize>,
    bytes: Cell<usize>,
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
        (!nodes.is_empty()).then_some(Self { nodes, steps: Cell::new(0), bytes: Cell::new(0) })
    }

    /// The node with this identifier.
    pub fn node(&self, id: &str) -> Option<&Node> {
        self.nodes.get(id)
    }

    /// Identifiers of the nodes that are wanted, in the order of their numbers.
    pub fn find(&self, wanted: impl Fn(&Node) -> bool) -> Vec<&str> {
        let found = self.nodes.iter().filter(|(_, node)| wanted(node));
        let mut ids: Vec<&str> = found.map(|(id, _)| id.as_str()).collect();
        ids.sort_by_key(|id| (id.len(), *id));
        ids
    }

    /// The node behind an input.
    pub fn linked(&self, node: &Node, input: &str) -> Option<&Node> {
        self.node(&link(node.inputs.get(input)?)?.node)
    }

    /// A number, a name or a flag: a literal, or linked to a node that holds it.
    pub fn value(&self, value: &Value, depth: usize) -> Option<Value> {
        self.step(depth)?;
        match value {
            Value::Number(_) | Value::String(_) | Value::Bool(_) => Some(value.clone()),
            _ => {
                let node = self.node(&link(value)?.node)?;
                let names = [
                    "value",
                    "seed",
                    "noise_seed",
                    "int",
                    "float",
                    "Number",
                    "steps",
                    "cfg",
                    "boolean",
                ];
                let held = names.iter().find_map(|name| node.inputs.get(*name));
                self.value(held.or_else(|| node.only_link())?, depth + 1)
            }
        }
    }

    /// The input that a switch lets through: `None` if the node is no switch, `Some(None)` if it does not say
    /// which.
    pub fn chosen<'a>(&self, node: &'a Node, depth: usize) -> Option<Option<&'a Value>> {
        let class = node.class.to_lowercase();
        if !["switch", "branch", "ifelse"].iter().any(|word| class.contains(word)) {
            return None;
        }
        Some(self.branch(node, depth).or_else(|| self.numbered(node, depth)).or_else(|| {
            // Some switches let the first input through that is linked.
            let first = node.inputs.iter().find(|(name, _)| name.starts_with("any_"));
            first.map(|(_, value)| value)
        }))
    }

    /// One of two inputs, by a flag. A branch that is not linked gives way to the other.
    fn branch<'a>(&self, node: &'a Node, depth: usize) -> Option<&'a Value> {
        let flag = FLAGS.iter().find_map(|name| node.inputs.get(*name))?;
        let flag = match self.value(flag, depth + 1)? {
            Value::Bool(flag) => flag,
            Value::Number(number) => number.as_f64() != Some(0.0),
            _ => return None,
        };
        let ending = |end: &str| {
            node.inputs.iter().find(|(name, _)| name.ends_with(end)).map(|(_, value)| value)
        };
        BRANCHES.iter().find_map(|(yes, no)| {
            let (first, second) = if flag { (yes, no) } else { (no, yes) };
            ending(first).or_else(|| ending(second))
        })
    }

    /// The input whose name ends with the chosen number.
    fn numbered<'a>(&self, node: &'a Node, depth: usize) -> Option<&'a Value> {
        let (choice, number) =
            NUMBERS.iter().find_map(|name| Some((*name, node.inputs.get(*name)?)))?;
        let number = match self.value(number, depth + 1)? {
            Value::Number(number) => number.to_string(),
            Value::String(number) => number,
            _ => return None,
        };
        let mut inputs = node.inputs.iter().filter(|(name, _)| *name != choice);
        let numbered = |name: &str| {
            let end = name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
            name[end..] == number
        };
        inputs.find(|(name, _)| numbered(name)).map(|(_, value)| value)
    }

    /// Counts a step; `None` if the path or all paths together are too long.
    pub fn step(&self, depth: usize) -> Option<()> {
        self.steps.set(self.steps.get() + 1);
        (depth < DEEPEST && self.steps.get() < MOST_STEPS).then_some(())
    }

    /// Counts a text of so many bytes; `None` if there is too much text.
    pub fn count(&self, bytes: usize) -> Option<()> {
        self.bytes.set(self.bytes.get().saturating_add(bytes));
        (self.bytes.get() <= MOST_TEXT).then_some(())
    }
}

impl Node {
    /// The input of a node that has no other, such as a reroute, if it is a link.
    pub fn only_link(&self) -> Option<&Value> {
        let only = self.inputs.values().next().filter(|_| self.inputs.len() == 1);
        only.filter(|value| link(value).is_some())
    }

    /// Whether the class contains one of these words, in lower case.
    pub fn is(&self, words: &[&str]) -> bool {
        let class = self.class.to_lowercase();
        words.iter().any(|word| class.contains(word))
    }
}

/// `["<id>", <output>]`
pub fn link(value: &Value) -> Option<Link> {
    match value.as_array()?.as_slice() {
        [node, output] => Some(Link { node: identifier(node)?, output: output.as_u64()? }),
        _ => None,
    }
}

/// An identifier that is written as text or as a number.
pub fn identifier(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned).or_else(|| value.as_u64().map(|id| id.to_string()))
}
