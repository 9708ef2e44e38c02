//! Finding prompts for pictures and clips.

use std::io::Cursor;

use domain::Timestamp;
use engine::{
    Engine, EngineError, Image, Material, ModelKind, Recovery, Reversal, ReverseBrief, ReverseKind,
    TargetModel, catalogue,
};
use futures::FutureExt;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use rules::Rules;
use text::variables;

const PROMPT: &str =
    "portrait of a „Löwin\", (masterpiece:1.2), 東京 at night,\nsecond line <lora:film:0.7>";

fn attempt(material: Material, language: &str, target: &str) -> Result<Reversal, EngineError> {
    let brief = ReverseBrief {
        material,
        language: language.to_owned(),
        target_model: TargetModel::try_from(target).expect("a model of the catalogue"),
    };
    Rules.reverse(&brief, Timestamp::from_millis(0)).now_or_never().expect("rules never wait")
}

fn reverse(material: Material, language: &str, target: &str) -> Reversal {
    attempt(material, language, target).expect("a result")
}

fn png(width: u32, height: u32, pixel: impl Fn(u32, u32) -> [u8; 3]) -> Image {
    let picture = RgbImage::from_fn(width, height, |x, y| Rgb(pixel(x, y)));
    let mut bytes = Vec::new();
    DynamicImage::ImageRgb8(picture)
        .write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png)
        .expect("an encoded picture");
    Image { media_type: "image/png".to_owned(), bytes }
}

/// Lit from the left, warm, in 16:9.
fn warm() -> Image {
    png(320, 180, |x, _| [250 - (x / 2) as u8, 180 - (x / 3) as u8, 60])
}

/// The picture with a text at a keyword. No reader here checks the chunk's sum.
fn with_text(image: &Image, name: &str, text: &str) -> Image {
    let content = [name.as_bytes(), b"\0\0\0\0\0", text.as_bytes()].concat();
    let mut encoder = Vec::new();
    encoder.extend((content.len() as u32).to_be_bytes());
    encoder.extend(b"iTXt");
    encoder.extend(&content);
    encoder.extend(crc(&[b"iTXt".as_slice(), &content].concat()).to_be_bytes());
    let bytes = [&image.bytes[..33], &encoder, &image.bytes[33..]].concat();
    Image { media_type: image.media_type.clone(), bytes }
}

/// The sum of a PNG chunk (PNG specification, annex D).
fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
            if sum & 1 == 1 { 0xedb8_8320 ^ (sum >> 1) } else { sum >> 1 }
        })
    })
}

fn generated() -> Image {
    let text = format!(
        "{PROMPT}\nNegative prompt: lowres, text\nSteps: 28, Sampler: Euler a, CFG scale: 7.5, Seed: 42, Model: \"a, b\""
    );
    with_text(&warm(), "parameters", &text)
}

fn frames(count: u32, cut: u32) -> Material {
    let frame = |number: u32| {
        if number < cut {
            png(320, 180, move |x, y| [200, ((x + number * 9) * 3 % 251) as u8 / 2, (y % 90) as u8])
        } else {
            png(320, 180, |_, y| [10, 20, 60 + (y / 2) as u8])
        }
    };
    Material::Video { frames: (0..count).map(frame).collect(), seconds: f64::from(count) / 2.0 }
}

#[test]
fn a_prompt_in_the_file_is_given_back_word_for_word() {
    for target in
        ["Universal", "Stable Diffusion 3.5", "Midjourney V8.1", "Veo 3.1", "Claude Opus 5.5"]
    {
        let result = reverse(Material::Image(generated()), "en", target);
        assert_eq!(
            (result.kind, result.recovery),
            (ReverseKind::Image, Recovery::Exact),
            "{target}"
        );
        assert_eq!(result.prompt, PROMPT, "{target}");
        assert_eq!(result.negative_prompt.as_deref(), Some("lowres, text"), "{target}");
        assert_eq!(result.parameters["Seed"], 42, "{target}");
        assert_eq!(result.parameters["Model"], "a, b", "{target}");
        assert!((result.confidence - 1.0).abs() < f64::EPSILON, "{target}");
        let provenance = result.provenance.expect("where it stood");
        assert_eq!(
            (provenance.tool.as_str(), provenance.container.as_str(), provenance.field.as_str()),
            ("AUTOMATIC1111", "png", "iTXt parameters")
        );
        let adapted = result.limitations.iter().any(|text| text.contains("not adapted to"));
        assert_eq!(adapted, target != "Universal", "{target}");
    }
}

#[test]
fn the_prompts_of_a_graph_are_exact_and_an_open_choice_is_said() {
    let sampler = |positive: &str| serde_json::json!({"class_type": "KSampler", "inputs": {"positive": [positive, 0]}});
    let text =
        |text: &str| serde_json::json!({"class_type": "CLIPTextEncode", "inputs": {"text": text}});
    let saved = |from: &str| serde_json::json!({"class_type": "SaveImage", "inputs": {"images": [from, 0]}});
    let mut graph = serde_json::json!({"1": text("a lion"), "2": sampler("1"), "3": saved("2")});
    let run = |graph: &serde_json::Value, language: &str| {
        let image = with_text(&warm(), "prompt", &graph.to_string());
        reverse(Material::Image(image), language, "Universal")
    };
    let one = run(&graph, "en");
    assert_eq!((one.recovery, one.prompt.as_str()), (Recovery::Exact, "a lion"));
    assert!((one.confidence - 1.0).abs() < f64::EPSILON);
    for (id, node) in [("4", text("a lamb")), ("5", sampler("4")), ("6", saved("5"))] {
        graph[id] = node;
    }
    for language in ["en", "de", "es", "fr", "it", "pt"] {
        let two = run(&graph, language);
        assert_eq!((two.recovery, two.prompt.as_str()), (Recovery::Exact, "a lion\n\na lamb"));
        assert!((two.confidence - 0.5).abs() < f64::EPSILON);
        assert_eq!(two.parameters["prompts"][1]["text"], "a lamb");
        assert!(two.limitations[1].contains('2'), "{language}: {:?}", two.limitations);
        let english = two.limitations[1].starts_with("The file tells");
        assert_eq!(english, language == "en", "{language}");
    }
}

#[test]
fn beside_a_recovered_prompt_the_picture_is_measured() {
    let result = reverse(Material::Image(generated()), "en", "Universal");
    assert!(result.key_elements.iter().all(|element| element.confidence < 1.0));
    assert_eq!(result.style.expect("a style").aspect_ratio, "16:9");
    assert!(result.structure.is_none() && result.shots.is_none());
}

#[test]
fn without_a_prompt_in_it_a_picture_is_measured_and_nothing_more_is_claimed() {
    for model in catalogue().iter().filter(|model| model.kind != ModelKind::Video) {
        let result = reverse(Material::Image(warm()), "en", &model.name);
        assert_eq!(result.recovery, Recovery::Statistical, "{}", model.name);
        assert!((0.2..=0.4).contains(&result.confidence), "{}: {}", model.name, result.confidence);
        assert!(result.provenance.is_none());
        assert_eq!(variables::find(&result.prompt)[0].name, "subject", "{}", model.name);
        for said in ["light from the left", "warm colours"] {
            assert!(result.prompt.contains(said), "{}: {}", model.name, result.prompt);
        }
        let set = result.parameters.values().any(|value| value == "16:9");
        assert!(set || result.prompt.contains("16:9"), "{}: {}", model.name, result.prompt);
        assert!(result.limitations[0].contains("not recognised"), "{}", model.name);
        assert!(result.prompt.chars().count() <= model.max_prompt_chars);
        assert!(model.negative_prompt || result.negative_prompt.is_none(), "{}", model.name);
    }
}

#[test]
fn the_measures_are_written_in_the_dialect_of_the_model() {
    let prompt = |target: &str| reverse(Material::Image(warm()), "en", target);
    let midjourney = prompt("Midjourney V8.1");
    assert!(midjourney.prompt.ends_with(" --ar 16:9"), "{}", midjourney.prompt);
    assert_eq!(midjourney.parameters["ar"], "16:9");
    assert!(prompt("GPT Image 2.6").prompt.starts_with("Subject: {{subject}}\nStyle: "));
    assert_eq!(prompt("GPT Image 2.6").parameters["size"], "1536x1024");
    assert!(prompt("FLUX.2").prompt.contains('#'));
    assert!(!prompt("Midjourney V8.1").prompt.contains('#'));
    assert_eq!(prompt("Universal").parameters["aspectRatio"], "16:9");
    let diffusion = prompt("Stable Diffusion 3.5").prompt;
    assert!(
        diffusion.starts_with("{{subject}}, ") && !diffusion.contains("Lighting:"),
        "{diffusion}"
    );
}

#[test]
fn colours_have_the_names_that_people_give_them() {
    for row in [
        "000000 black",
        "ffffff white",
        "808080 grey",
        "ff0000 red",
        "ff8800 orange",
        "6b4423 brown",
        "ffee00 yellow",
        "228b22 green",
        "20b2aa turquoise",
        "1f6feb blue",
        "7b2fbe purple",
        "ff69b4 pink",
    ] {
        let (code, name) = row.split_once(' ').expect("a code and a name");
        let value = u32::from_str_radix(code, 16).expect("a number");
        let pixel = [16, 8, 0].map(|shift| (value >> shift & 0xff) as u8);
        let result = reverse(Material::Image(png(64, 64, |_, _| pixel)), "en", "Universal");
        let palette = result.key_elements.iter().find(|element| element.category == "palette");
        let palette = &palette.expect("a palette").value;
        assert!(palette.starts_with(&format!("{name} #")), "{row}: {palette}");
    }
}

#[test]
fn a_clip_has_its_shots_with_their_times() {
    let result = reverse(frames(8, 4), "en", "Universal");
    assert_eq!((result.kind, result.recovery), (ReverseKind::Video, Recovery::Statistical));
    let shots = result.shots.expect("shots");
    let times: Vec<(f64, f64)> =
        shots.iter().map(|shot| (shot.starts_at_seconds, shot.ends_at_seconds)).collect();
    assert_eq!(times, [(0.0, 2.0), (2.0, 4.0)]);
    assert!(shots[1].description.contains("static camera"), "{}", shots[1].description);
    assert!(result.prompt.contains("[0-2 s] Shot 1: {{action_1}}"), "{}", result.prompt);
    assert!(result.confidence <= 0.4 && result.style.is_some() && result.structure.is_none());
}

#[test]
fn clips_are_prompted_as_their_models_want_them() {
    for model in catalogue().iter().filter(|model| model.kind == ModelKind::Video) {
        let result = reverse(frames(8, 4), "en", &model.name);
        let prompt = &result.prompt;
        assert!(
            prompt.contains("{{subject}}") && prompt.contains("{{action"),
            "{}: {prompt}",
            model.name
        );
        assert!(prompt.chars().count() <= model.max_prompt_chars, "{}", model.name);
        let duration =
            ["durationSeconds", "duration"].iter().find_map(|key| result.parameters.get(*key));
        let duration = duration.expect("a duration").to_string();
        assert!(duration.contains('4'), "{}: {duration}", model.name);
    }
    let kling = reverse(frames(8, 4), "en", "Kling 4.0").prompt;
    assert!(kling.contains("Shot 1 (2 s): ") && kling.contains("Shot 2 (2 s): "), "{kling}");
    let veo = reverse(frames(8, 4), "en", "Veo 3.1").prompt;
    assert_eq!(veo.matches("Camera: ").count(), 1, "{veo}");
    let still = reverse(frames(8, 4), "en", "FLUX.2");
    assert!(still.limitations.iter().any(|text| text.contains("makes pictures")));
    assert!(!still.prompt.contains("{{action"), "{}", still.prompt);
}

#[test]
fn results_speak_the_language_that_was_asked_for() {
    for (tag, words) in [
        ("de", ["Licht von links", "Hauptfarben", "nicht erkannt"]),
        ("es", ["luz desde la izquierda", "Colores principales", "No se ha reconocido"]),
        ("fr", ["lumière venant de la gauche", "Couleurs principales", "n'a pas été reconnu"]),
        ("it", ["luce da sinistra", "Colori principali", "non è stato riconosciuto"]),
        ("pt-BR", ["luz da esquerda", "Cores principais", "não foi reconhecido"]),
    ] {
        let result = reverse(Material::Image(warm()), tag, "Universal");
        assert!(result.style.expect("a style").lighting.contains(words[0]), "{tag}");
        assert!(result.description.contains(words[1]), "{tag}: {}", result.description);
        assert!(result.limitations[0].contains(words[2]), "{tag}: {:?}", result.limitations);
        assert!(result.limitations[0].contains("{{subject}}"), "{tag}");
        assert!(result.prompt.contains("light from the left"), "{tag}");
    }
}

#[test]
fn what_cannot_be_decoded_is_rejected_with_a_reason() {
    let wrong = Image { media_type: "image/jpeg".to_owned(), ..warm() };
    let mut broken = warm();
    broken.bytes.truncate(60);
    let image = |image: &Image| Material::Image(image.clone());
    let video = |frames: Vec<Image>, seconds| Material::Video { frames, seconds };
    for material in [
        image(&wrong),
        image(&broken),
        image(&Image { media_type: "image/png".to_owned(), bytes: Vec::new() }),
        video(Vec::new(), 5.0),
        video(vec![warm(), broken.clone()], 5.0),
        video(vec![warm()], 0.0),
        video(vec![warm()], f64::NAN),
    ] {
        match attempt(material.clone(), "en", "Universal") {
            Err(EngineError::Rejected { reason }) => assert!(reason.len() > 10, "{reason}"),
            other => panic!("{material:?}: {other:?}"),
        }
    }
}

#[test]
fn the_same_picture_always_has_the_same_result() {
    for material in [Material::Image(warm()), Material::Image(generated()), frames(6, 3)] {
        let first = reverse(material.clone(), "de", "Kling 4.0");
        assert_eq!(first, reverse(material, "de", "Kling 4.0"));
    }
}

#[test]
fn a_clip_has_the_look_of_its_longest_shot_and_the_colours_of_all() {
    let result = reverse(frames(8, 3), "en", "Kling 4.0");
    let (style, shots) = (result.style.expect("a style"), result.shots.expect("shots"));
    assert_eq!(shots.len(), 2);
    let value = |category: &str| {
        let found = result.key_elements.iter().find(|element| element.category == category);
        found.map(|element| element.value.clone()).expect("an element")
    };
    for swatch in style.palette.iter().take(4) {
        assert!(value("palette").contains(&swatch.hex), "{} in {}", swatch.hex, value("palette"));
    }
    assert_eq!(value("lighting"), style.lighting);
    assert_eq!(value("composition"), style.composition);
    assert!(shots[1].description.contains(&style.lighting), "{}", shots[1].description);
    assert!(!result.prompt.contains("\nLighting") && !result.prompt.contains(" Lighting:"));
}
