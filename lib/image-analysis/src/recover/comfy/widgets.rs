//! Turns a graph as drawn in ComfyUI's editor into the graph that would run.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::graph::identifier;

/// Most nodes and links that are read.
const MOST: usize = 10_000;
/// Longest chain of nodes that do not run.
const LONGEST_CHAIN: usize = 100;
/// Mode of a node that does not run.
const MUTED: u64 = 2;
/// Mode of a node that passes its inputs on.
const BYPASSED: u64 = 4;
/// What follows a seed: the way in which it changes. It is not an input.
const AFTER_SEED: [&str; 4] = ["fixed", "increment", "decrement", "randomize"];

/// Names of the values of a node's widgets, in their order; empty for a value that is not an input.
fn names(class: &str) -> &'static [&'static str] {
    match class {
        "CLIPTextEncode" => &["text"],
        "CLIPTextEncodeSDXL" => &[
            "width",
            "height",
            "crop_w",
            "crop_h",
            "target_width",
            "target_height",
            "text_g",
            "text_l",
        ],
        "CLIPTextEncodeSDXLRefiner" => &["ascore", "width", "height", "text"],
        "CLIPTextEncodeFlux" => &["clip_l", "t5xxl", "guidance"],
        "CLIPTextEncodeSD3" => &["clip_l", "clip_g", "t5xxl", "empty_padding"],
        "ConditioningAverage" => &["conditioning_to_strength"],
        "ConditioningSetArea" | "ConditioningSetAreaPercentage" => {
            &["width", "height", "x", "y", "strength"]
        }
        "ConditioningSetMask" => &["strength", "set_cond_area"],
        "ConditioningSetTimestepRange" => &["start", "end"],
        "KSampler" => &["seed", "", "steps", "cfg", "sampler_name", "scheduler", "denoise"],
        "KSamplerAdvanced" => {
            &["add_noise", "noise_seed", "", "steps", "cfg", "sampler_name", "scheduler"]
        }
        "SamplerCustom" => &["add_noise", "noise_seed", "", "cfg"],
        "RandomNoise" => &["noise_seed", ""],
        "KSamplerSelect" => &["sampler_name"],
        "BasicScheduler" => &["scheduler", "steps", "denoise"],
        "CFGGuider" => &["cfg"],
        "FluxGuidance" => &["guidance"],
        "CheckpointLoaderSimple" => &["ckpt_name"],
        "UNETLoader" | "UnetLoaderGGUF" => &["unet_name"],
        "LoraLoader" | "LoraLoaderModelOnly" => &["lora_name"],
        "EmptyLatentImage" | "EmptySD3LatentImage" => &["width", "height", "batch_size"],
        "StringConcatenate" => &["string_a", "string_b", "delimiter"],
        "StringReplace" => &["string", "find", "replace"],
        "Text Concatenate" => &["delimiter", "clean_whitespace"],
        "JoinStrings" => &["string1", "string2", "delimiter"],
        "CR Text Concatenate" => &["text1", "text2", "separator"],
        "ImpactSwitch" => &["select", "sel_mode"],
        "ComfySwitchNode" => &["switch"],
        "ImpactWildcardEncode" | "ImpactWildcardProcessor" => &["", "populated_text"],
        "PrimitiveNode" | "PrimitiveInt" | "PrimitiveFloat" | "PrimitiveBoolean" => &["value"],
        _ => &[],
    }
}

/// Where a link begins, and the type of what it carries.
struct Origin {
    node: String,
    output: u64,
    kind: String,
}

struct Drawn<'a> {
    nodes: HashMap<String, &'a Value>,
    links: HashMap<u64, Origin>,
}

/// The graph that would run: nodes by identifier with their class and inputs.
pub fn ran(drawn: &Map<String, Value>) -> Option<Map<String, Value>> {
    let links = drawn.get("links")?.as_array()?.iter().take(MOST).filter_map(|link| {
        let kind = link.get(5).and_then(Value::as_str).unwrap_or_default().to_owned();
        let (node, output) = (identifier(link.get(1)?)?, link.get(2)?.as_u64()?);
        Some((link.get(0)?.as_u64()?, Origin { node, output, kind }))
    });
    let nodes: Vec<&Value> = drawn.get("nodes")?.as_array()?.iter().take(MOST).collect();
    let drawn = Drawn {
        links: links.collect(),
        nodes: nodes
            .iter()
            .filter_map(|node| Some((identifier(node.get("id")?)?, *node)))
            .collect(),
    };
    let runs = |node: &&&Value| !matches!(mode(node), Some(MUTED | BYPASSED));
    Some(nodes.iter().filter(runs).filter_map(|node| drawn.node(node)).collect())
}

impl Drawn<'_> {
    fn node(&self, node: &Value) -> Option<(String, Value)> {
        let class = node.get("type")?.as_str()?;
        let mut inputs = widgets(class, node);
        // A link to an input overrides the value of its widget.
        for input in entries(node) {
            let origin = link_of(input).and_then(|link| self.origin(link));
            if let (Some(name), Some(origin)) = (input.get("name").and_then(Value::as_str), origin)
            {
                inputs.insert(name.to_owned(), json!([origin.node, origin.output]));
            }
        }
        Some((identifier(node.get("id")?)?, json!({"class_type": class, "inputs": inputs})))
    }

    /// Where a link begins, behind nodes that are bypassed and behind pairs that set and get a value.
    fn origin(&self, link: u64) -> Option<&Origin> {
        let mut link = link;
        for _ in 0..LONGEST_CHAIN {
            let origin = self.links.get(&link)?;
            let node = self.nodes.get(&origin.node)?;
            let before = match node.get("type").and_then(Value::as_str) {
                _ if mode(node) == Some(BYPASSED) => entries(node)
                    .filter(|input| input.get("type").and_then(Value::as_str) == Some(&origin.kind))
                    .find_map(link_of),
                Some("GetNode") => {
                    let set = |other: &&&Value| {
                        other.get("type").and_then(Value::as_str) == Some("SetNode")
                            && first_value(other) == first_value(node)
                    };
                    self.nodes.values().find(set).and_then(|set| entries(set).find_map(link_of))
                }
                _ => return Some(origin),
            };
            link = before?;
        }
        None
    }
}

fn mode(node: &Value) -> Option<u64> {
    node.get("mode").and_then(Value::as_u64)
}

fn entries(node: &Value) -> impl Iterator<Item = &Value> {
    node.get("inputs").and_then(Value::as_array).into_iter().flatten()
}

fn link_of(input: &Value) -> Option<u64> {
    input.get("link").and_then(Value::as_u64)
}

fn first_value(node: &Value) -> Option<&Value> {
    node.get("widgets_values")?.get(0)
}

/// The values of a node's widgets by name: as the class is known to have them, as the node's inputs list them,
/// or a single text.
fn widgets(class: &str, node: &Value) -> Map<String, Value> {
    let values = match node.get("widgets_values") {
        Some(Value::Object(values)) => return values.clone(),
        Some(Value::Array(values)) => values,
        _ => return Map::new(),
    };
    let mut named: Vec<&str> = names(class).to_vec();
    if named.is_empty() {
        let listed = entries(node).filter(|input| input.get("widget").is_some());
        for name in listed.filter_map(|input| input.get("name")?.as_str()) {
            named.push(name);
            let next = values.get(named.len()).and_then(Value::as_str);
            if name.ends_with("seed") && next.is_some_and(|next| AFTER_SEED.contains(&next)) {
                named.push("");
            }
        }
        if named.len() != values.len() {
            named =
                if values.len() == 1 && values[0].is_string() { vec!["text"] } else { Vec::new() };
        }
    }
    let pairs = named.into_iter().zip(values).filter(|(name, _)| !name.is_empty());
    pairs.map(|(name, value)| (name.to_owned(), value.clone())).collect()
}
