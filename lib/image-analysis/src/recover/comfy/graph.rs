//! A graph of ComfyUI: nodes, their inputs, and the way back along a link.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashMap;

use serde_json::{Map, Value};

/// Most nodes of a graph. The largest that people share have about 2,000.
pub const MOST_NODES: usize = 10_000;
/// Most inputs of all its nodes together, and most links between drawn nodes. Nodes have about ten.
pub const MOST_LINKS: usize = 100_000;
/// Longest class, identifier and name of an input, in bytes: all are looked at many times. The longest have about 100.
const LONGEST_NAME: usize = 256;
/// Longest path through a graph.
const DEEPEST: usize = 100;
/// Most steps in all, one for each node that is passed and one for each of its inputs: paths that fork and meet again
/// multiply.
const MOST_STEPS: usize = 200_000;
/// Longest text of all paths together, in bytes: a text may be used and changed many times.
const MOST_TEXT: usize = 16 << 20;
/// What a step of a path costs of a budget: a few look-ups.
pub const WORK: usize = 16;

/// Inputs that tell a switch which of two inputs it lets through.
const FLAGS: [&str; 4] = ["switch", "boolean", "cond", "boolean_number"];
/// Ends of the names of two such inputs: for true, and for false.
const BRANCHES: [(&str, &str); 3] =
    [("on_true", "on_false"), ("tt_value", "ff_value"), ("_a", "_b")];
/// Inputs that tell a switch the number of the input that it lets through.
const NUMBERS: [&str; 4] = ["select", "index", "Input", "input"];

/// A node: its class, and its inputs in the file's order.
#[derive(Debug)]
pub struct Node<'a> {
    /// The class, such as `KSampler`.
    pub class: &'a str,
    lower_case: String,
    /// A value, or a link `["<id>", <output>]`.
    pub inputs: &'a Map<String, Value>,
}

/// The source of a link.
#[derive(Clone, Debug)]
pub struct Link<'a> {
    /// Identifier of the node.
    pub node: Cow<'a, str>,
    /// Number of its output.
    pub output: u64,
}

/// Nodes by identifier.
#[derive(Debug)]
pub struct Graph<'a> {
    nodes: HashMap<&'a str, Node<'a>>,
    steps: Cell<usize>,
    bytes: Cell<usize>,
}

impl<'a> Graph<'a> {
    /// The graph in `{"<id>": {"class_type": …, "inputs": {…}}, …}`; `None` if it has no node, or is larger than any
    /// that people make.
    pub fn new(map: &'a Map<String, Value>) -> Option<Self> {
        if map.len() > MOST_NODES {
            return None;
        }
        let nodes: HashMap<&str, Node<'_>> = map
            .iter()
            .filter_map(|(id, value)| {
                let class = value.get("class_type")?.as_str()?;
                let inputs = value.get("inputs")?.as_object()?;
                Some((id.as_str(), Node { class, lower_case: class.to_lowercase(), inputs }))
            })
            .collect();
        let links: usize = nodes.values().map(|node| node.inputs.len()).sum();
        budget::spend(WORK * (map.len() + links));
        let named = |name: &str| name.len() <= LONGEST_NAME;
        let sound = |(id, node): (&&str, &Node<'_>)| {
            named(id) && named(node.class) && node.inputs.keys().all(|name| named(name))
        };
        (!nodes.is_empty() && links <= MOST_LINKS && nodes.iter().all(sound)).then_some(Self {
            nodes,
            steps: Cell::new(0),
            bytes: Cell::new(0),
        })
    }

    /// The node with this identifier.
    pub fn node(&self, id: &str) -> Option<&Node<'a>> {
        self.nodes.get(id)
    }

    /// The node with this identifier, on a path; `None` if there is none, or if the path or all paths together are too
    /// long.
    pub fn pass(&self, id: &str, depth: usize) -> Option<&Node<'a>> {
        let node = self.node(id)?;
        self.step(depth, node.inputs.len())?;
        Some(node)
    }

    /// The identifier as it stands in the graph.
    pub fn known(&self, id: &str) -> Option<&'a str> {
        self.nodes.get_key_value(id).map(|(id, _)| *id)
    }

    /// Identifiers of the nodes that are wanted, in the order of their numbers.
    pub fn find(&self, wanted: impl Fn(&Node<'_>) -> bool) -> Vec<&'a str> {
        budget::spend(WORK * self.nodes.len());
        let found = self.nodes.iter().filter(|(_, node)| wanted(node));
        let mut ids: Vec<&str> = found.map(|(id, _)| *id).collect();
        ids.sort_by_key(|id| (id.len(), *id));
        ids
    }

    /// The node behind an input.
    pub fn linked(&self, node: &Node<'_>, input: &str) -> Option<&Node<'a>> {
        self.node(&link(node.inputs.get(input)?)?.node)
    }

    /// A number, a name or a flag: a literal, or linked to a node that holds it.
    pub fn value(&self, value: &Value, depth: usize) -> Option<Value> {
        self.step(depth, 0)?;
        match value {
            Value::Number(_) | Value::Bool(_) => Some(value.clone()),
            Value::String(text) => self.count(text.len()).map(|()| value.clone()),
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
    pub fn chosen(&self, node: &Node<'a>, depth: usize) -> Option<Option<&'a Value>> {
        if !node.is(&["switch", "branch", "ifelse"]) || node.is(&["random"]) {
            return None;
        }
        Some(self.branch(node, depth).or_else(|| self.numbered(node, depth)).or_else(|| {
            // Some switches let the first input through that is linked.
            let first = node.inputs.iter().find(|(name, _)| name.starts_with("any_"));
            first.map(|(_, value)| value)
        }))
    }

    /// One of two inputs, by a flag. A branch that is not linked gives way to the other.
    fn branch(&self, node: &Node<'a>, depth: usize) -> Option<&'a Value> {
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
    fn numbered(&self, node: &Node<'a>, depth: usize) -> Option<&'a Value> {
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

    /// Counts a step to a node with so many inputs; `None` if the path or all paths together are too long.
    pub fn step(&self, depth: usize, inputs: usize) -> Option<()> {
        budget::spend(WORK * (1 + inputs));
        self.steps.set(self.steps.get() + 1 + inputs);
        (depth < DEEPEST && self.steps.get() < MOST_STEPS).then_some(())
    }

    /// Counts a text of so many bytes; `None` if there is too much text.
    pub fn count(&self, bytes: usize) -> Option<()> {
        self.bytes.set(self.bytes.get().saturating_add(bytes));
        (self.bytes.get() <= MOST_TEXT).then(|| budget::spend(bytes))
    }
}

impl<'a> Node<'a> {
    /// The input of a node that has no other, such as a reroute, if it is a link.
    pub fn only_link(&self) -> Option<&'a Value> {
        let only = self.inputs.values().next().filter(|_| self.inputs.len() == 1);
        only.filter(|value| link(value).is_some())
    }

    /// The class in lower case.
    pub fn lower_case(&self) -> &str {
        &self.lower_case
    }

    /// Whether the class contains one of these words, in lower case.
    pub fn is(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.lower_case.contains(word))
    }
}

/// `["<id>", <output>]`
pub fn link(value: &Value) -> Option<Link<'_>> {
    match value.as_array()?.as_slice() {
        [node, output] => Some(Link { node: identifier(node)?, output: output.as_u64()? }),
        _ => None,
    }
}

/// An identifier that is written as text or as a number. One that is too long is no node's.
pub fn identifier(value: &Value) -> Option<Cow<'_, str>> {
    let text = value.as_str().filter(|id| id.len() <= LONGEST_NAME).map(Cow::Borrowed);
    text.or_else(|| value.as_u64().map(|id| Cow::Owned(id.to_string())))
}
