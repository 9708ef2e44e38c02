//! Prompts from the graphs of ComfyUI.

use crate::files;

use files::*;
use image::ImageFormat;
use image_analysis::{Recovered, recover};
use serde_json::{Value, json};

const PROMPT: &str = "a „Löwin\" in Zürich, 東京, (masterpiece:1.2),\n\"quoted, words\" 🎈";
const NEGATIVE: &str = "blurry, \"text\"";

fn ran(graph: &Value) -> Option<Recovered> {
    recover(&text_chunk(&plain(ImageFormat::Png), "prompt", &graph.to_string()))
}

/// The default graph of ComfyUI.
fn basic() -> Value {
    json!({
        "3": {"class_type": "KSampler", "inputs": {"seed": 156680208700286_u64, "steps": 20, "cfg": 8.0,
            "sampler_name": "euler", "scheduler": "normal", "denoise": 1.0, "model": ["10", 0],
            "positive": ["6", 0], "negative": ["7", 0], "latent_image": ["5", 0]}},
        "4": {"class_type": "CheckpointLoaderSimple", "inputs": {"ckpt_name": "sd_xl_base.safetensors"}},
        "5": {"class_type": "EmptyLatentImage", "inputs": {"width": 832, "height": 1216, "batch_size": 1}},
        "6": {"class_type": "CLIPTextEncode", "inputs": {"text": PROMPT, "clip": ["4", 1]}},
        "7": {"class_type": "CLIPTextEncode", "inputs": {"text": NEGATIVE, "clip": ["4", 1]}},
        "8": {"class_type": "VAEDecode", "inputs": {"samples": ["3", 0], "vae": ["4", 2]}},
        "9": {"class_type": "SaveImage", "inputs": {"filename_prefix": "ComfyUI", "images": ["8", 0]}},
        "10": {"class_type": "LoraLoader", "inputs": {"lora_name": "film.safetensors", "model": ["4", 0], "clip": ["4", 1]}},
    })
}

#[test]
fn the_words_that_feed_the_sampler_come_back_with_its_settings() {
    let found = ran(&basic()).expect("a prompt");
    assert_eq!((found.tool.as_str(), found.field.as_str()), ("ComfyUI", "tEXt prompt"));
    assert_eq!(found.prompt, PROMPT);
    assert_eq!(found.negative_prompt.as_deref(), Some(NEGATIVE));
    let parameters = Value::Object(found.parameters);
    assert_eq!(
        parameters,
        json!({"seed": 156680208700286_u64, "steps": 20, "cfg": 8.0, "sampler_name": "euler",
            "scheduler": "normal", "denoise": 1.0, "model": "sd_xl_base.safetensors",
            "loras": ["film.safetensors"], "width": 832, "height": 1216})
    );
}

#[test]
fn words_come_through_control_nets_combinations_primitives_and_joined_strings() {
    let mut graph = basic();
    graph["3"]["inputs"]["positive"] = json!(["20", 0]);
    graph["3"]["inputs"]["negative"] = json!(["20", 1]);
    graph["3"]["inputs"]["seed"] = json!(["23", 0]);
    graph["20"] = json!({"class_type": "ControlNetApplyAdvanced", "inputs": {"strength": 0.8,
        "positive": ["21", 0], "negative": ["7", 0], "control_net": ["30", 0], "image": ["31", 0]}});
    graph["21"] = json!({"class_type": "ConditioningSetTimestepRange", "inputs": {"conditioning": ["6", 0], "start": 0.0, "end": 1.0}});
    graph["6"]["inputs"]["text"] = json!(["22", 0]);
    graph["22"] = json!({"class_type": "StringConcatenate", "inputs": {"string_a": "a lion", "string_b": ["24", 0], "delimiter": ", "}});
    graph["23"] = json!({"class_type": "PrimitiveInt", "inputs": {"value": 99}});
    graph["24"] =
        json!({"class_type": "PrimitiveStringMultiline", "inputs": {"value": "in snow\nat dawn"}});
    let found = ran(&graph).expect("a prompt");
    assert_eq!(found.prompt, "a lion, in snow\nat dawn");
    assert_eq!(found.negative_prompt.as_deref(), Some(NEGATIVE));
    assert_eq!(found.parameters["seed"], json!(99));
    graph["21"] = json!({"class_type": "ConditioningCombine", "inputs": {"conditioning_1": ["6", 0], "conditioning_2": ["25", 0]}});
    graph["25"] = json!({"class_type": "CLIPTextEncode", "inputs": {"text": "second voice", "clip": ["4", 1]}});
    assert_eq!(ran(&graph).expect("a prompt").prompt, "a lion, in snow\nat dawn\nsecond voice");
}

#[test]
fn custom_samplers_and_several_text_encoders_are_followed() {
    let graph = json!({
        "1": {"class_type": "SaveImage", "inputs": {"images": ["2", 0]}},
        "2": {"class_type": "VAEDecode", "inputs": {"samples": ["3", 0]}},
        "3": {"class_type": "SamplerCustomAdvanced", "inputs": {"noise": ["4", 0], "guider": ["5", 0],
            "sampler": ["6", 0], "sigmas": ["7", 0], "latent_image": ["11", 0]}},
        "4": {"class_type": "RandomNoise", "inputs": {"noise_seed": 7}},
        "5": {"class_type": "BasicGuider", "inputs": {"model": ["8", 0], "conditioning": ["9", 0]}},
        "6": {"class_type": "KSamplerSelect", "inputs": {"sampler_name": "euler"}},
        "7": {"class_type": "BasicScheduler", "inputs": {"scheduler": "simple", "steps": 25, "denoise": 1, "model": ["8", 0]}},
        "8": {"class_type": "UNETLoader", "inputs": {"unet_name": "flux1-dev.safetensors", "weight_dtype": "default"}},
        "9": {"class_type": "FluxGuidance", "inputs": {"guidance": 3.5, "conditioning": ["10", 0]}},
        "10": {"class_type": "CLIPTextEncodeFlux", "inputs": {"clip_l": PROMPT, "t5xxl": PROMPT, "guidance": 3.5, "clip": ["12", 0]}},
        "11": {"class_type": "EmptySD3LatentImage", "inputs": {"width": 1024, "height": 1024}},
    });
    let found = ran(&graph).expect("a prompt");
    assert_eq!((found.prompt.as_str(), found.negative_prompt), (PROMPT, None));
    for (name, value) in [
        ("seed", json!(7)),
        ("steps", json!(25)),
        ("guidance", json!(3.5)),
        ("sampler_name", json!("euler")),
        ("scheduler", json!("simple")),
        ("model", json!("flux1-dev.safetensors")),
    ] {
        assert_eq!(found.parameters[name], value, "{name}");
    }
    let mut large = basic();
    large["6"] = json!({"class_type": "CLIPTextEncodeSDXL", "inputs": {"text_g": "a lion", "text_l": "film grain", "width": 1024}});
    large["7"] = json!({"class_type": "ConditioningZeroOut", "inputs": {"conditioning": ["6", 0]}});
    let found = ran(&large).expect("a prompt");
    assert_eq!((found.prompt.as_str(), found.negative_prompt), ("a lion\nfilm grain", None));
}

#[test]
fn of_several_prompts_it_is_the_one_of_the_saved_picture() {
    let mut graph = basic();
    graph["40"] = json!({"class_type": "KSampler", "inputs": {"seed": 1, "positive": ["41", 0], "negative": ["7", 0]}});
    graph["41"] =
        json!({"class_type": "CLIPTextEncode", "inputs": {"text": "only shown", "clip": ["4", 1]}});
    graph["42"] = json!({"class_type": "PreviewImage", "inputs": {"images": ["40", 0]}});
    assert_eq!(ran(&graph).expect("a prompt").prompt, PROMPT);
    // Two saved pictures with different prompts: the file does not say which it is.
    graph["42"]["class_type"] = json!("SaveImage");
    assert_eq!(ran(&graph), None);
    graph["41"]["inputs"]["text"] = json!(PROMPT);
    assert_eq!(ran(&graph).expect("a prompt").prompt, PROMPT);
    // A second pass over the first one's picture: the second prompt counts.
    let mut passes = basic();
    passes["8"]["inputs"]["samples"] = json!(["50", 0]);
    passes["50"] = json!({"class_type": "KSamplerAdvanced", "inputs": {"noise_seed": 2, "positive": ["51", 0],
        "negative": ["7", 0], "latent_image": ["3", 0]}});
    passes["51"] =
        json!({"class_type": "CLIPTextEncode", "inputs": {"text": "refined", "clip": ["4", 1]}});
    let found = ran(&passes).expect("a prompt");
    assert_eq!((found.prompt.as_str(), &found.parameters["seed"]), ("refined", &json!(2)));
}

#[test]
fn a_graph_is_read_from_where_other_formats_keep_it() {
    let graph = basic().to_string();
    let prefixed = format!("prompt:{graph}");
    let comment = user_comment(&graph, Code::Big);
    let both = json!({"prompt": basic(), "workflow": {"nodes": []}}).to_string();
    let both = user_comment(&both, Code::Ascii);
    for (name, file) in [
        (
            "WebP",
            webp_with(
                b"EXIF",
                &exif(&[(MODEL, prefixed.as_bytes()), (MAKE, b"workflow:{}")], true),
            ),
        ),
        ("JPEG", jpeg_exif(&exif(&[(USER_COMMENT, comment.as_slice())], false))),
        ("JPEG with both", jpeg_exif(&exif(&[(USER_COMMENT, both.as_slice())], false))),
        ("compressed", itxt_chunk(&plain(ImageFormat::Png), "prompt", &graph, true)),
        (
            "Python's numbers",
            text_chunk(
                &plain(ImageFormat::Png),
                "prompt",
                &graph.replacen(
                    "\"class_type\"",
                    "\"is_changed\":[NaN, -Infinity],\"class_type\"",
                    1,
                ),
            ),
        ),
    ] {
        let found = recover(&file).unwrap_or_else(|| panic!("{name}"));
        assert_eq!(
            (found.prompt.as_str(), found.negative_prompt.as_deref()),
            (PROMPT, Some(NEGATIVE)),
            "{name}"
        );
    }
}

#[test]
fn a_graph_as_drawn_is_read_when_it_is_all_there_is() {
    let drawn = json!({
        "nodes": [
            {"id": 3, "type": "KSampler", "mode": 0, "widgets_values": [5, "randomize", 20, 8, "euler", "normal", 1],
             "inputs": [{"name": "model", "link": 1}, {"name": "positive", "link": 4}, {"name": "negative", "link": 6}, {"name": "latent_image", "link": null}]},
            {"id": 4, "type": "CheckpointLoaderSimple", "widgets_values": ["base.safetensors"], "inputs": []},
            {"id": 6, "type": "CLIPTextEncode", "widgets_values": [PROMPT], "inputs": [{"name": "clip", "link": 3}]},
            {"id": 7, "type": "CLIPTextEncode", "widgets_values": [NEGATIVE], "inputs": [{"name": "clip", "link": 5}]},
            {"id": 9, "type": "SaveImage", "widgets_values": ["x"], "inputs": [{"name": "images", "link": 9}]},
            {"id": 10, "type": "SaveImage", "mode": 2, "widgets_values": ["x"], "inputs": []},
        ],
        "links": [[1, 4, 0, 3, 0, "MODEL"], [3, 4, 1, 6, 0, "CLIP"], [5, 4, 1, 7, 0, "CLIP"], [4, 6, 0, 3, 1, "CONDITIONING"],
            [6, 7, 0, 3, 2, "CONDITIONING"], [9, 3, 0, 9, 0, "IMAGE"]],
    });
    let file = text_chunk(&plain(ImageFormat::Png), "workflow", &drawn.to_string());
    let found = recover(&file).expect("a prompt");
    assert_eq!((found.prompt.as_str(), found.negative_prompt.as_deref()), (PROMPT, Some(NEGATIVE)));
    assert_eq!(found.field, "tEXt workflow");
    assert_eq!(found.parameters["model"], "base.safetensors");
    assert_eq!(found.parameters["steps"], json!(20));
}

#[test]
fn circles_forks_and_gaps_end_without_a_prompt() {
    let mut circle = basic();
    circle["6"] = json!({"class_type": "Reroute", "inputs": {"": ["60", 0]}});
    circle["60"] = json!({"class_type": "Reroute", "inputs": {"": ["6", 0]}});
    assert_eq!(ran(&circle), None);
    let mut gap = basic();
    gap["6"]["inputs"]["text"] = json!(["404", 0]);
    assert_eq!(ran(&gap), None);
    // Each node doubles the paths: 2^90 without a bound.
    let mut forks = basic();
    forks["3"]["inputs"]["positive"] = json!(["f0", 0]);
    for number in 0..90 {
        let next = if number == 89 { "6".to_owned() } else { format!("f{}", number + 1) };
        forks[format!("f{number}")] = json!({"class_type": "ConditioningCombine",
            "inputs": {"conditioning_1": [next, 0], "conditioning_2": [next, 0]}});
    }
    assert_eq!(ran(&forks), None);
    let deep = format!("{}1{}", "{\"a\":".repeat(100_000), "}".repeat(100_000));
    assert_eq!(recover(&text_chunk(&plain(ImageFormat::Png), "prompt", &deep)), None);
}
