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
fn a_span_of_times_in_a_table_is_no_format() {
    let table = "| Hora | Tarea |\n|---|---|\n| 9:00–10:20 | Borrador del informe |";
    assert!(run(&for_target(table, "Universal")).prompt.contains("9:00–10:20"));
    assert!(run(&for_target(table, "Veo 3.1")).prompt.contains("9:00–10:20"));
}
