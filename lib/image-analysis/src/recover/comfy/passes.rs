//! The samplers that made a saved picture, one after the other, and what each was told.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::super::Record;
use super::conditions::{Part, Side};
use super::graph::{Graph, Node, link};

/// Classes of the nodes at which a graph ends, the most telling first.
const ENDS: [&str; 4] = ["save", "preview", "videocombine", "output"];
/// Inputs of a sampler that hold what the picture shows.
const POSITIVE: [&str; 6] =
    ["positive", "conditioning", "cond1", "cond2", "sdxl_tuple", "text_embeds"];
/// Inputs of a sampler that hold what the picture does not show.
const NEGATIVE: [&str; 3] = ["negative", "sdxl_tuple", "text_embeds"];
/// Inputs that lead away from the pixels.
const ASIDE: [&str; 8] =
    ["positive", "negative", "conditioning", "model", "clip", "vae", "control_net", "guider"];

/// One sampler's work.
#[derive(Debug)]
struct Pass {
    sampler: String,
    positive: Vec<Part>,
    negative: Vec<Part>,
    parameters: Map<String, Value>,
}

impl Pass {
    fn says_the_same(&self, other: &Self) -> bool {
        text(&self.positive) == text(&other.positive)
            && text(&self.negative) == text(&other.negative)
    }
}

/// All prompts of the graph in order: those of a sampler by line, those of several samplers by paragraph. The
/// settings are those of the first sampler; where there are several prompts or samplers, `prompts` and
/// `samplers` list each, and `pictures` counts saved pictures with different prompts, as the file does not say
/// which one it is. `None` if a text cannot be told.
pub fn read(graph: &Graph) -> Option<Record> {
    let mut pictures: Vec<Vec<Pass>> = Vec::new();
    for samplers in pictured(graph) {
        let picture: Vec<Pass> =
            samplers.iter().map(|id| pass(graph, id)).collect::<Option<_>>()?;
        let same = |other: &Vec<Pass>| {
            let (told, known) = (told(&picture), told(other));
            told.len() == known.len()
                && told.iter().zip(known).all(|(one, two)| one.says_the_same(two))
        };
        if !picture.is_empty() && !pictures.iter().any(same) {
            pictures.push(picture);
        }
    }
    let count = pictures.len();
    let mut passes: Vec<Pass> = pictures.into_iter().flatten().collect();
    let mut known: HashSet<String> = HashSet::new();
    passes.retain(|pass| known.insert(pass.sampler.clone()));
    let mut parameters = passes.first()?.parameters.clone();
    let different = told(&passes);
    let prompts: Vec<Value> = different.iter().flat_map(|pass| listed(pass)).collect();
    let several =
        |side: Side| prompts.iter().filter(|entry| entry["side"] == side.name()).count() > 1;
    let all = |of: fn(&Pass) -> &Vec<Part>| {
        unique(different.iter().map(|pass| text(of(pass)))).join("\n\n")
    };
    let (prompt, negative) = (all(|pass| &pass.positive), all(|pass| &pass.negative));
    if several(Side::Positive) || several(Side::Negative) {
        parameters.insert("prompts".to_owned(), Value::Array(prompts));
    }
    if passes.len() > 1 {
        let samplers = passes.iter().map(|pass| {
            let mut settings = Map::from_iter([("node".to_owned(), json!(pass.sampler))]);
            settings.extend(pass.parameters.clone());
            Value::Object(settings)
        });
        parameters.insert("samplers".to_owned(), samplers.collect());
    }
    if count > 1 {
        parameters.insert("pictures".to_owned(), json!(count));
    }
    Some(Record { tool: "ComfyUI".to_owned(), prompt, negative_prompt: Some(negative), parameters })
}

/// The passes without those that say what one before them said.
fn told(passes: &[Pass]) -> Vec<&Pass> {
    let mut list: Vec<&Pass> = Vec::new();
    for pass in passes {
        if !list.iter().any(|other| other.says_the_same(pass)) {
            list.push(pass);
        }
    }
    list
}

/// The texts of a condition, line by line.
fn text(parts: &[Part]) -> String {
    unique(parts.iter().map(|part| part.text.clone())).join("\n")
}

fn unique(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut list: Vec<String> = Vec::new();
    for text in texts.filter(|text| !text.trim().is_empty()) {
        if !list.contains(&text) {
            list.push(text);
        }
    }
    list
}

/// The prompts of a pass as they are listed in the settings.
fn listed(pass: &Pass) -> impl Iterator<Item = Value> {
    let sides = [(Side::Positive, &pass.positive), (Side::Negative, &pass.negative)];
    sides.into_iter().flat_map(move |(side, parts)| {
        let said = parts.iter().filter(|part| !part.text.trim().is_empty());
        said.map(move |part| {
            let mut entry = json!({"text": part.text, "side": side.name(), "node": part.node, "sampler": pass.sampler});
            if let Some(join) = part.join {
                entry["join"] = json!(join);
            }
            if !part.settings.is_empty() {
                entry["settings"] = Value::Object(part.settings.clone());
            }
            entry
        })
    })
}

/// The samplers of each saved picture, in the order in which they worked on it. Without a saved picture, those
/// of previewed ones; without these, those of every sampler that no other one follows.
fn pictured(graph: &Graph) -> Vec<Vec<String>> {
    for word in ENDS {
        let ends = graph.find(|node| node.is(&[word]) && !node.is(&["text", "latent"]));
        let pictures: Vec<Vec<String>> = ends.into_iter().map(|id| samplers(graph, id)).collect();
        if pictures.iter().any(|list| !list.is_empty()) {
            return pictures;
        }
    }
    let all = graph.find(is_sampler).into_iter().map(|id| samplers(graph, id));
    let all: Vec<Vec<String>> = all.collect();
    let followed = |list: &Vec<String>| {
        let last = list.last();
        all.iter()
            .any(|other| other.last() != last && last.is_some_and(|last| other.contains(last)))
    };
    all.iter().filter(|list| !followed(list)).cloned().collect()
}

/// The samplers on the way of the pixels to a node, the first one first, itself included.
fn samplers(graph: &Graph, id: &str) -> Vec<String> {
    enum Step {
        Enter(String),
        Leave(String),
    }
    let mut list: Vec<String> = Vec::new();
    let mut seen: HashSet<String> = HashSet::new();
    let mut stack = vec![Step::Enter(id.to_owned())];
    while let Some(step) = stack.pop() {
        let id = match step {
            Step::Leave(id) => {
                list.push(id);
                continue;
            }
            Step::Enter(id) => id,
        };
        let Some(node) = graph.node(&id).filter(|_| seen.insert(id.clone())) else { continue };
        if is_sampler(node) {
            stack.push(Step::Leave(id));
        }
        let chosen = graph.chosen(node, 0).flatten().and_then(link);
        let aside = |name: &str| ASIDE.iter().any(|start| name.starts_with(start));
        let links = node.inputs.iter().filter(|(name, _)| !aside(name));
        let links: Vec<String> = match chosen {
            Some(link) => vec![link.node],
            None => links.filter_map(|(_, value)| Some(link(value)?.node)).collect(),
        };
        stack.extend(links.into_iter().rev().map(Step::Enter));
    }
    list
}

/// Whether a node samples: it has conditions, or a guider that has them, and a step count or a class that says
/// so.
fn is_sampler(node: &Node) -> bool {
    let has = |names: &[&str]| names.iter().any(|name| node.inputs.contains_key(*name));
    let conditioned = has(&["positive", "guider", "sdxl_tuple", "text_embeds"]);
    conditioned && (node.is(&["sampler"]) || has(&["sampler_name"]) && has(&["steps"]))
}

fn pass(graph: &Graph, id: &str) -> Option<Pass> {
    let sampler = graph.node(id)?;
    let guided = sampler.inputs.get("guider").and_then(link).map(|link| link.node);
    let guider_id = guided.as_deref().unwrap_or(id);
    let guider = graph.node(guider_id)?;
    let has = |name: &&&str| guider.inputs.contains_key(**name);
    let mut positive: Vec<Part> = Vec::new();
    for name in POSITIVE.iter().filter(has) {
        positive.extend(graph.condition(guider_id, name, Side::Positive, 0)?);
    }
    let negative = NEGATIVE.iter().find(has);
    let negative = negative.and_then(|name| graph.condition(guider_id, name, Side::Negative, 0));
    Some(Pass {
        sampler: id.to_owned(),
        positive,
        negative: negative.unwrap_or_default(),
        parameters: parameters(graph, sampler, guider),
    })
}

/// The settings of a sampler under ComfyUI's names, with the model and its LoRAs.
fn parameters(graph: &Graph, sampler: &Node, guider: &Node) -> Map<String, Value> {
    let of = |input: &str| graph.linked(sampler, input).unwrap_or(sampler);
    let (noise, sigmas, chosen) = (of("noise"), of("sigmas"), of("sampler"));
    let positive = POSITIVE.iter().find(|name| guider.inputs.contains_key(**name));
    let guidance = positive.and_then(|input| guidance(graph, guider, input)).unwrap_or(guider);
    let latent = graph.linked(sampler, "latent_image");
    let places: [(&str, Option<&Node>, &[&str]); 8] = [
        ("seed", Some(noise), &["seed", "noise_seed"]),
        ("steps", Some(sigmas), &["steps"]),
        ("cfg", Some(guider), &["cfg"]),
        ("cfg", Some(sampler), &["cfg"]),
        ("guidance", Some(guidance), &["guidance"]),
        ("sampler_name", Some(chosen), &["sampler_name"]),
        ("scheduler", Some(sigmas), &["scheduler"]),
        ("denoise", Some(sigmas), &["denoise"]),
    ];
    let mut parameters = Map::new();
    let mut add = |name: &str, node: Option<&Node>, keys: &[&str]| {
        let value = keys.iter().find_map(|key| graph.value(node?.inputs.get(*key)?, 0));
        if let Some(value) = value {
            parameters.entry(name).or_insert(value);
        }
    };
    for (name, node, keys) in places {
        add(name, node, keys);
    }
    add("width", latent, &["width"]);
    add("height", latent, &["height"]);
    let models = graph.linked(guider, "model").or_else(|| graph.linked(sampler, "model"));
    let (model, loras) = model(graph, models);
    parameters.extend(model.map(|name| ("model".to_owned(), name)));
    if !loras.is_empty() {
        parameters.insert("loras".to_owned(), Value::Array(loras));
    }
    parameters
}

/// The node that sets the guidance of distilled models, on the path to the text.
fn guidance<'a>(graph: &'a Graph, guider: &Node, input: &str) -> Option<&'a Node> {
    let mut node = graph.linked(guider, input)?;
    for depth in 0.. {
        graph.step(depth)?;
        if node.inputs.contains_key("guidance") {
            return Some(node);
        }
        node = graph.linked(node, "conditioning")?;
    }
    None
}

/// The name of a model, and of the LoRAs on the way to it.
fn model(graph: &Graph, from: Option<&Node>) -> (Option<Value>, Vec<Value>) {
    let mut loras: Vec<Value> = Vec::new();
    let mut next = from;
    for depth in 0.. {
        let Some(node) = next.filter(|_| graph.step(depth).is_some()) else { break };
        loras.extend(node.inputs.get("lora_name").filter(|name| name.is_string()).cloned());
        let name = ["ckpt_name", "unet_name", "model_name"]
            .iter()
            .find_map(|key| graph.value(node.inputs.get(*key)?, 0));
        if name.is_some() {
            return (name, loras);
        }
        next = graph.linked(node, "model");
    }
    (None, loras)
}
