//! The prompt of every program is recovered word for word from every place.

use crate::files;

use files::*;
use image::ImageFormat;
use image_analysis::{Recovered, recover};
use serde_json::{Value, json};

const PROMPT: &str = "portrait of a „Löwin\" in Zürich, 東京 at night, (masterpiece:1.2), \"quoted, words\"\nsecond line: <lora:film:0.7>, 🎈";
const NEGATIVE: &str = "lowres, bad hands, \"text\", Ünschärfe\nwatermark";

/// What AUTOMATIC1111 writes.
fn automatic(version: &str) -> String {
    format!(
        "{PROMPT}\nNegative prompt: {NEGATIVE}\nSteps: 28, Sampler: DPM++ 2M, Schedule type: Karras, \
         CFG scale: 7.5, Seed: 4294967295, Size: 832x1216, Model hash: 6ce0161689, Model: v1-5-pruned, \
         Lora hashes: \"film: aef1a2, look: 12ab\", TI hashes: \"a, \\\"b\\\"\", Version: {version}"
    )
}

fn check(name: &str, file: &[u8], tool: &str, field: &str) -> Recovered {
    let found = recover(file).unwrap_or_else(|| panic!("{name}: nothing recovered"));
    assert_eq!(found.tool, tool, "{name}");
    assert_eq!(found.field, field, "{name}");
    assert_eq!(found.prompt, PROMPT, "{name}");
    found
}

fn check_both(name: &str, file: &[u8], tool: &str, field: &str) -> Recovered {
    let found = check(name, file, tool, field);
    assert_eq!(found.negative_prompt.as_deref(), Some(NEGATIVE), "{name}");
    found
}

#[test]
fn automatic1111_texts_come_back_from_every_container() {
    let png = plain(ImageFormat::Png);
    let text = automatic("v1.10.1");
    let comment = |code: Code, little: bool| {
        exif(&[(USER_COMMENT, user_comment(&text, code).as_slice())], little)
    };
    let mut behind = png.clone();
    let end = behind.split_off(png.len() - 12);
    let chunk = itxt_chunk(&png, "parameters", &text, false);
    behind.extend(&chunk[33..33 + chunk.len() - png.len()]);
    behind.extend(end);
    let cases: Vec<(&str, Vec<u8>, &str, &str)> = vec![
        ("tEXt in UTF-8", text_chunk(&png, "parameters", &text), "png", "tEXt parameters"),
        ("zTXt", ztxt_chunk(&png, "parameters", &text), "png", "zTXt parameters"),
        ("iTXt", itxt_chunk(&png, "parameters", &text, false), "png", "iTXt parameters"),
        ("iTXt, compressed", itxt_chunk(&png, "parameters", &text, true), "png", "iTXt parameters"),
        ("iTXt behind the pixels", behind, "png", "iTXt parameters"),
        ("eXIf", with_chunk(&png, b"eXIf", &comment(Code::Big, false)), "png", "EXIF UserComment"),
        ("JPEG, big", jpeg_exif(&comment(Code::Big, false)), "jpeg", "EXIF UserComment"),
        ("JPEG, big in little", jpeg_exif(&comment(Code::Big, true)), "jpeg", "EXIF UserComment"),
        ("JPEG, little", jpeg_exif(&comment(Code::Little, true)), "jpeg", "EXIF UserComment"),
        (
            "JPEG, little in big",
            jpeg_exif(&comment(Code::Little, false)),
            "jpeg",
            "EXIF UserComment",
        ),
        (
            "JPEG, ASCII code with UTF-8",
            jpeg_exif(&comment(Code::Ascii, true)),
            "jpeg",
            "EXIF UserComment",
        ),
        ("JPEG, no code", jpeg_exif(&comment(Code::None, false)), "jpeg", "EXIF UserComment"),
        (
            "JPEG description",
            jpeg_exif(&exif(&[(DESCRIPTION, text.as_bytes())], true)),
            "jpeg",
            "EXIF ImageDescription",
        ),
        ("JPEG comment", jpeg_with(0xfe, text.as_bytes()), "jpeg", "JPEG comment"),
        ("JPEG XMP", jpeg_xmp(&xmp_description(&text)), "jpeg", "XMP dc:description"),
        ("WebP Exif", webp_with(b"EXIF", &comment(Code::Big, false)), "webp", "EXIF UserComment"),
        (
            "WebP Exif with prefix",
            webp_with(b"EXIF", &[b"Exif\0\0".as_slice(), &comment(Code::Little, true)].concat()),
            "webp",
            "EXIF UserComment",
        ),
        (
            "WebP XMP",
            webp_with(b"XMP ", xmp_description(&text).as_bytes()),
            "webp",
            "XMP dc:description",
        ),
        (
            "PNG XMP",
            itxt_chunk(&png, "XML:com.adobe.xmp", &xmp_description(&text), false),
            "png",
            "XMP dc:description",
        ),
        ("GIF comment", gif_comment(&text), "gif", "GIF comment"),
        (
            "stealth",
            encode(&stealth(&text, false, true), ImageFormat::Png),
            "png",
            "stealth_pnginfo",
        ),
        (
            "stealth, compressed",
            encode(&stealth(&text, true, true), ImageFormat::Png),
            "png",
            "stealth_pngcomp",
        ),
        (
            "stealth in colours",
            encode(&stealth(&text, false, false), ImageFormat::Png),
            "png",
            "stealth_rgbinfo",
        ),
        (
            "stealth in colours, compressed",
            encode(&stealth(&text, true, false), ImageFormat::Png),
            "png",
            "stealth_rgbcomp",
        ),
        (
            "stealth in WebP",
            encode(&stealth(&text, true, true), ImageFormat::WebP),
            "webp",
            "stealth_pngcomp",
        ),
    ];
    assert!(cases.len() >= 25);
    for (name, file, container, field) in cases {
        let found = check_both(name, &file, "AUTOMATIC1111", field);
        assert_eq!(found.container, container, "{name}");
        let parameters = Value::Object(found.parameters);
        assert_eq!(parameters["Steps"], json!(28), "{name}");
        assert_eq!(parameters["CFG scale"], json!(7.5), "{name}");
        assert_eq!(parameters["Seed"], json!(4_294_967_295_u64), "{name}");
        assert_eq!(parameters["Size"], "832x1216", "{name}");
        assert_eq!(parameters["Lora hashes"], "film: aef1a2, look: 12ab", "{name}");
        assert_eq!(parameters["TI hashes"], "a, \"b\"", "{name}");
        assert_eq!(parameters["Version"], "v1.10.1", "{name}");
    }
}

#[test]
fn descendants_of_the_web_ui_are_told_apart() {
    let png = plain(ImageFormat::Png);
    for (version, tool) in [
        ("f2.0.1v1.10.1-previous-659-gc055f2d4", "Forge"),
        ("neo 2.1", "Forge Neo"),
        ("ComfyUI", "ComfyUI"),
        ("v1.6.0, App: SD.Next", "SD.Next"),
    ] {
        let file = text_chunk(&png, "parameters", &automatic(version));
        check_both(version, &file, tool, "tEXt parameters");
    }
}

#[test]
fn settings_may_be_json_and_a_negative_prompt_may_be_missing() {
    let png = plain(ImageFormat::Png);
    let text = "Größe, Äpfel\nSteps: 20, Sampler: Euler a, CFG scale: 7, Seed: 5, \
                Civitai resources: [{\"type\":\"checkpoint\",\"modelVersionId\":128}], Civitai metadata: {}";
    let found = recover(&latin_chunk(&png, "parameters", text)).expect("a prompt");
    assert_eq!((found.prompt.as_str(), found.negative_prompt), ("Größe, Äpfel", None));
    let resources = json!([{"type": "checkpoint", "modelVersionId": 128}]);
    assert_eq!(found.parameters["Civitai resources"], resources);
    assert_eq!(found.parameters["CFG scale"], json!(7));
    let said = "JIS text\nSteps: 20, Sampler: Euler, CFG scale: 7.0, Seed: 5";
    let block = exif(&[(USER_COMMENT, user_comment(said, Code::Jis).as_slice())], true);
    assert_eq!(recover(&jpeg_exif(&block)).expect("a prompt").prompt, "JIS text");
}

fn novel() -> Value {
    json!({
        "prompt": PROMPT, "uc": NEGATIVE, "steps": 28, "height": 1216, "width": 832, "scale": 5.0,
        "seed": 1234567890, "sampler": "k_euler_ancestral", "signed_hash": "abc",
        "v4_prompt": {"caption": {"base_caption": PROMPT, "char_captions": [
            {"char_caption": "girl, red coat", "centers": [{"x": 0.5, "y": 0.5}]}]}, "use_coords": false},
        "v4_negative_prompt": {"caption": {"base_caption": NEGATIVE, "char_captions": [
            {"char_caption": "", "centers": []}]}},
    })
}

#[test]
fn novelai_prompts_come_back_from_texts_and_pixels() {
    let mut png = plain(ImageFormat::Png);
    for (name, text) in [
        ("Title", "NovelAI generated image"),
        ("Description", PROMPT),
        ("Software", "NovelAI"),
        ("Source", "NovelAI Diffusion V4 37442FCA"),
        ("Comment", &novel().to_string()),
    ] {
        png = itxt_chunk(&png, name, text, false);
    }
    let whole =
        json!({"Software": "NovelAI", "Description": PROMPT, "Comment": novel().to_string()});
    let block =
        exif(&[(USER_COMMENT, user_comment(&whole.to_string(), Code::Ascii).as_slice())], false);
    let hidden = encode(&stealth(&whole.to_string(), true, true), ImageFormat::Png);
    for (name, file, field) in [
        ("texts", png, "iTXt Comment"),
        ("pixels", hidden, "stealth_pngcomp"),
        ("WebP", webp_with(b"EXIF", &block), "EXIF UserComment"),
    ] {
        let found = check_both(name, &file, "NovelAI", field);
        assert_eq!(found.parameters["seed"], json!(1_234_567_890), "{name}");
        assert_eq!(found.parameters["characterPrompts"], json!(["girl, red coat"]), "{name}");
        assert!(!found.parameters.contains_key("characterNegativePrompts"), "{name}");
    }
    let mut newer = novel();
    newer["prompt"] = json!("");
    newer["uc"] = Value::Null;
    let whole = json!({"Software": "NovelAI", "Comment": newer.to_string()});
    let hidden = encode(&stealth(&whole.to_string(), true, true), ImageFormat::Png);
    check_both("v4 captions only", &hidden, "NovelAI", "stealth_pngcomp");
}

#[test]
fn invokeai_prompts_come_back_from_all_its_generations() {
    let png = plain(ImageFormat::Png);
    let current = json!({"generation_mode": "txt2img", "positive_prompt": PROMPT, "negative_prompt": NEGATIVE,
        "width": 1024, "height": 1024, "seed": 77, "steps": 30, "cfg_scale": 6.5, "scheduler": "dpmpp_2m",
        "model": {"name": "juggernaut", "base": "sdxl"}, "app_version": "5.4.3"});
    let file = text_chunk(&png, "invokeai_metadata", &current.to_string());
    let found = check_both("5", &file, "InvokeAI", "tEXt invokeai_metadata");
    assert_eq!(found.parameters["model"]["name"], "juggernaut");
    assert_eq!(found.parameters["cfg_scale"], json!(6.5));
    for prompt in [json!(PROMPT), json!([{"prompt": PROMPT, "weight": 1.0}])] {
        let earlier = json!({"model": "stable diffusion", "model_weights": "stable-diffusion-1.5",
            "app_id": "invoke-ai/InvokeAI", "app_version": "2.2.5",
            "image": {"prompt": prompt, "steps": 50, "cfg_scale": 7.5, "seed": 42, "sampler": "k_lms"}});
        let file = text_chunk(&png, "sd-metadata", &earlier.to_string());
        let found = check("2", &file, "InvokeAI", "tEXt sd-metadata");
        assert_eq!(found.parameters["seed"], json!(42));
        assert_eq!(found.parameters["model"], "stable-diffusion-1.5");
    }
    let dream = format!("\"{PROMPT}\" -s 50 -S 42 -W 512 -H 768 -C 7.5 -A k_lms");
    let found = check("1", &text_chunk(&png, "Dream", &dream), "InvokeAI", "tEXt Dream");
    assert_eq!(found.parameters["steps"], json!(50));
    assert_eq!(found.parameters["sampler"], "k_lms");
}

#[test]
fn swarmui_prompts_come_back() {
    let png = plain(ImageFormat::Png);
    let text = json!({"sui_image_params": {"prompt": PROMPT, "negativeprompt": NEGATIVE, "model": "flux1-dev",
        "seed": 9, "steps": 20, "cfgscale": 1.0, "width": 1024, "height": 576, "swarm_version": "0.9.5.0"},
        "sui_extra_data": {"date": "2025-01-01"}})
    .to_string();
    let comment = user_comment(&text, Code::Big);
    let block = exif(&[(USER_COMMENT, comment.as_slice())], false);
    for (name, file, field) in [
        ("PNG", text_chunk(&png, "parameters", &text), "tEXt parameters"),
        ("JPEG", jpeg_exif(&block), "EXIF UserComment"),
        ("WebP", webp_with(b"EXIF", &block), "EXIF UserComment"),
    ] {
        let found = check_both(name, &file, "SwarmUI", field);
        assert_eq!(found.parameters["model"], "flux1-dev", "{name}");
    }
}

#[test]
fn fooocus_prompts_come_back_in_both_schemes() {
    let png = plain(ImageFormat::Png);
    let own =
        json!({"prompt": PROMPT, "negative_prompt": NEGATIVE, "full_prompt": [PROMPT, "cinematic"],
        "base_model": "juggernautXL_v8", "performance": "Speed", "seed": "123", "steps": 30,
        "styles": "['Fooocus V2']", "version": "Fooocus v2.5.5"})
        .to_string();
    let web = automatic("Fooocus v2.5.5");
    let scheme = |text: &str, scheme: &str| {
        text_chunk(&text_chunk(&png, "parameters", text), "fooocus_scheme", scheme)
    };
    let block = exif(
        &[
            (SOFTWARE, b"Fooocus v2.5.5".as_slice()),
            (MAKER_NOTE, b"a1111"),
            (USER_COMMENT, user_comment(&web, Code::Big).as_slice()),
        ],
        true,
    );
    let found = check_both("own", &scheme(&own, "fooocus"), "Fooocus", "tEXt parameters");
    assert_eq!(found.parameters["base_model"], "juggernautXL_v8");
    check_both("a1111", &scheme(&web, "a1111"), "Fooocus", "tEXt parameters");
    check_both("JPEG", &jpeg_exif(&block), "Fooocus", "EXIF UserComment");
}

#[test]
fn midjourney_prompts_come_back_with_their_flags() {
    let png = plain(ImageFormat::Png);
    let prompt = "a lion & a lamb, \"Frieden\", 東京 --no text, blur --ar 16:9 --v 7 --raw";
    let text = format!("{prompt} Job ID: 3f5c1d2e-8a7b-4c6d-9e0f-112233445566");
    let with_author = text_chunk(&text_chunk(&png, "Description", &text), "Author", "somebody");
    for (name, file, field) in [
        ("PNG", with_author, "tEXt Description"),
        (
            "PNG XMP",
            itxt_chunk(&png, "XML:com.adobe.xmp", &xmp_description(&text), true),
            "XMP dc:description",
        ),
        ("JPEG XMP", jpeg_xmp(&xmp_description(&text)), "XMP dc:description"),
        (
            "JPEG Exif",
            jpeg_exif(&exif(&[(DESCRIPTION, text.as_bytes())], false)),
            "EXIF ImageDescription",
        ),
        (
            "WebP Exif",
            webp_with(b"EXIF", &exif(&[(DESCRIPTION, text.as_bytes())], true)),
            "EXIF ImageDescription",
        ),
    ] {
        let found = recover(&file).unwrap_or_else(|| panic!("{name}"));
        assert_eq!((found.tool.as_str(), found.field.as_str()), ("Midjourney", field), "{name}");
        assert_eq!(found.prompt, prompt, "{name}");
        assert_eq!(found.parameters["ar"], "16:9", "{name}");
        assert_eq!(found.parameters["v"], json!(7), "{name}");
        assert_eq!(found.parameters["no"], "text, blur", "{name}");
        assert_eq!(found.parameters["raw"], json!(true), "{name}");
    }
}

#[test]
fn what_people_and_cameras_write_is_never_taken_for_a_prompt() {
    let png = plain(ImageFormat::Png);
    let camera = exif(
        &[
            (MAKE, b"Canon".as_slice()),
            (MODEL, b"Canon EOS R5"),
            (SOFTWARE, b"Adobe Photoshop 25.0"),
            (COPYRIGHT, b"(c) 2024, all rights reserved"),
            (DESCRIPTION, b"A lion, standing, at night -- Lisbon, 2024"),
            (
                USER_COMMENT,
                user_comment("Holiday: day 3, ISO: 400, f: 2.8", Code::Ascii).as_slice(),
            ),
            (MAKER_NOTE, &[0, 1, 2, 250, 251]),
        ],
        true,
    );
    let recipe = "Apple pie\nSteps: peel, bake: 20 min, cool: 10 min, serve: warm";
    let counted = "Training log\nSteps: 20, Lunch: soup, Mood: fine, Km: 12";
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("plain PNG", png.clone()),
        ("plain JPEG", plain(ImageFormat::Jpeg)),
        ("plain WebP", plain(ImageFormat::WebP)),
        ("plain GIF", plain(ImageFormat::Gif)),
        ("camera JPEG", jpeg_exif(&camera)),
        ("camera WebP", webp_with(b"EXIF", &camera)),
        ("camera PNG", with_chunk(&png, b"eXIf", &camera)),
        ("Photoshop", jpeg_xmp(&xmp_description("Lisbon at dusk, tram 28; prompt delivery"))),
        ("copyright comment", jpeg_with(0xfe, b"Copyright 2024 Example, prompt: none")),
        ("encoder comment", jpeg_with(0xfe, b"CREATOR: gd-jpeg v1.0, quality = 90")),
        ("software", text_chunk(&png, "Software", "GIMP 2.10")),
        ("recipe", text_chunk(&png, "Description", recipe)),
        ("log", text_chunk(&png, "Comment", counted)),
        ("JSON of others", text_chunk(&png, "parameters", "{\"prompt\": \"say hello\"}")),
        ("NovelAI without software", text_chunk(&png, "Comment", &novel().to_string())),
        ("a prompt that is no graph", text_chunk(&png, "prompt", "a lion in the snow")),
        ("flags without a job", text_chunk(&png, "Description", "a lion --ar 16:9 --v 7")),
        ("drawn elsewhere", text_chunk(&png, "workflow", "{\"nodes\": [], \"links\": []}")),
        ("GIF comment", gif_comment("Created with The GIMP")),
        (
            "no picture",
            b"parameters\0a lion\nSteps: 20, Sampler: Euler, Seed: 5, CFG scale: 7".to_vec(),
        ),
        ("empty", Vec::new()),
    ];
    for (name, file) in cases {
        assert_eq!(recover(&file), None, "{name}");
    }
}

#[test]
fn settings_behind_the_words_on_their_line_are_read() {
    for words in [
        "a red barn\nNegative prompt: blurry Steps: 20, Sampler: Euler a, CFG scale: 7, Seed: 1, Size: 512x512",
        "a red barn Negative prompt: blurry Steps: 20, Sampler: Euler a, CFG scale: 7, Seed: 1, Size: 512x512",
    ] {
        let found =
            recover(&text_chunk(&plain(ImageFormat::Png), "parameters", words)).expect("a prompt");
        assert_eq!(
            (found.prompt.as_str(), found.negative_prompt.as_deref()),
            ("a red barn", Some("blurry"))
        );
        assert_eq!(found.parameters["Size"], "512x512");
    }
}

#[test]
fn brackets_of_earlier_invokeai_hold_what_must_not_be_seen() {
    let graph = r#"{"model_weights": "m", "image": {"prompt": [{"prompt": "a red barn [blurry, dark]", "weight": 1.0}], "steps": 50, "seed": 1}}"#;
    let dream = r#""a red [blurry] barn [dark]" -s 50 -S 42"#;
    for (name, text, prompt, negative) in [
        ("sd-metadata", graph, "a red barn", Some("blurry, dark")),
        ("Dream", dream, "a red  barn", Some("blurry, dark")),
        ("Dream", r#""a [red barn" -s 50 -S 42"#, "a [red barn", None),
    ] {
        let found = recover(&text_chunk(&plain(ImageFormat::Png), name, text)).expect("a prompt");
        assert_eq!(
            (found.prompt.as_str(), found.negative_prompt.as_deref()),
            (prompt, negative),
            "{text}"
        );
    }
}
