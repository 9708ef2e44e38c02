//! The samplers that worked on each picture of a graph.

use std::collections::{HashMap, HashSet};

use super::graph::{Graph, Link, Node, WORK, link};

/// Classes of the nodes at which a graph ends, the most telling first.
const ENDS: [&str; 4] = ["save", "preview", "videocombine", "output"];
/// Inputs that lead away from the pixels.
const ASIDE: [&str; 8] =
    ["positive", "negative", "conditioning", "model", "clip", "vae", "control_net", "guider"];
/// Most samplers of a graph: each is a bit of [`Way`]. Graphs of people have up to 20.
const MOST_SAMPLERS: usize = 128;

/// Identifiers of a graph's samplers, and the pictures that they make.
#[derive(Debug)]
pub struct Pictures<'a> {
    /// The samplers.
    pub samplers: Vec<&'a str>,
    /// For each picture, the places of its samplers in that list, in the order in which they worked on it. Pictures of
    /// the same samplers count once.
    pub list: Vec<Vec<usize>>,
}

impl<'a> Pictures<'a> {
    /// The saved pictures. Without them, the previewed ones; without these, those of every sampler that no other one
    /// follows. `None` if the graph has too many samplers.
    pub fn of(graph: &Graph<'a>) -> Option<Self> {
        let samplers = graph.find(is_sampler);
        if samplers.len() > MOST_SAMPLERS {
            return None;
        }
        let mut ways = Ways::new(graph, &samplers);
        for word in ENDS {
            let ends = graph.find(|node| node.is(&[word]) && !node.is(&["text", "latent"]));
            let list = ways.different(&ends);
            if !list.is_empty() {
                return Some(Self { samplers, list });
            }
        }
        let mut list = ways.different(&samplers);
        let all = list.clone();
        let followed = |list: &Vec<usize>| {
            let last = list.last();
            all.iter()
                .any(|other| other.last() != last && last.is_some_and(|last| other.contains(last)))
        };
        list.retain(|list| !followed(list));
        Some(Self { samplers, list })
    }
}

/// Whether a node samples: it has conditions, or a guider that has them, and a step count or a class that says
/// so.
fn is_sampler(node: &Node<'_>) -> bool {
    let has = |names: &[&str]| names.iter().any(|name| node.inputs.contains_key(*name));
    let conditioned = has(&["positive", "guider", "sdxl_tuple", "text_embeds"]);
    conditioned && (node.is(&["sampler"]) || has(&["sampler_name"]) && has(&["steps"]))
}

/// The samplers on the way of the pixels to a node, the first one first, itself included.
#[derive(Clone, Debug, Default)]
struct Way {
    order: Vec<u8>,
    /// The same as a set.
    bits: u128,
}

impl Way {
    fn add(&mut self, sampler: u8) {
        let bit = 1 << sampler;
        if self.bits & bit == 0 {
            self.bits |= bit;
            self.order.push(sampler);
        }
    }
}

/// The ways to nodes, each found once.
struct Ways<'a, 'g> {
    graph: &'g Graph<'a>,
    samplers: HashMap<&'a str, u8>,
    found: HashMap<&'a str, Way>,
}

enum Step<'a> {
    Enter(&'a str),
    /// All nodes before it are found.
    Leave(&'a str, Vec<&'a str>),
}

impl<'a, 'g> Ways<'a, 'g> {
    fn new(graph: &'g Graph<'a>, samplers: &[&'a str]) -> Self {
        let samplers = samplers.iter().copied().zip(0..).collect();
        Self { graph, samplers, found: HashMap::new() }
    }

    /// The different ways to nodes on which there are samplers.
    fn different(&mut self, nodes: &[&'a str]) -> Vec<Vec<usize>> {
        nodes.iter().for_each(|id| self.find(id));
        let ways = nodes.iter().filter_map(|id| self.found.get(id));
        let mut known: HashSet<&[u8]> = HashSet::from([[].as_slice()]);
        let different = ways.filter(|way| known.insert(&way.order));
        different.map(|way| way.order.iter().copied().map(usize::from).collect()).collect()
    }

    fn find(&mut self, id: &'a str) {
        let mut stack = vec![Step::Enter(id)];
        while let Some(step) = stack.pop() {
            match step {
                Step::Enter(id) if !self.found.contains_key(id) => {
                    // What a circle leads back to adds nothing.
                    self.found.insert(id, Way::default());
                    let before = self.before(id);
                    stack.push(Step::Leave(id, before.clone()));
                    stack.extend(before.into_iter().rev().map(Step::Enter));
                }
                Step::Enter(_) => {}
                Step::Leave(id, before) => {
                    let mut way = Way::default();
                    for other in before.iter().filter_map(|id| self.found.get(id)) {
                        budget::spend(1 + other.order.len());
                        other.order.iter().for_each(|sampler| way.add(*sampler));
                    }
                    if let Some(sampler) = self.samplers.get(id) {
                        way.add(*sampler);
                    }
                    self.found.insert(id, way);
                }
            }
        }
    }

    /// The nodes from which a node has its pixels.
    fn before(&self, id: &str) -> Vec<&'a str> {
        let Some(node) = self.graph.node(id) else { return Vec::new() };
        budget::spend(WORK * (1 + node.inputs.len()));
        let chosen = self.graph.chosen(node, 0).flatten().and_then(link);
        let aside = |name: &str| ASIDE.iter().any(|start| name.starts_with(start));
        let known = |link: Link<'_>| self.graph.known(&link.node);
        match chosen {
            Some(link) => known(link).into_iter().collect(),
            None => {
                let inputs = node.inputs.iter().filter(|(name, _)| !aside(name));
                inputs.filter_map(|(_, value)| known(link(value)?)).collect()
            }
        }
    }
}
