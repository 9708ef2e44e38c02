//! Formats, exclusions and shots of pictures and clips.

use crate::common;

use common::{for_target, run};

const GOAL: &str = "A lighthouse on a cliff at dawn, wide format, without people";

#[test]
fn a_format_in_words_sets_the_ratio_and_leaves_the_prose() {
    for (goal, ratio) in [
        (GOAL, "16:9"),
        ("A lighthouse in portrait orientation", "2:3"),
        ("Ein Leuchtturm auf einer Klippe, Querformat", "16:9"),
        ("Ein Leuchtturm auf einer Klippe im Hochformat", "2:3"),
        ("崖の上の灯台、横長", "16:9"),
        ("崖の上の灯台、縦長", "2:3"),
    ] {
        let result = run(&for_target(goal, "Midjourney V8.1"));
        assert_eq!(result.parameters["ar"], ratio, "{goal}: {}", result.prompt);
        for word in ["wide format", "orientation", "format", "横長", "縦長"] {
            assert!(!result.prompt.contains(word), "{}", result.prompt);
        }
        assert!(!result.assumptions.iter().any(|text| text.contains("No format was given")));
    }
    let clip = run(&for_target("A lighthouse in portrait orientation", "Veo 3.1"));
    assert_eq!(clip.parameters["aspectRatio"], "9:16");
}

#[test]
fn an_article_inside_a_sentence_is_lower_case() {
    let result = run(&for_target(GOAL, "FLUX.2"));
    assert!(result.prompt.contains("photograph of a lighthouse"), "{}", result.prompt);
}

#[test]
fn people_are_excluded_in_every_language() {
    for (goal, own) in [
        (GOAL, "free of people"),
        ("Ein Leuchtturm auf einer Klippe, ohne Menschen", "Im Bild fehlen: Menschen"),
        ("Un phare sur une falaise, sans personnes", "Absents de l'image : personnes"),
        ("Un faro en un acantilado, sin personas", "no aparecen: personas"),
        ("Un faro su una scogliera, senza persone", "mancano: persone"),
        ("Um farol num penhasco, sem pessoas", "não aparecem: pessoas"),
        ("崖の上の灯台、人なし", "画面に入れないもの：人物"),
        ("悬崖上的灯塔,没有人", "画面中不出现：人物"),
    ] {
        let flags = run(&for_target(goal, "Midjourney V8.1")).prompt;
        assert!(flags.contains("--no people"), "{flags}");
        assert!(!flags.contains("、,"), "{flags}");
        let negative = run(&for_target(goal, "Veo 3.1")).negative_prompt.unwrap_or_default();
        assert!(negative.starts_with("people"), "{goal}: {negative}");
        // Where there is no field for it, the prompt says it in its own language.
        let positive = run(&for_target(goal, "FLUX.2")).prompt;
        assert!(positive.contains(own), "{positive}");
    }
}

#[test]
fn places_get_shots_without_people() {
    for name in ["Kling 4.0", "Veo 3.1", "Runway Gen-4.5", "LTX-2.5", "Seedance 2.5"] {
        for goal in
            [GOAL, "An old lighthouse on a cliff at dawn", "A red vase on a table, no people"]
        {
            let prompt = run(&for_target(goal, name)).prompt;
            for word in ["the person", "the face", "gesture", "footsteps"] {
                assert!(!prompt.contains(word), "{name}: {prompt}");
            }
        }
    }
}
