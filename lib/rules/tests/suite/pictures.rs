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

/// Goal, what it excludes, and what must still be in the prompt.
const EXCLUSIONS: &[(&str, &[&str], &[&str])] = &[
    ("a man without a hat, in a kitchen, watercolour", &["hat"], &["in a kitchen", "watercolour"]),
    ("a valley with no fog, without people, oil painting", &["fog", "people"], &["oil painting"]),
    ("a street, no cars, people or signs", &["cars", "people", "signs"], &["a street"]),
    ("a street, no cars, people and signs, at dusk", &["cars", "people", "signs"], &["at dusk"]),
    ("a cat on a sofa, not blurry, soft light", &["blurry"], &["soft light"]),
    ("a poster of a bear, avoid text, flat colours", &["text"], &["flat colours"]),
    ("no people in the background, a red door", &["people in the background"], &["a red door"]),
    (
        "a forest without any people or animals, misty morning",
        &["people", "animals"],
        &["misty morning"],
    ),
    ("a house. No text. No watermark. Blue door.", &["text", "watermark"], &["Blue door"]),
    (
        "a bowl of fruit, no text, watermark, logo, on a table",
        &["text", "watermark", "logo"],
        &["on a table"],
    ),
    ("a dog not wearing a collar, in a park", &["collar"], &["in a park"]),
    ("don't include any text, a lighthouse at dawn", &["text"], &["a lighthouse at dawn"]),
    ("a beach free of people, sunset", &["people"], &["sunset"]),
    (
        "an office, no plants, chairs, or lamps, isometric",
        &["plants", "chairs", "lamps"],
        &["isometric"],
    ),
    ("a portrait of a nun without makeup, smiling", &["makeup"], &["smiling"]),
    ("without people, a quiet library", &["people"], &["a quiet library"]),
    ("a room with neither people nor pets, morning", &["people", "pets"], &["morning"]),
    ("a font in sans serif, minimalist", &[], &["sans serif", "minimalist"]),
    ("a square with no one in it, at night", &[], &["at night"]),
    ("ein Mann ohne Hut, in einer Küche, Aquarell", &["Hut"], &["in einer Küche", "Aquarell"]),
    ("Ein Plakat mit einem Bären, kein Text, Aquarell", &["text"], &["Bären", "Aquarell"]),
    ("eine Straße ohne Autos und Menschen, bei Nacht", &["Autos", "people"], &["bei Nacht"]),
    ("ein Hund, nicht verschwommen, im Schnee", &["verschwommen"], &["im Schnee"]),
    ("une rue sans texte, à l'aquarelle", &["text"], &["à l'aquarelle"]),
    (
        "un homme sans chapeau, dans une cuisine, aquarelle",
        &["chapeau"],
        &["dans une cuisine", "aquarelle"],
    ),
    (
        "un chien, pas de texte ni de personnes, dans la neige",
        &["text", "people"],
        &["dans la neige"],
    ),
    ("una playa sin personas, al atardecer, acuarela", &["people"], &["al atardecer", "acuarela"]),
    ("un perro, que no haya personas, en la nieve", &["people"], &["en la nieve"]),
    ("戴眼镜没有帽子的男人,在厨房里", &["帽子"], &["的男人", "在厨房里"]),
    ("无人机飞过城市", &[], &["无人机飞过城市"]),
];

#[test]
fn an_exclusion_ends_where_something_else_begins() {
    for (goal, excluded, kept) in EXCLUSIONS {
        let result = run(&for_target(goal, "Stable Diffusion 3.5"));
        let negative = result.negative_prompt.expect("a negative prompt");
        let listed: Vec<&str> = negative.split(", ").collect();
        assert_eq!(&listed[..excluded.len()], *excluded, "{goal}: {negative}");
        for words in *kept {
            assert!(result.prompt.contains(words), "{words}: {}", result.prompt);
            assert!(!listed.contains(words), "{words}: {negative}");
        }
        for item in *excluded {
            let word = regex::Regex::new(&format!(r"(?i)\b{item}\b")).expect("a pattern");
            assert!(!word.is_match(&result.prompt), "{item}: {}", result.prompt);
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
fn spans_of_time_are_the_shots_and_their_end_is_the_length() {
    let goal = "0-3s: a cup falls. 3-6s: it shatters. 6-10s: coffee spreads over the floor";
    for (name, length) in [("Veo 3.1", "durationSeconds"), ("Kling 4.0", "duration")] {
        let result = run(&for_target(goal, name));
        assert!(
            result.prompt.contains("\n0-3s: a cup falls.\n3-6s: it shatters."),
            "{}",
            result.prompt
        );
        assert_eq!(result.parameters[length], 10);
    }
}

#[test]
fn several_views_have_no_one_move() {
    let goal = "drone shot over a foggy vineyard then close up of hands picking grapes, 8 seconds";
    let prompt = run(&for_target(goal, "Veo 3.1")).prompt;
    assert!(
        !prompt.contains("one continuous move") && !prompt.contains("this one move"),
        "{prompt}"
    );
}

#[test]
fn settings_pasted_from_a_generator_become_parameters() {
    let goal = "masterpiece, a knight in the forest\nNegative prompt: blurry, text\nSteps: 30, Sampler: Euler a, CFG scale: 7, Seed: 123456, Size: 512x768, Model: sdxl";
    let result = run(&for_target(goal, "Stable Diffusion 3.5"));
    assert!(
        result.prompt.starts_with("masterpiece, a knight in the forest, "),
        "{}",
        result.prompt
    );
    for left in ["Euler", "512", "sdxl", "Steps"] {
        assert!(!result.prompt.contains(left), "{}", result.prompt);
    }
    assert_eq!(result.parameters["aspect_ratio"], "2:3");
    assert_eq!(result.parameters["seed"], 123_456);
}

#[test]
fn a_format_needs_no_comma_before_an_exclusion_or_at_the_end() {
    for (goal, ratio) in
        [("a fox in a raincoat 2:3", "2:3"), ("a fox in a raincoat, 16:9 no text", "16:9")]
    {
        let result = run(&for_target(goal, "Midjourney V8.1"));
        assert_eq!(result.parameters["ar"], ratio);
        assert!(result.prompt.starts_with("a fox in a raincoat, "), "{}", result.prompt);
    }
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
        result.prompt.ends_with("--ar 16:9 --s 250 --c 20 --no text --v 7 --tile"),
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
fn nothing_that_could_be_seen_is_added() {
    for (goal, model, invented) in [
        ("a ramen shop sign", "FLUX.2", "food|dish|steam|table|plate|bowl"),
        ("a stack of pancakes", "FLUX.2", "table|linen|napkin|window|steam"),
        ("a red vase", "Midjourney V8.1", "backdrop|stone|wall|table"),
        ("a woman with an umbrella", "Nano Banana Pro", "rain|street|city|morning"),
        ("a sports car", "GPT Image 2.6", "road|sky|horizon|street"),
        ("a lighthouse", "Seedream 5.5", "people|figures|sunrise|window|mist"),
        ("a fox", "Stable Diffusion 3.5", "forest|habitat|snow|morning"),
        ("a village", "Recraft V4", "people|figures|sunrise|window"),
    ] {
        let pattern = regex::Regex::new(&format!(r"(?i)\b(?:{invented})s?\b")).expect("a pattern");
        let result = run(&for_target(goal, model));
        assert!(!pattern.is_match(&result.prompt), "{goal}: {}", result.prompt);
        let listed = result
            .assumptions
            .iter()
            .any(|text| text.contains("light") || text.contains("composition"));
        assert!(listed, "{:?}", result.assumptions);
    }
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
fn lettering_stays_in_its_phrase_once_and_in_straight_quotes() {
    for (goal, phrase) in [
        (
            "a diner with a sign that says OPEN 24 HOURS in neon",
            "a sign that says \"OPEN 24 HOURS\" in neon",
        ),
        (
            "a birthday card with the words 'Happy Birthday, Anna!' and balloons",
            "with the words \"Happy Birthday, Anna!\" and balloons",
        ),
        (
            "a poster that says “No cars. No noise!” above a park",
            "that says \"No cars. No noise!\" above a park",
        ),
        (
            "Ein Schild mit der Aufschrift „Frisch. Lokal. Gut!“ vor einer Bäckerei",
            "mit der Aufschrift \"Frisch. Lokal. Gut!\" vor einer Bäckerei",
        ),
        (
            "une affiche avec le texte « Bienvenue, chez nous ! » en bleu",
            "avec le texte \"Bienvenue, chez nous !\" en bleu",
        ),
        ("ラーメン屋の看板に「営業中」と書かれている、夜", "看板に\"営業中\"と書かれている、夜"),
    ] {
        for model in ["Ideogram 4.5", "Nano Banana 2.1", "Nano Banana Pro", "Midjourney V8.1"] {
            let prompt = run(&for_target(goal, model)).prompt;
            assert!(prompt.contains(phrase), "{prompt}");
            let words = phrase.split('"').nth(1).expect("quoted words");
            assert_eq!(prompt.matches(words).count(), 1, "{prompt}");
            for version in optimized(goal, model) {
                assert!(version.integrity.passed);
                assert!(version.prompt.contains(words), "{}", version.prompt);
            }
        }
    }
    // Apostrophes are no quotation marks, and a name is no lettering.
    let prompt = run(&for_target("my dogs' bowl and a cat named Rex", "Nano Banana Pro")).prompt;
    assert!(!prompt.contains('"'), "{prompt}");
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
