//! Turns a graph as drawn in ComfyUI's editor into the graph that would run.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

/// Most nodes and links that are read.
const MOST: usize = 10_000;
/// Mode of a node that does not run.
const MUTED: u64 = 2;

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
        "PrimitiveNode"
        | "PrimitiveString"
        | "PrimitiveStringMultiline"
        | "PrimitiveInt"
        | "PrimitiveFloat" => &["value"],
        _ => &[],
    }
}

/// The graph that would run: nodes by identifier with their class and inputs.
pub fn ran(drawn: &Map<String, Value>) -> Option<Map<String, Value>> {
    let links: HashMap<u64, Value> = drawn
        .get("links")?
        .as_array()?
        .iter()
        .take(MOST)
        .filter_map(|link| {
            let node = link.get(1)?;
            let node = node
                .as_u64()
                .map(|id| id.to_string())
                .or_else(|| node.as_str().map(str::to_owned))?;
            Some((link.get(0)?.as_u64()?, json!([node, link.get(2)?.as_u64()?])))
        })
        .collect();
    let nodes = drawn.get("nodes")?.as_array()?.iter().take(MOST);
    Some(nodes.filter_map(|drawn| node(drawn, &links)).collect())
}

fn node(drawn: &Value, links: &HashMap<u64, Value>) -> Option<(String, Value)> {
    if drawn.get("mode").and_then(Value::as_u64) == Some(MUTED) {
        return None;
    }
    let class = drawn.get("type")?.as_str()?;
    let mut inputs = Map::new();
    if let Some(values) = drawn.get("widgets_values") {
        for (index, name) in names(class).iter().enumerate().filter(|(_, name)| !name.is_empty()) {
            if let Some(value) = values.get(index) {
                inputs.insert((*name).to_owned(), value.clone());
            }
        }
        if let Value::Object(values) = values {
            inputs.extend(values.clone());
        }
    }
    // A link to an input overrides the value of its widget.
    for input in drawn.get("inputs").and_then(Value::as_array).into_iter().flatten() {
        let link = input.get("link").and_then(Value::as_u64).and_then(|id| links.get(&id));
        if let (Some(name), Some(link)) = (input.get("name").and_then(Value::as_str), link) {
            inputs.insert(name.to_owned(), link.clone());
        }
    }
    let id = drawn.get("id")?;
    let id = id.as_u64().map(|id| id.to_string()).or_else(|| id.as_str().map(str::to_owned))?;
    Some((id, json!({"class_type": class, "inputs": inputs})))
}
