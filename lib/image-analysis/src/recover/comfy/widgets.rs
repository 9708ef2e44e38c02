//! Turns a graph as drawn in ComfyUI's editor into the graph that would run.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::graph::{MOST_LINKS, MOST_NODES, WORK, identifier};

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
struct Origin<'a> {
    node: Cow<'a, str>,
    output: u64,
    kind: &'a str,
}

/// A graph as it is drawn.
#[derive(Default)]
struct Drawn<'a> {
    links: HashMap<u64, Origin<'a>>,
    nodes: HashMap<Cow<'a, str>, &'a Value>,
    /// Links into bypassed nodes, by the node and the type.
    bypassed: HashMap<(Cow<'a, str>, &'a str), u64>,
    /// Links into nodes that set a value, by its name.
    set: HashMap<&'a str, u64>,
}

/// The graph that would run: nodes by identifier with their class and inputs. `None` if it is none, or larger than any
/// that people make.
pub fn ran(drawn: &Map<String, Value>) -> Option<Map<String, Value>> {
    let (links, nodes) = (drawn.get("links")?.as_array()?, drawn.get("nodes")?.as_array()?);
    if links.len() > MOST_LINKS || nodes.len() > MOST_NODES {
        return None;
    }
    let drawn = Drawn::new(links, nodes);
    let origins = drawn.origins();
    let runs = |node: &&Value| !matches!(mode(node), Some(MUTED | BYPASSED));
    Some(nodes.iter().filter(runs).filter_map(|node| in_run(node, &origins)).collect())
}

/// A node as it would run.
fn in_run(node: &Value, origins: &HashMap<u64, Option<&Origin<'_>>>) -> Option<(String, Value)> {
    let class = node.get("type")?.as_str()?;
    let mut inputs = widgets(class, node);
    // A link to an input overrides the value of its widget.
    for input in entries(node) {
        budget::spend(WORK);
        let origin = link_of(input).and_then(|link| *origins.get(&link)?);
        if let (Some(name), Some(origin)) = (input.get("name").and_then(Value::as_str), origin) {
            inputs.insert(name.to_owned(), json!([origin.node, origin.output]));
        }
    }
    let id = identifier(node.get("id")?)?.into_owned();
    Some((id, json!({"class_type": class, "inputs": inputs})))
}

impl<'a> Drawn<'a> {
    fn new(links: &'a [Value], nodes: &'a [Value]) -> Self {
        let mut drawn = Self::default();
        for link in links {
            budget::spend(WORK);
            drawn.link(link);
        }
        for node in nodes {
            budget::spend(WORK * (1 + entries(node).count()));
            drawn.node(node);
        }
        drawn
    }

    fn link(&mut self, link: &'a Value) -> Option<()> {
        let kind = link.get(5).and_then(Value::as_str).unwrap_or_default();
        let (node, output) = (identifier(link.get(1)?)?, link.get(2)?.as_u64()?);
        self.links.insert(link.get(0)?.as_u64()?, Origin { node, output, kind });
        Some(())
    }

    fn node(&mut self, node: &'a Value) -> Option<()> {
        let id = identifier(node.get("id")?)?;
        if mode(node) == Some(BYPASSED) {
            for (kind, link) in
                entries(node).filter_map(|input| Some((kind(input)?, link_of(input)?)))
            {
                self.bypassed.entry((id.clone(), kind)).or_insert(link);
            }
        } else if kind(node) == Some("SetNode")
            && let (Some(name), Some(link)) = (name(node), entries(node).find_map(link_of))
        {
            self.set.entry(name).or_insert(link);
        }
        self.nodes.insert(id, node);
        Some(())
    }

    /// Where each link begins, behind nodes that are bypassed and behind pairs that set and get a value; `None` for a
    /// circle or a gap.
    fn origins(&self) -> HashMap<u64, Option<&Origin<'a>>> {
        let mut found: HashMap<u64, Option<&Origin<'_>>> = HashMap::new();
        for link in self.links.keys() {
            let (mut path, mut link) = (Vec::new(), *link);
            let origin = loop {
                budget::spend(WORK);
                if let Some(known) = found.get(&link) {
                    break *known;
                }
                // So it is known to lead nowhere if it is met again on its own path.
                found.insert(link, None);
                path.push(link);
                match self.before(link) {
                    Ok(before) => link = before,
                    Err(origin) => break origin,
                }
            };
            found.extend(path.into_iter().map(|link| (link, origin)));
        }
        found
    }

    /// The link before this one; else the origin, if there is one.
    fn before(&self, link: u64) -> Result<u64, Option<&Origin<'a>>> {
        let origin = self.links.get(&link).ok_or(None)?;
        let node = self.nodes.get(&origin.node).ok_or(None)?;
        let before = match kind(node) {
            _ if mode(node) == Some(BYPASSED) => {
                self.bypassed.get(&(origin.node.clone(), origin.kind))
            }
            Some("GetNode") => name(node).and_then(|name| self.set.get(name)),
            _ => return Err(Some(origin)),
        };
        before.copied().ok_or(None)
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

fn kind(value: &Value) -> Option<&str> {
    value.get("type").and_then(Value::as_str)
}

/// The name of the value that a node sets or gets.
fn name(node: &Value) -> Option<&str> {
    node.get("widgets_values")?.get(0)?.as_str()
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
