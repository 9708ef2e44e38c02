//! The samplers that made a saved picture, one after the other, and what each was told.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use serde_json::{Map, Value, json};

use super::super::Record;
use super::conditions::{Part, Side};
use super::graph::{Graph, Node, link};
use super::pictures::Pictures;

/// Inputs of a sampler that hold what the picture shows.
const POSITIVE: [&str; 6] =
    ["positive", "conditioning", "cond1", "cond2", "sdxl_tuple", "text_embeds"];
/// Inputs of a sampler that hold what the picture does not show.
const NEGATIVE: [&str; 3] = ["negative", "sdxl_tuple", "text_embeds"];

/// One sampler's work.
#[derive(Debug)]
struct Pass {
    sampler: String,
    positive: Vec<Part>,
    negative: Vec<Part>,
    parameters: Map<String, Value>,
    /// The same number as of all passes with the same texts.
    words: usize,
}

/// All prompts of the graph in order: those of a sampler by line, those of several samplers by paragraph. The
/// settings are those of the first sampler; where there are several prompts or samplers, `prompts` and
/// `samplers` list each, and `pictures` counts saved pictures with different prompts, as the file does not say
/// which one it is. `None` if a text cannot be told.
pub fn read(graph: &Graph<'_>) -> Option<Record> {
    let Pictures { samplers, list } = Pictures::of(graph)?;
    let mut passes: HashMap<usize, Pass> = HashMap::new();
    let mut texts: HashMap<[String; 2], usize> = HashMap::new();
    for sampler in list.iter().flatten() {
        if !passes.contains_key(sampler) {
            let mut pass = pass(graph, samplers[*sampler])?;
            let next = texts.len();
            let said = [text(&pass.positive), text(&pass.negative)];
            pass.words = *texts.entry(said).or_insert(next);
            passes.insert(*sampler, pass);
        }
    }
    let mut known: HashSet<Vec<usize>> = HashSet::new();
    let words = |picture: &[usize]| unique(picture.iter().map(|sampler| passes[sampler].words));
    let different = list.iter().filter(|picture| known.insert(words(picture)));
    let pictures: Vec<&Vec<usize>> = different.collect();
    let order = unique(pictures.iter().copied().flatten());
    let passes: Vec<&Pass> = order.into_iter().map(|sampler| &passes[sampler]).collect();
    record(&passes, pictures.len())
}

/// What these passes over so many pictures tell.
fn record(passes: &[&Pass], pictures: usize) -> Option<Record> {
    let mut parameters = passes.first()?.parameters.clone();
    let mut known: HashSet<usize> = HashSet::new();
    let different: Vec<&Pass> =
        passes.iter().copied().filter(|pass| known.insert(pass.words)).collect();
    let prompts: Vec<Value> = different.iter().flat_map(|pass| listed(pass)).collect();
    let several =
        |side: Side| prompts.iter().filter(|entry| entry["side"] == side.name()).count() > 1;
    let all = |of: fn(&Pass) -> &Vec<Part>| {
        let texts = unique(different.iter().map(|pass| text(of(pass))));
        texts.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n\n")
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
    if pictures > 1 {
        parameters.insert("pictures".to_owned(), json!(pictures));
    }
    Some(Record { tool: "ComfyUI".to_owned(), prompt, negative_prompt: Some(negative), parameters })
}

/// The texts of a condition, line by line. A text for one encoder whose words all stand in that for another of the same
/// node adds none.
fn text(parts: &[Part]) -> String {
    let words = |part: &Part| -> HashSet<String> {
        part.text.split_whitespace().map(str::to_lowercase).collect()
    };
    let adds = |part: &&Part| {
        let shares = |other: &&Part| {
            other.node == part.node
                && (other.join == Some("encoder") || part.join == Some("encoder"))
        };
        let longer = |other: &&Part| other.text.len() > part.text.len();
        let mut others = parts.iter().filter(shares).filter(longer);
        !part.text.trim().is_empty() && !others.any(|other| words(part).is_subset(&words(other)))
    };
    unique(parts.iter().filter(adds).map(|part| part.text.as_str())).join("\n")
}

/// Each item once, where it comes first.
fn unique<T: Clone + Eq + Hash>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut known = HashSet::new();
    items.filter(|item| known.insert(item.clone())).collect()
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

fn pass(graph: &Graph<'_>, id: &str) -> Option<Pass> {
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
        words: 0,
    })
}

/// The settings of a sampler under ComfyUI's names, with the model and its LoRAs.
fn parameters<'a>(graph: &Graph<'a>, sampler: &Node<'a>, guider: &Node<'a>) -> Map<String, Value> {
    let of = |input: &str| graph.linked(sampler, input).unwrap_or(sampler);
    let (noise, sigmas, chosen) = (of("noise"), of("sigmas"), of("sampler"));
    let positive = POSITIVE.iter().find(|name| guider.inputs.contains_key(**name));
    let guidance = positive.and_then(|input| guidance(graph, guider, input)).unwrap_or(guider);
    let latent = graph.linked(sampler, "latent_image");
    let places: [(&str, Option<&Node<'a>>, &[&str]); 8] = [
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
    let mut add = |name: &str, node: Option<&Node<'a>>, keys: &[&str]| {
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
fn guidance<'g, 'a>(graph: &'g Graph<'a>, guider: &Node<'a>, input: &str) -> Option<&'g Node<'a>> {
    let mut node = graph.linked(guider, input)?;
    for depth in 0.. {
        graph.step(depth, 0)?;
        if node.inputs.contains_key("guidance") {
            return Some(node);
        }
        node = graph.linked(node, "conditioning")?;
    }
    None
}

/// The name of a model, and of the LoRAs on the way to it.
fn model(graph: &Graph<'_>, from: Option<&Node<'_>>) -> (Option<Value>, Vec<Value>) {
    let mut loras: Vec<Value> = Vec::new();
    let mut next = from;
    for depth in 0.. {
        let Some(node) = next.filter(|_| graph.step(depth, 0).is_some()) else { break };
        let lora = node.inputs.get("lora_name").filter(|name| name.is_string());
        loras.extend(lora.and_then(|name| graph.value(name, 0)));
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
