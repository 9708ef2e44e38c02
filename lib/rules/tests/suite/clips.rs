//! What prompts for clips keep, leave out and never invent.
#![allow(clippy::expect_used)]

use crate::common;

use common::{for_target, run};

#[test]
fn what_a_clip_shows_stays_whole() {
    for goal in [
        "A cook washes frying pans, then tilts her head and laughs",
        "A runner on a beach, slow dolly in, then orbit around her, finally a crane shot up",
        "Two shots: first a wide shot of a road, then a close-up of a driver",
        "Shot 1 (3 s): extreme close-up of a watch. Shot 2 (4 s): the watch turns on a plinth.",
        "An old man says “We made it, finally! No more rain.” and smiles",
    ] {
        for model in ["Veo 3.1", "Runway Gen-4.5", "Kling 4.0", "Seedance 2.5", "LTX-2.5"] {
            assert_eq!(run(&for_target(goal, model)).prompt, goal, "{model}");
        }
    }
}

#[test]
fn times_and_scores_are_no_formats() {
    for (goal, kept, ratio) in [
        ("A lighthouse at 16:45, waves breaking", "at 16:45", "16:9"),
        ("A train arrives at 10:30 in the morning", "at 10:30 in the morning", "16:9"),
        ("Fans cheer after a 2:1 win", "2:1 win", "16:9"),
        ("A scoreboard shows 3:2 for the home team", "3:2 for the home team", "16:9"),
        ("A clock at 9:16 in the evening", "at 9:16 in the evening", "16:9"),
        ("A boat race, 9:16", "A boat race", "9:16"),
        ("A 9:16 video of a dog catching a ball", "dog catching a ball", "9:16"),
        ("A dog catching a ball in 4:5", "dog catching a ball", "4:5"),
        ("A dog catching a ball, aspect ratio 21:9", "dog catching a ball", "21:9"),
        ("A dog catching a ball, 1:1 format", "dog catching a ball", "1:1"),
    ] {
        let result = run(&for_target(goal, "Veo 3.1"));
        let prompt = result.prompt.to_lowercase();
        assert!(prompt.contains(&kept.to_lowercase()), "{prompt}");
        assert_eq!(result.parameters["aspectRatio"], ratio, "{goal}");
    }
}

#[test]
fn a_duration_is_a_setting_and_an_instant_is_not() {
    for (goal, seconds, kept) in [
        ("A kite over a beach, 8 seconds", 8, "kite over a beach"),
        ("A 12 second clip of a kite", 12, "kite"),
        ("Ein Drachen am Strand, 6 Sekunden", 6, "Ein Drachen am Strand"),
    ] {
        let result = run(&for_target(goal, "Kling 4.0"));
        assert_eq!(result.parameters["duration"], seconds, "{goal}");
        assert!(result.prompt.contains(kept), "{}", result.prompt);
    }
}

#[test]
fn clips_in_other_languages_are_not_half_translated() {
    let english = regex::Regex::new(
        r"(?i)\b(?:the|of|with|light|slow|camera performs|look|scene|subject|sound|steady)\b",
    )
    .expect("a pattern");
    for goal in [
        "Ein Hund läuft durch den Schnee, ohne Menschen",
        "Un chat dort sur un canapé",
        "Una mujer camina por la playa",
        "一只猫跳上桌子，然后打翻杯子",
        "猫がテーブルに飛び乗る",
    ] {
        for model in
            ["Veo 3.1", "Runway Gen-4.5", "LTX-2.5", "Kling 4.0", "Seedance 2.5", "Wan 2.7"]
        {
            let prompt = run(&for_target(goal, model)).prompt;
            assert!(!english.is_match(&prompt), "{model}: {prompt}");
            let scene = goal.split([',', '，']).next().unwrap_or_default();
            assert!(prompt.contains(scene), "{model}: {prompt}");
        }
    }
}

#[test]
fn the_sign_of_a_number_is_not_taken_for_a_list_marker() {
    let prompt =
        "# Task\nShow a frozen lake.\n\n## Requirements\n- -4 °C on the thermometer\n- 8 seconds\n";
    for target in ["Luma Ray 3.2", "Veo 3.1", "Runway Gen-4.5"] {
        let made = run(&for_target(prompt, target));
        assert!(made.prompt.contains("-4 °C"), "{target}: {}", made.prompt);
    }
}
