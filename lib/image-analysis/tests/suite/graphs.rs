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
fn of_several_prompts_those_of_the_saved_picture_count() {
    let mut graph = basic();
    graph["40"] = json!({"class_type": "KSampler", "inputs": {"seed": 1, "positive": ["41", 0], "negative": ["7", 0]}});
    graph["41"] = text("only shown");
    graph["42"] = json!({"class_type": "PreviewImage", "inputs": {"images": ["40", 0]}});
    assert_eq!(ran(&graph).expect("a prompt").prompt, PROMPT);
    // Two saved pictures with different prompts: the file does not say which it is.
    graph["42"]["class_type"] = json!("SaveImage");
    let found = ran(&graph).expect("a prompt");
    assert_eq!(found.prompt, format!("{PROMPT}\n\nonly shown"));
    assert_eq!(found.negative_prompt.as_deref(), Some(NEGATIVE));
    assert_eq!(found.parameters["pictures"], json!(2));
    assert_eq!(texts(&found, "positive"), [PROMPT, "only shown"]);
    graph["41"]["inputs"]["text"] = json!(PROMPT);
    let found = ran(&graph).expect("a prompt");
    assert_eq!((found.prompt.as_str(), found.parameters.get("pictures")), (PROMPT, None));
}

fn text(text: &str) -> Value {
    json!({"class_type": "CLIPTextEncode", "inputs": {"text": text, "clip": ["4", 1]}})
}

/// The texts of one side that the settings list.
fn texts<'a>(found: &'a Recovered, side: &str) -> Vec<&'a str> {
    let entries = found.parameters["prompts"].as_array().expect("a list").iter();
    let of = entries.filter(|entry| entry["side"] == side);
    of.map(|entry| entry["text"].as_str().expect("a text")).collect()
}

#[test]
fn every_pass_over_a_picture_gives_its_prompt() {
    let mut passes = basic();
    passes["8"]["inputs"]["samples"] = json!(["50", 0]);
    passes["50"] = json!({"class_type": "KSamplerAdvanced", "inputs": {"noise_seed": 2, "steps": 30,
        "positive": ["51", 0], "negative": ["7", 0], "latent_image": ["52", 0]}});
    passes["51"] = text("refined");
    passes["52"] =
        json!({"class_type": "VAEEncode", "inputs": {"pixels": ["53", 0], "vae": ["4", 2]}});
    passes["53"] =
        json!({"class_type": "ImageScaleBy", "inputs": {"image": ["54", 0], "scale_by": 2}});
    passes["54"] =
        json!({"class_type": "VAEDecode", "inputs": {"samples": ["3", 0], "vae": ["4", 2]}});
    let found = ran(&passes).expect("a prompt");
    assert_eq!(found.prompt, format!("{PROMPT}\n\nrefined"));
    assert_eq!(found.negative_prompt.as_deref(), Some(NEGATIVE));
    assert_eq!(
        (&found.parameters["seed"], &found.parameters["width"]),
        (&json!(156680208700286_u64), &json!(832)),
        "the first pass makes the picture"
    );
    assert_eq!(found.parameters["samplers"][1], json!({"node": "50", "seed": 2, "steps": 30}));
    assert_eq!(
        found.parameters["prompts"],
        json!([
            {"text": PROMPT, "side": "positive", "node": "6", "sampler": "3"},
            {"text": NEGATIVE, "side": "negative", "node": "7", "sampler": "3"},
            {"text": "refined", "side": "positive", "node": "51", "sampler": "50"},
            {"text": NEGATIVE, "side": "negative", "node": "7", "sampler": "50"},
        ])
    );
    // The same words again, as when only the size grows: one prompt, both passes.
    passes["50"]["inputs"]["positive"] = json!(["6", 0]);
    let found = ran(&passes).expect("a prompt");
    assert_eq!((found.prompt.as_str(), found.parameters.get("prompts")), (PROMPT, None));
    assert_eq!(found.parameters["samplers"].as_array().map(Vec::len), Some(2));
    // An earlier pass that says nothing legible leaves the whole open.
    passes["6"]["inputs"]["text"] = json!(["60", 0]);
    passes["60"] =
        json!({"class_type": "Florence2Run", "inputs": {"image": ["61", 0], "task": "caption"}});
    passes["50"]["inputs"]["positive"] = json!(["51", 0]);
    assert_eq!(ran(&passes), None);
    // A sampler whose picture only guides is no pass.
    let mut guided = basic();
    guided["3"]["inputs"]["positive"] = json!(["20", 0]);
    guided["20"] = json!({"class_type": "ControlNetApply", "inputs": {"conditioning": ["6", 0], "image": ["21", 0]}});
    guided["21"] = json!({"class_type": "VAEDecode", "inputs": {"samples": ["22", 0]}});
    guided["22"] = json!({"class_type": "KSampler", "inputs": {"steps": 4, "positive": ["23", 0], "negative": ["7", 0]}});
    guided["23"] = text("a sketch");
    assert_eq!(ran(&guided).expect("a prompt").prompt, PROMPT);
}

#[test]
fn an_upscaler_and_a_detailer_with_words_are_passes() {
    let mut graph = basic();
    graph["9"]["inputs"]["images"] = json!(["71", 0]);
    graph["70"] = json!({"class_type": "UltimateSDUpscale", "inputs": {"image": ["8", 0], "seed": 3, "steps": 12,
        "cfg": 6, "sampler_name": "euler", "positive": ["6", 0], "negative": ["7", 0]}});
    graph["71"] = json!({"class_type": "FaceDetailer", "inputs": {"image": ["70", 0], "seed": 4, "steps": 8,
        "cfg": 5, "sampler_name": "euler", "positive": ["72", 0], "negative": ["7", 0]}});
    graph["72"] = text("a detailed face");
    let found = ran(&graph).expect("a prompt");
    assert_eq!(found.prompt, format!("{PROMPT}\n\na detailed face"));
    assert_eq!(found.parameters["samplers"].as_array().map(Vec::len), Some(3));
}

#[test]
fn joined_conditions_come_back_in_order_with_the_way_they_are_joined() {
    let joined = |nodes: Value| {
        let mut graph = basic();
        graph["3"]["inputs"]["positive"] = json!(["20", 0]);
        graph["30"] = text("first");
        graph["31"] = text("second");
        graph["32"] = text("third");
        for (id, node) in nodes.as_object().expect("nodes") {
            graph[id] = node.clone();
        }
        let found = ran(&graph).expect("a prompt");
        let list = found.parameters.get("prompts").cloned().unwrap_or_default();
        (found.prompt, list)
    };
    let (prompt, list) = joined(json!({
        "20": {"class_type": "ConditioningConcat", "inputs": {"conditioning_from": ["21", 0], "conditioning_to": ["30", 0]}},
        "21": {"class_type": "ConditioningAverage", "inputs": {"conditioning_from": ["32", 0], "conditioning_to": ["31", 0],
            "conditioning_to_strength": 0.7}},
    }));
    assert_eq!(prompt, "first\nsecond\nthird");
    assert_eq!(
        (&list[0]["join"], &list[1]["join"], &list[2]["join"]),
        (&Value::Null, &json!("concat"), &json!("average"))
    );
    assert_eq!(list[2]["settings"], json!({"conditioning_to_strength": 0.7}));
    let (prompt, list) = joined(json!({
        "20": {"class_type": "ConditioningCombine", "inputs": {"conditioning_1": ["21", 0], "conditioning_2": ["22", 0]}},
        "21": {"class_type": "ConditioningSetArea", "inputs": {"conditioning": ["30", 0], "width": 512, "height": 768,
            "x": 0, "y": 64, "strength": 1.0}},
        "22": {"class_type": "ConditioningSetMask", "inputs": {"conditioning": ["31", 0], "mask": ["90", 0],
            "strength": 0.5, "set_cond_area": "default"}},
    }));
    assert_eq!(prompt, "first\nsecond");
    assert_eq!(
        list[0],
        json!({"text": "first", "side": "positive", "node": "30", "sampler": "3",
            "settings": {"x": 0, "y": 64, "width": 512, "height": 768, "strength": 1.0}})
    );
    assert_eq!(list[1]["join"], "combine");
    assert_eq!(list[1]["settings"], json!({"strength": 0.5, "set_cond_area": "default"}));
    // What an average leaves out is no part of the prompt.
    for (weight, expected) in [(1.0, "first"), (0.0, "second")] {
        let (prompt, list) = joined(json!({
            "20": {"class_type": "ConditioningAverage", "inputs": {"conditioning_to": ["30", 0],
                "conditioning_from": ["31", 0], "conditioning_to_strength": weight}}}));
        assert_eq!((prompt.as_str(), list), (expected, Value::Null));
    }
    let (prompt, _) = joined(json!({
        "20": {"class_type": "GLIGENTextBoxApply", "inputs": {"conditioning_to": ["30", 0], "text": "a fox",
            "width": 64, "height": 64, "x": 8, "y": 8}}}));
    assert_eq!(prompt, "first\na fox");
    let (prompt, _) = joined(json!({
        "20": {"class_type": "PairConditioningCombine", "inputs": {"positive_A": ["30", 0], "negative_A": ["7", 0],
            "positive_B": ["31", 0], "negative_B": ["32", 0]}}}));
    assert_eq!(prompt, "first\nsecond");
    let (prompt, _) = joined(json!({
        "20": {"class_type": "ConditioningCombine", "inputs": {"conditioning_1": ["30", 0], "conditioning_2": ["21", 0]}},
        "21": {"class_type": "ConditioningZeroOut", "inputs": {"conditioning": ["31", 0]}}}));
    assert_eq!(prompt, "first");
}

#[test]
fn switches_let_through_what_they_are_set_to() {
    for (switch, expected) in [
        (
            json!({"class_type": "ImpactSwitch", "inputs": {"select": 2, "sel_mode": false, "input1": ["6", 0], "input2": ["30", 0]}}),
            "other",
        ),
        (
            json!({"class_type": "CR Conditioning Input Switch", "inputs": {"Input": ["31", 0], "conditioning1": ["6", 0], "conditioning2": ["30", 0]}}),
            PROMPT,
        ),
        (
            json!({"class_type": "ComfySwitchNode", "inputs": {"switch": true, "on_false": ["6", 0], "on_true": ["30", 0]}}),
            "other",
        ),
        (
            json!({"class_type": "ComfySwitchNode", "inputs": {"switch": true, "on_false": ["6", 0]}}),
            PROMPT,
        ),
        (
            json!({"class_type": "Any Switch (rgthree)", "inputs": {"any_02": ["30", 0], "any_03": ["6", 0]}}),
            "other",
        ),
        (json!({"class_type": "Reroute", "inputs": {"": ["30", 0]}}), "other"),
    ] {
        let mut graph = basic();
        graph["3"]["inputs"]["positive"] = json!(["20", 0]);
        graph["20"] = switch.clone();
        graph["30"] = text("other");
        graph["31"] = json!({"class_type": "PrimitiveInt", "inputs": {"value": 1}});
        assert_eq!(ran(&graph).expect("a prompt").prompt, expected, "{switch}");
    }
    let mut graph = basic();
    graph["3"]["inputs"]["positive"] = json!(["20", 0]);
    graph["20"] = json!({"class_type": "ImpactSwitch", "inputs": {"select": ["404", 0], "input1": ["6", 0], "input2": ["7", 0]}});
    assert_eq!(ran(&graph), None, "it is open which");
}

#[test]
fn strings_are_put_together_as_their_nodes_do_it() {
    for (node, expected) in [
        (
            json!({"class_type": "Text Concatenate", "inputs": {"delimiter": ", ", "clean_whitespace": "true",
            "text_a": " a lion ", "text_b": "", "text_c": ["30", 0]}}),
            Some("a lion, in snow"),
        ),
        (
            json!({"class_type": "JoinStringMulti", "inputs": {"inputcount": 3, "delimiter": "\\n", "string_2": "b",
            "string_1": "a", "string_10": "c"}}),
            Some("a\nb\nc"),
        ),
        (
            json!({"class_type": "CR Text Concatenate", "inputs": {"text1": "a lion", "text2": ["30", 0], "separator": " "}}),
            Some("a lion in snow"),
        ),
        (
            json!({"class_type": "StringReplace", "inputs": {"string": ["30", 0], "find": "snow", "replace": "rain"}}),
            Some("in rain"),
        ),
        (
            json!({"class_type": "StringTrim", "inputs": {"string": "  a lion ", "mode": "Left"}}),
            Some("a lion "),
        ),
        (
            json!({"class_type": "ImpactWildcardProcessor", "inputs": {"wildcard_text": "a {lion|lamb}", "populated_text": "a lamb"}}),
            Some("a lamb"),
        ),
        (
            json!({"class_type": "DPRandomGenerator", "inputs": {"text": "a {lion|lamb}", "seed": 3}}),
            None,
        ),
        (
            json!({"class_type": "CaseConverter", "inputs": {"string": "a lion", "mode": "UPPERCASE"}}),
            None,
        ),
        (
            json!({"class_type": "Text Input Switch", "inputs": {"text_a": "a lion", "text_b": "a lamb", "boolean": false}}),
            Some("a lamb"),
        ),
        (
            json!({"class_type": "Text Find and Replace", "inputs": {"text": "a blue barn", "find": "blue", "replace": "red"}}),
            Some("a red barn"),
        ),
        (
            json!({"class_type": "DeepTranslatorTextNode", "inputs": {"to_translate": "english", "text": "roter Stall"}}),
            None,
        ),
        (json!({"class_type": "GoogleTranslateTextNode", "inputs": {"text": "roter Stall"}}), None),
        (
            json!({"class_type": "DPCombinatorialGenerator", "inputs": {"text": "a {red|blue} barn", "seed": 1}}),
            None,
        ),
        (
            json!({"class_type": "Text Random Line", "inputs": {"text": "a red barn\na blue barn", "seed": 2}}),
            None,
        ),
        (json!({"class_type": "Text Random Prompt", "inputs": {"search_seed": "barn"}}), None),
        (json!({"class_type": "OllamaGenerate", "inputs": {"prompt": "describe a barn"}}), None),
        (
            json!({"class_type": "SDXLPromptStyler", "inputs": {"text_positive": "a barn", "style": "base"}}),
            None,
        ),
        (
            json!({"class_type": "CR Random Text Switch", "inputs": {"text1": "a", "text2": "b", "select": 1}}),
            None,
        ),
        (
            json!({"class_type": "ShowText|pysssss", "inputs": {"text": ["30", 0], "text_0": "in snow"}}),
            Some("in snow"),
        ),
    ] {
        let mut graph = basic();
        graph["6"]["inputs"]["text"] = json!(["20", 0]);
        graph["20"] = node.clone();
        graph["30"] = json!({"class_type": "PrimitiveString", "inputs": {"value": "in snow"}});
        let found = ran(&graph).map(|found| found.prompt);
        // A random choice or a changed text that the file does not name is never guessed.
        assert_eq!(found.as_deref(), expected, "{node}");
    }
}

#[test]
fn encoders_are_read_whole_or_not_at_all() {
    for (node, expected) in [
        (
            json!({"class_type": "CLIPTextEncodeLumina2", "inputs": {"system_prompt": "superior", "user_prompt": "a red barn"}}),
            Some("a red barn"),
        ),
        (
            json!({"class_type": "CLIPTextEncodeKandinsky5", "inputs": {"clip_l": "a barn", "qwen25_7b": "a red barn in deep snow"}}),
            Some("a red barn in deep snow"),
        ),
        (
            json!({"class_type": "CLIPTextEncodeHiDream", "inputs": {"clip_l": "a barn", "llama": "dusk"}}),
            Some("a barn\ndusk"),
        ),
        (
            json!({"class_type": "TextEncodeQwenImageEdit", "inputs": {"prompt": "a red barn"}}),
            Some("a red barn"),
        ),
        (
            json!({"class_type": "CLIPTextEncodeNext", "inputs": {"clip_l": "a barn", "gemma4": "a red barn"}}),
            None,
        ),
        (
            json!({"class_type": "CLIPTextEncodeNext", "inputs": {"text": "a barn", "more_text": ["30", 0]}}),
            None,
        ),
        (json!({"class_type": "PromptStylerEncode", "inputs": {"text": "a barn"}}), None),
    ] {
        let mut graph = basic();
        graph["6"] = node.clone();
        graph["30"] = json!({"class_type": "PrimitiveString", "inputs": {"value": "in snow"}});
        let found = ran(&graph).map(|found| found.prompt);
        assert_eq!(found.as_deref(), expected, "{node}");
    }
    let mut graph = basic();
    graph["3"]["inputs"]["positive"] = json!(["20", 0]);
    graph["20"] =
        json!({"class_type": "Rephrase Conditioning", "inputs": {"conditioning": ["6", 0]}});
    assert_eq!(ran(&graph), None, "an unknown node between the words and the sampler");
}

#[test]
fn pipes_carry_both_conditions() {
    let mut graph = basic();
    graph["20"] = json!({"class_type": "ToBasicPipe", "inputs": {"model": ["4", 0], "positive": ["6", 0], "negative": ["7", 0]}});
    graph["21"] = json!({"class_type": "FromBasicPipe", "inputs": {"basic_pipe": ["20", 0]}});
    graph["3"]["inputs"]["positive"] = json!(["21", 3]);
    graph["3"]["inputs"]["negative"] = json!(["21", 4]);
    let found = ran(&graph).expect("a prompt");
    assert_eq!((found.prompt.as_str(), found.negative_prompt.as_deref()), (PROMPT, Some(NEGATIVE)));
    let efficient = json!({
        "1": {"class_type": "Efficient Loader", "inputs": {"ckpt_name": "a.safetensors", "positive": "a lion", "negative": "blur"}},
        "2": {"class_type": "KSampler (Efficient)", "inputs": {"seed": 1, "steps": 20, "model": ["1", 0],
            "positive": ["1", 1], "negative": ["1", 2], "latent_image": ["1", 3]}},
        "3": {"class_type": "SaveImage", "inputs": {"images": ["2", 5]}},
    });
    let found = ran(&efficient).expect("a prompt");
    assert_eq!((found.prompt.as_str(), found.negative_prompt.as_deref()), ("a lion", Some("blur")));
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
fn a_drawn_graph_is_followed_through_bypassed_nodes_reroutes_and_named_values() {
    let drawn = json!({
        "nodes": [
            {"id": 3, "type": "KSampler", "mode": 0, "widgets_values": [5, "randomize", 20, 8, "euler", "normal", 1],
             "inputs": [{"name": "positive", "type": "CONDITIONING", "link": 1}, {"name": "negative", "type": "CONDITIONING", "link": 2}]},
            {"id": 5, "type": "ControlNetApply", "mode": 4, "widgets_values": [1],
             "inputs": [{"name": "image", "type": "IMAGE", "link": null}, {"name": "conditioning", "type": "CONDITIONING", "link": 3}]},
            {"id": 6, "type": "CLIPTextEncode", "mode": 0, "widgets_values": [""],
             "inputs": [{"name": "text", "type": "STRING", "widget": {"name": "text"}, "link": 4}]},
            {"id": 7, "type": "CLIPTextEncode", "widgets_values": [NEGATIVE], "inputs": [{"name": "clip", "link": null}]},
            {"id": 8, "type": "Reroute", "inputs": [{"name": "", "type": "*", "link": 5}]},
            {"id": 9, "type": "GetNode", "widgets_values": ["words"], "inputs": []},
            {"id": 10, "type": "SetNode", "widgets_values": ["words"], "inputs": [{"name": "STRING", "type": "STRING", "link": 6}]},
            {"id": 11, "type": "Text Multiline", "widgets_values": [PROMPT], "inputs": []},
            {"id": 12, "type": "SaveImage", "widgets_values": ["x"], "inputs": [{"name": "images", "type": "IMAGE", "link": 7}]},
        ],
        "links": [[1, 5, 0, 3, 1, "CONDITIONING"], [2, 7, 0, 3, 2, "CONDITIONING"], [3, 6, 0, 5, 1, "CONDITIONING"],
            [4, 8, 0, 6, 0, "STRING"], [5, 9, 0, 8, 0, "STRING"], [6, 11, 0, 10, 0, "STRING"], [7, 3, 0, 12, 0, "IMAGE"]],
    });
    let found = recover(&text_chunk(&plain(ImageFormat::Png), "workflow", &drawn.to_string()));
    let found = found.expect("a prompt");
    assert_eq!((found.prompt.as_str(), found.negative_prompt.as_deref()), (PROMPT, Some(NEGATIVE)));
    // The inputs of a class that is not known name its widgets.
    let mut named = drawn;
    named["nodes"][7] = json!({"id": 11, "type": "String Concatenate", "widgets_values": [7, "fixed", PROMPT, " and snow"],
        "inputs": [{"name": "seed", "widget": {"name": "seed"}}, {"name": "string1", "widget": {"name": "string1"}},
            {"name": "string2", "widget": {"name": "string2"}}]});
    let found = recover(&text_chunk(&plain(ImageFormat::Png), "workflow", &named.to_string()));
    assert_eq!(found.expect("a prompt").prompt, format!("{PROMPT} and snow"));
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
    // A text that doubles at each of its nodes.
    let mut doubled = basic();
    doubled["6"]["inputs"]["text"] = json!(["s0", 0]);
    for number in 0..13 {
        let next = json!([format!("s{}", number + 1), 0]);
        doubled[format!("s{number}")] = json!({"class_type": "StringConcatenate", "inputs": {"string_a": next, "string_b": next, "delimiter": ""}});
    }
    doubled["s13"] =
        json!({"class_type": "PrimitiveString", "inputs": {"value": "long ".repeat(10_000)}});
    assert_eq!(ran(&doubled), None);
    let deep = format!("{}1{}", "{\"a\":".repeat(100_000), "}".repeat(100_000));
    assert_eq!(recover(&text_chunk(&plain(ImageFormat::Png), "prompt", &deep)), None);
}
