//! What prompts for clips keep, leave out and never invent.
#![allow(clippy::expect_used)]

use crate::common;

use common::{for_target, run, target};
use domain::Timestamp;
use engine::{Engine, PromptBrief};
use futures::FutureExt;
use rules::Rules;

const MOVES: &str =
    "A runner on a beach, slow dolly in, then orbit around her, finally a crane shot up";

#[test]
fn one_camera_move_stays_and_the_others_are_named_as_left_out() {
    for model in ["Veo 3.1", "Runway Gen-4.5", "Luma Ray 3.2", "LTX-2.5"] {
        let result = run(&for_target(MOVES, model));
        assert!(result.prompt.contains("slow dolly in"), "{}", result.prompt);
        for gone in ["orbit", "crane"] {
            assert!(!result.prompt.contains(gone), "{}", result.prompt);
        }
        let told = |text: &String| text.contains("orbit around her, crane shot up");
        assert!(result.assumptions.iter().any(told), "{:?}", result.assumptions);
    }
    let main = run(&for_target(
        "A castle in fog, the camera pans left, the main move is a slow zoom in",
        "Veo 3.1",
    ));
    assert!(main.prompt.contains("zoom in") && !main.prompt.contains("pans"), "{}", main.prompt);
    let brief = PromptBrief {
        prompt: MOVES.to_owned(),
        context: String::new(),
        language: "en".to_owned(),
        target_model: target("Veo 3.1"),
        variations: 2,
        images: Vec::new(),
    };
    let result = Rules.optimize(&brief, Timestamp::from_millis(0)).now_or_never();
    let versions = result.expect("rules never wait").expect("a result").versions;
    assert!(!versions[1].prompt.contains("orbit"), "{}", versions[1].prompt);
    assert!(versions[1].rationale.contains("orbit around her"), "{}", versions[1].rationale);
}

#[test]
fn what_a_left_out_move_shows_is_still_shown() {
    let prompt = run(&for_target(
        "The camera pans left across the harbour, then zooms in on a fisherman mending a net",
        "Veo 3.1",
    ))
    .prompt;
    assert!(prompt.contains("a fisherman mending a net") && !prompt.contains("zoom"), "{prompt}");
}

#[test]
fn shot_lists_give_each_move_a_shot() {
    for model in ["Kling 4.0", "Seedance 2.5"] {
        let prompt = run(&for_target(MOVES, model)).prompt;
        let at = |text: &str| prompt.find(text).unwrap_or_else(|| panic!("{text} in {prompt}"));
        assert!(at("Shot 1") < at("slow dolly in") && at("slow dolly in") < at("Shot 2"));
        assert!(at("Shot 2") < at("orbit around her") && at("orbit around her") < at("Shot 3"));
        assert!(at("Shot 3") < at("crane shot up"));
        assert!(prompt.contains("unner on a beach"), "{prompt}");
    }
}

#[test]
fn words_that_only_look_like_moves_stay() {
    for goal in [
        "A cook washes frying pans, then tilts her head and laughs",
        "A dancer spins while a crowd follows the beat",
    ] {
        let result = run(&for_target(goal, "Veo 3.1"));
        assert!(result.prompt.contains(&goal[2..]), "{}", result.prompt);
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
        ("A 9:16 video of a dog catching a ball", "a dog catching a ball", "9:16"),
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
        ("A kite rises, after 3 seconds it dives", 10, "after 3 seconds it dives"),
    ] {
        let result = run(&for_target(goal, "Kling 4.0"));
        assert_eq!(result.parameters["duration"], seconds, "{goal}");
        assert!(result.prompt.contains(kept), "{}", result.prompt);
    }
}

#[test]
fn dialogue_stays_word_for_word() {
    for (goal, words) in [
        (
            "An old man says \"We made it, finally! No more rain.\" and smiles",
            "\"We made it, finally! No more rain.\"",
        ),
        ("Eine Frau sagt: „Ich komme, dann gehe ich.“ und lacht", "\"Ich komme, dann gehe ich.\""),
        ("A girl whispers 'Then we run, okay?' to her dog", "\"Then we run, okay?\""),
    ] {
        for model in ["Veo 3.1", "Kling 4.0", "LTX-2.5", "Runway Gen-4.5"] {
            let prompt = run(&for_target(goal, model)).prompt;
            assert_eq!(prompt.matches(words).count(), 1, "{model}: {prompt}");
        }
    }
}

#[test]
fn no_clip_is_set_anywhere_that_the_goal_does_not_name() {
    let invented = regex::Regex::new(
        r"(?i)\b(?:roads?|engine|wheels?|vehicle|kitchen|sizzle|birds?|footsteps|hands|mist|wind|rain|people|surface|studio)\b",
    )
    .expect("a pattern");
    for goal in
        ["a railway station at night", "a bowl of ramen", "a mountain", "a sports car", "a fox"]
    {
        for model in [
            "LTX-2.5",
            "Veo 3.1",
            "Kling 4.0",
            "Seedance 2.5",
            "Runway Gen-4.5",
            "MiniMax H3",
            "Wan 2.7",
            "Luma Ray 3.2",
            "Gemini Omni Flash",
        ] {
            let prompt = run(&for_target(goal, model)).prompt;
            assert!(!invented.is_match(&prompt), "{model}: {prompt}");
        }
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
