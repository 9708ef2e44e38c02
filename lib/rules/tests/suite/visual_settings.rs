//! Formats, settings and exclusions that goals for pictures and clips state in words.
#![allow(clippy::expect_used)]

use crate::common;

use common::{for_target, run};

#[test]
fn exclusions_stay_where_a_model_has_no_place_for_them() {
    for goal in [
        "drone flight over Norwegian fjord at sunrise, no people, no boats, 5s, 9:16",
        "Rio de Janeiro beach at sunset, drone flight, no people, no boats",
        "tram through Lisbon streets at dusk, rain, no people, no boats",
    ] {
        let veo = run(&for_target(goal, "Veo 3.1"));
        assert_eq!(veo.negative_prompt.as_deref(), Some("people, boats"));
        assert!(!veo.prompt.contains("no people"), "{}", veo.prompt);
        let runway = run(&for_target(goal, "Runway Gen-4.5"));
        assert!(runway.prompt.ends_with("no people, no boats"), "{}", runway.prompt);
        let told = |text: &String| text.contains("may show") && text.ends_with("people, boats.");
        assert!(runway.assumptions.iter().any(told), "{:?}", runway.assumptions);
    }
}

#[test]
fn a_ratio_in_figures_beats_the_word_beside_it_and_leaves_the_text() {
    for (goal, ratio) in [
        ("a lighthouse in a storm, vertical 2:3", "2:3"),
        ("a lighthouse in a storm, 2:3 vertical", "2:3"),
        ("portrait orientation 4:5, a nun reading", "4:5"),
        ("a vertical 2:3 poster of a bear, flat colours", "2:3"),
        ("Leuchtturm im Sturm, 4:5 Hochformat", "4:5"),
        ("Hochformat 4:5, Leuchtturm im Sturm", "4:5"),
        ("un faro en la tormenta, formato vertical 4:5", "4:5"),
        ("a harbour, widescreen 21:9", "21:9"),
    ] {
        for (model, key) in [
            ("Ideogram 4.5", "aspectRatio"),
            ("Nano Banana 2.1", "aspectRatio"),
            ("Recraft V4", "size"),
            ("FLUX.2", "aspectRatio"),
            ("Qwen-Image 3", "aspectRatio"),
            ("Midjourney V8.1", "ar"),
        ] {
            let made = run(&for_target(goal, model));
            assert_eq!(made.parameters[key], ratio, "{model}: {goal}");
            let words = made.prompt.split(" --").next().unwrap_or_default();
            let inside = goal.contains("poster");
            assert_eq!(words.contains(ratio), inside, "{model}: {words}");
            assert!(!words.contains("format"), "{model}: {words}");
        }
    }
}

#[test]
fn settings_in_words_are_set_and_not_painted() {
    for (goal, steps, cfg) in [
        ("a street in Rome, steps 20, cfg 3, negative prompt: people, cars", 20.0, 3.0),
        ("a street in Rome. CFG scale: 7.5, Steps: 28. Negative prompt: people, cars", 28.0, 7.5),
        ("a street in Rome, steps 30, guidance 5, negative: people, cars", 30.0, 5.0),
        ("steps 12, a street in Rome, cfg=4. Negative prompt: people, cars", 12.0, 4.0),
        ("a street in Rome\nsteps: 25\ncfg scale: 6\nNegative prompt: people, cars", 25.0, 6.0),
    ] {
        let made = run(&for_target(goal, "Stable Diffusion 3.5"));
        assert_eq!(made.parameters["steps"].as_f64(), Some(steps), "{goal}");
        assert_eq!(made.parameters["cfg_scale"].as_f64(), Some(cfg), "{goal}");
        let negative = made.negative_prompt.expect("a negative prompt");
        assert_eq!(negative, "people, cars", "{goal}");
        let lower = made.prompt.to_lowercase();
        for gone in ["steps", "cfg", "negative", "people", "guidance"] {
            assert!(!lower.contains(gone), "{gone}: {lower}");
        }
        assert!(lower.contains("a street in rome"), "{lower}");
    }
    let stairs = run(&for_target("a staircase with 20 steps", "Stable Diffusion 3.5"));
    assert!(stairs.prompt.contains("20 steps"), "{}", stairs.prompt);
    assert_eq!(stairs.parameters["steps"], 40);
    let flux = run(&for_target("a street, steps 20", "FLUX.2"));
    assert!(!flux.prompt.contains("steps"), "{}", flux.prompt);
    assert!(flux.assumptions.iter().any(|text| text.contains("steps 20")));
}

#[test]
fn a_span_of_times_in_a_table_is_no_format() {
    let table = "| Hora | Tarea |\n|---|---|\n| 9:00–10:20 | Borrador del informe |";
    assert!(run(&for_target(table, "Universal")).prompt.contains("9:00–10:20"));
    assert!(run(&for_target(table, "Veo 3.1")).prompt.contains("9:00–10:20"));
}
