//! What prompts for pictures keep, leave out and never invent.
#![allow(clippy::expect_used)]

use crate::common;

use common::{for_target, run, target};
use domain::Timestamp;
use engine::{Engine, OptimizedVersion, PromptBrief};
use futures::FutureExt;
use rules::Rules;

fn optimized(prompt: &str, model: &str) -> Vec<OptimizedVersion> {
    let brief = PromptBrief {
        prompt: prompt.to_owned(),
        context: String::new(),
        language: "en".to_owned(),
        target_model: target(model),
        variations: 2,
        images: Vec::new(),
    };
    Rules
        .optimize(&brief, Timestamp::from_millis(0))
        .now_or_never()
        .expect("rules never wait")
        .expect("a result")
        .versions
}

/// Goal, what it excludes in elements of their own, and what must still be in the prompt.
const EXCLUSIONS: &[(&str, &[&str], &[&str])] = &[
    ("a man, without a hat, in a kitchen, watercolour", &["hat"], &["in a kitchen", "watercolour"]),
    ("a man without a hat, in a kitchen", &[], &["a man without a hat, in a kitchen"]),
    ("a valley with no fog, without people, oil painting", &["people"], &["with no fog"]),
    ("a street, no cars, people or signs", &["cars", "people", "signs"], &["a street"]),
    ("a street, no cars, people and signs, at dusk", &["cars", "people", "signs"], &["at dusk"]),
    ("a cat on a sofa, not blurry, soft light", &[], &["not blurry, soft light"]),
    ("a poster of a bear, avoid text, flat colours", &["text"], &["flat colours"]),
    ("no people in the background, a red door", &[], &["no people in the background"]),
    ("a castle, no text on screen, soft light", &["text"], &["a castle, soft light"]),
    ("a house. No text. No watermark. Blue door.", &["text", "watermark"], &["a house. Blue door"]),
    (
        "a bowl of fruit, no text, watermark, logo, on a table",
        &["text", "watermark", "logo"],
        &["on a table"],
    ),
    ("a lighthouse at dawn. Don't include any text.", &["text"], &["a lighthouse at dawn"]),
    ("no parking sign, a brick wall", &[], &["no parking sign"]),
    (
        "an office, no plants, chairs, or lamps, isometric",
        &["plants", "chairs", "lamps"],
        &["isometric"],
    ),
    // Whether trees are wanted, nothing tells.
    ("a street, no cars, trees, at night", &[], &["no cars, trees"]),
    ("a red car by a house, no other cars", &[], &["no other cars"]),
    ("a cat on a wall, no cats", &[], &["no cats"]),
    ("a poster that says \"SALE\", no text", &[], &["no text"]),
    ("a logo called \"Crumb\", no text other than the name", &[], &["other than the name"]),
    ("a nun, without makeup, smiling", &["makeup"], &["a nun, smiling"]),
    ("a font in sans serif, minimalist", &[], &["sans serif", "minimalist"]),
    ("ein Mann, ohne Hut, in einer Küche, Aquarell", &["Hut"], &["in einer Küche", "Aquarell"]),
    ("eine Straße, ohne Autos und Menschen, bei Nacht", &["Autos", "Menschen"], &["bei Nacht"]),
    ("une rue déserte, sans texte, dans la nuit", &["texte"], &["dans la nuit"]),
    ("una playa, sin personas, al atardecer", &["personas"], &["al atardecer"]),
    ("无人机飞过城市", &[], &["无人机飞过城市"]),
];

#[test]
fn an_exclusion_is_an_element_that_is_nothing_else() {
    for (goal, excluded, kept) in EXCLUSIONS {
        let result = run(&for_target(goal, "Stable Diffusion 3.5"));
        let negative = result.negative_prompt.unwrap_or_default();
        assert_eq!(negative, excluded.join(", "), "{goal}");
        for words in *kept {
            assert!(result.prompt.contains(words), "{words}: {}", result.prompt);
        }
        for item in *excluded {
            assert!(!result.prompt.contains(item), "{item}: {}", result.prompt);
        }
    }
}

#[test]
fn an_exclusion_within_a_clause_keeps_its_words() {
    for goal in [
        "a man without a hat or a scarf walks through rain",
        "a knight with no helmet and a red cape",
        "un hombre sin sombrero en una cocina",
        "a picture that explains to my grandpa, without a single word in it, that he must not put the phone in the microwave",
    ] {
        let prompt = run(&for_target(goal, "Stable Diffusion 3.5")).prompt;
        let (_, end) = goal.split_at(goal.rfind(' ').expect("words"));
        assert!(prompt.contains(end) && !prompt.contains(" in it, that he in"), "{prompt}");
    }
}

#[test]
fn settings_pasted_from_a_generator_become_parameters() {
    let goal = "masterpiece, a knight in the forest\nNegative prompt: blurry, text\nSteps: 30, Sampler: Euler a, CFG scale: 7, Seed: 123456, Size: 512x768, Model: sdxl";
    let made = run(&for_target(goal, "Stable Diffusion 3.5"));
    let mut results = vec![(made.prompt, made.parameters, made.assumptions.join("\n"))];
    for version in optimized(goal, "Stable Diffusion 3.5") {
        results.push((version.prompt, version.parameters, version.rationale));
    }
    assert!(results.len() > 1 && made.negative_prompt.as_deref() == Some("blurry, text"));
    for (prompt, parameters, said) in results {
        assert_eq!(prompt, "masterpiece, a knight in the forest");
        assert_eq!(parameters["steps"], 30);
        assert_eq!(parameters["cfg_scale"], 7);
        assert_eq!(parameters["aspect_ratio"], "2:3");
        assert_eq!(parameters["seed"], 123_456);
        assert!(said.contains("Sampler: \"Euler a\""), "{said}");
    }
    let midjourney = run(&for_target(goal, "Midjourney V8.1"));
    let kept = "masterpiece, a knight in the forest --ar 2:3 --no blurry, text";
    assert_eq!(midjourney.prompt, kept);
    assert!(midjourney.assumptions.iter().any(|said| said.contains("Steps: 30")));
}

#[test]
fn a_format_needs_no_comma_at_the_end() {
    let result = run(&for_target("a fox in a raincoat 2:3", "Midjourney V8.1"));
    assert_eq!(result.parameters["ar"], "2:3");
}

/// The trailing parameters of a prompt, read independently of the engine.
fn trailing(prompt: &str) -> Vec<(String, String)> {
    let start = prompt.find(" --").expect("parameters");
    prompt[start..]
        .split(" --")
        .skip(1)
        .map(|flag| {
            let (name, value) = flag.split_once(' ').unwrap_or((flag, "true"));
            (name.to_owned(), value.trim().to_owned())
        })
        .collect()
}

#[test]
fn parameters_of_midjourney_stand_once_at_the_end_and_beside_the_prompt() {
    let goals = [
        "a cat --ar 16:9 sitting on a wall --s 250 --chaos 20 --v 7 --no text --tile",
        "a fox in snow --stylize 400 --ar 3:2 --ar 16:9 --seed 5 --sref https://x.example/a.png --style raw --weird 100 --q 2",
        "a lighthouse, 16:9, seed 42, no boats",
        "ein Leuchtturm, ohne Menschen --aspect 4:5 --c 3 --niji 6",
        "a poster --no text, logo --no people --iw 1.5",
    ];
    for goal in goals {
        let generated = run(&for_target(goal, "Midjourney V8.1"));
        let mut results = vec![(generated.prompt, generated.parameters)];
        for version in optimized(goal, "Midjourney V8.1") {
            results.push((version.prompt, version.parameters));
        }
        for (prompt, parameters) in results {
            let flags = trailing(&prompt);
            let names: std::collections::HashSet<&String> =
                flags.iter().map(|(name, _)| name).collect();
            assert_eq!(names.len(), flags.len(), "{prompt}");
            assert_eq!(parameters.len(), flags.len(), "{prompt}: {parameters:?}");
            for (name, value) in &flags {
                let beside = parameters.get(name).unwrap_or_else(|| panic!("{name} of {prompt}"));
                let beside = beside.as_str().map_or_else(|| beside.to_string(), str::to_owned);
                assert_eq!(&beside, value, "{name} of {prompt}");
                assert!(
                    !matches!(name.as_str(), "stylize" | "chaos" | "aspect" | "version"),
                    "{prompt}"
                );
            }
        }
    }
    let result = run(&for_target(goals[0], "Midjourney V8.1"));
    assert!(result.prompt.starts_with("a cat sitting on a wall"), "{}", result.prompt);
    assert!(
        result.prompt.ends_with("--ar 16:9 --s 250 --c 20 --v 7 --tile --no text"),
        "{}",
        result.prompt
    );
}

#[test]
fn other_models_get_parameters_translated_or_dropped_with_a_remark() {
    let goal = "a cat on a wall --ar 16:9 --s 250 --seed 7 --no dogs --style raw";
    for (model, ratio) in [("FLUX.2", "aspectRatio"), ("Stable Diffusion 3.5", "aspect_ratio")] {
        let result = run(&for_target(goal, model));
        assert!(!result.prompt.contains("--"), "{}", result.prompt);
        assert_eq!(result.parameters[ratio], "16:9");
        assert_eq!(result.parameters["seed"], 7);
        let told = |text: &String| text.contains("--s 250, --style raw");
        assert!(result.assumptions.iter().any(told), "{:?}", result.assumptions);
        let said = format!("{} {}", result.prompt, result.negative_prompt.unwrap_or_default());
        assert!(said.contains("dogs"), "{said}");
        for version in optimized(goal, model) {
            assert!(!version.prompt.contains("--"), "{}", version.prompt);
            assert!(version.rationale.contains("--s 250, --style raw"), "{}", version.rationale);
            assert_eq!(version.parameters[ratio], "16:9");
            assert!(version.integrity.passed);
        }
    }
}

#[test]
fn a_goal_is_its_prompt() {
    for (goal, model) in [
        ("a ramen shop sign", "FLUX.2"),
        ("a red vase", "Midjourney V8.1"),
        ("a woman with an umbrella, people without faces, no rain", "Nano Banana Pro"),
        ("a sports car", "GPT Image 2.6"),
        ("a fox", "Stable Diffusion 3.5"),
        ("A village. It should be quiet.", "Recraft V4"),
        ("{\"subject\": \"a library\", \"aspect_ratio\": \"3:2\"}", "Midjourney V8.1"),
    ] {
        assert_eq!(run(&for_target(goal, model)).prompt, goal);
        assert_eq!(optimized(goal, model)[0].prompt, goal);
    }
    for (goal, words) in [
        ("Please create an image of a lighthouse on a cliff", "a lighthouse on a cliff"),
        ("I want a picture of a red car by a house", "a red car by a house"),
        ("make me a poster of a bear", "a poster of a bear"),
        ("draw a cat", "draw a cat"),
        ("an AI image prompt for a red fox", "a red fox"),
    ] {
        assert_eq!(run(&for_target(goal, "FLUX.2")).prompt, words);
    }
    // Whoever can do other things too must be asked for a picture.
    let asks = "Please create an image of a lighthouse on a cliff";
    assert_eq!(run(&for_target(asks, "Universal")).prompt, asks);
}

#[test]
fn an_edit_remains_an_edit() {
    for (goal, keep) in [
        ("remove the background from this photo", "Keep everything else"),
        ("change the colour of the car to red", "Keep everything else"),
        ("Replace the sky with a starry night", "Keep everything else"),
        ("add a red hat to the man in this picture", "Keep everything else"),
        ("Entferne den Hintergrund aus diesem Foto", "Alles andere bleibt"),
        ("Supprime le fond de cette photo", "Tout le reste"),
        ("Elimina el fondo de esta foto", "Todo lo demás"),
        ("把背景换成海滩", "其余部分保持不变"),
    ] {
        for model in ["Nano Banana 2.1", "Nano Banana Pro", "GPT Image 2.6", "FLUX.2"] {
            let result = run(&for_target(goal, model));
            assert!(result.prompt.starts_with(goal), "{}", result.prompt);
            assert!(result.prompt.contains(keep), "{}", result.prompt);
            let rest = &result.prompt[goal.len()..];
            assert!(rest.chars().count() < 60, "{}", result.prompt);
        }
        for version in optimized(goal, "Nano Banana Pro") {
            assert!(version.prompt.starts_with(goal), "{}", version.prompt);
        }
    }
    let result = run(&for_target("remove the text \"SALE\" from my photo, 4:5", "Nano Banana Pro"));
    assert!(
        result.prompt.starts_with("remove the text \"SALE\" from my photo"),
        "{}",
        result.prompt
    );
    assert_eq!(result.parameters["aspectRatio"], "4:5");
    let scene = run(&for_target("a barber removing a towel", "Nano Banana Pro")).prompt;
    assert!(!scene.contains("Keep everything else"), "{scene}");
}

#[test]
fn quoted_words_stay_as_they_were_written() {
    for goal in [
        "a birthday card with the words 'Happy Birthday, Anna!' and balloons",
        "a poster that says “No cars. No noise!” above a park",
        "Ein Schild mit der Aufschrift „Frisch. Lokal. Gut!“ vor einer Bäckerei",
        "une affiche avec le texte « Bienvenue, chez nous ! » en bleu",
        "ラーメン屋の看板に「営業中」と書かれている、夜",
    ] {
        for model in ["Ideogram 4.5", "Nano Banana 2.1", "Midjourney V8.1"] {
            let prompt = run(&for_target(goal, model)).prompt;
            assert!(prompt.starts_with(goal), "{prompt}");
            assert_eq!(optimized(goal, model)[0].prompt, goal);
        }
    }
}

#[test]
fn prompts_in_other_languages_are_not_half_translated() {
    let english = regex::Regex::new(
        r"(?i)\b(?:the|of|with|photograph|light|shot|lens|clear|soft|leave|free|camera)\b",
    )
    .expect("a pattern");
    for goal in [
        "Ein Leuchtturm bei Sturm, 16:9",
        "Eine alte Frau strickt am Fenster",
        "Un gato negro en un tejado, sin personas",
        "Un chat dort sur un canapé",
        "崖の上の灯台",
        "悬崖上的灯塔,没有人",
    ] {
        for model in ["FLUX.2", "GPT Image 2.6", "Nano Banana Pro", "Midjourney V8.1", "Recraft V4"]
        {
            let prompt = run(&for_target(goal, model)).prompt;
            let words = prompt.split(" --").next().unwrap_or_default();
            assert!(!english.is_match(words), "{model}: {words}");
            let scene = goal.split([',', '、']).next().unwrap_or_default();
            assert!(words.contains(scene), "{model}: {words}");
        }
    }
}

#[test]
fn long_goals_take_linear_time() {
    for piece in
        ["no cars, ", "ohne Hut und ", "\"a\" 'B' ", "--ar 16:9 --no a, b ", "没有人、", "a 2:1 "]
    {
        let goal: String = piece.chars().cycle().take(50_000).collect();
        let start = cpu_time::ThreadTime::now();
        assert!(!run(&for_target(&goal, "Midjourney V8.1")).prompt.is_empty());
        assert!(start.elapsed().as_secs() < 8, "{piece}: {:?}", start.elapsed());
    }
}
