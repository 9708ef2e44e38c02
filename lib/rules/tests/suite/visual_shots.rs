//! How goals for clips are split into shots.
#![allow(clippy::expect_used)]

use crate::common;

use common::{for_target, run};

/// The shots of a prompt.
fn shots(prompt: &str) -> Vec<&str> {
    prompt.lines().filter(|line| line.contains("Shot ")).collect()
}

#[test]
fn words_of_place_and_time_separate_no_shots() {
    for (goal, count, whole) in [
        ("An old man walks into a park, then sits down next to him", 2, "next to him"),
        ("A dog runs on the beach, then lies down next to the boy", 2, "next to the boy"),
        ("A girl opens the door, then waves, next to her a cat", 2, "next to her a cat"),
        ("A man reads, and now and then he looks up, then he sleeps", 2, "now and then"),
        ("A boy waits until then, then he leaves", 2, "until then"),
    ] {
        for model in ["Kling 4.0", "Seedance 2.5"] {
            let prompt = run(&for_target(goal, model)).prompt;
            assert_eq!(shots(&prompt).len(), count, "{model}: {prompt}");
            assert!(prompt.contains(whole), "{model}: {prompt}");
        }
    }
}

#[test]
fn every_shot_names_who_it_shows() {
    for (goal, name) in [
        ("A barista pours milk, then looks at the camera and says \"Ready\"", "barista"),
        ("An old man walks into a park, then he sees a bench, then sits down", "old man"),
        ("The white cat jumps on a table, then knocks over a cup", "white cat"),
        ("A young woman opens a letter, finally smiles", "young woman"),
        ("Slow zoom in on a barista, then smiles, then waves", "barista"),
        ("A red car drives along a coast, then stops at a cliff", "red car"),
    ] {
        for model in ["Kling 4.0", "Seedance 2.5"] {
            let made = run(&for_target(goal, model));
            for shot in shots(&made.prompt) {
                assert!(shot.contains(name), "{model}: {shot}");
            }
            assert!(made.techniques.iter().any(|one| one.why.contains("repeat the subject")));
        }
    }
    let made = run(&for_target("product video: unfold it, ride it, fold it", "Kling 4.0"));
    assert!(!made.techniques.iter().any(|one| one.why.contains("repeat the subject")));
}

#[test]
fn a_camera_move_is_the_camera_of_its_own_shot() {
    let goal = "A barista pours milk into a cup, then smiles, then camera orbits";
    let prompt = run(&for_target(goal, "Seedance 2.5")).prompt;
    let list = shots(&prompt);
    assert!(list[2].ends_with("Camera: orbits."), "{prompt}");
    assert_eq!(prompt.matches("rbits").count(), 1, "{prompt}");
    assert!(!list[0].contains("orbits") && !prompt.contains("Camera orbits."), "{prompt}");
    let kling = run(&for_target(goal, "Kling 4.0")).prompt;
    assert!(shots(&kling)[2].ends_with("the barista, camera orbits."), "{kling}");
    let pan = "A castle in fog, camera pans left, then a dragon lands on the tower";
    let pan = run(&for_target(pan, "Kling 4.0")).prompt;
    assert!(shots(&pan)[0].ends_with("camera pans left."), "{pan}");
    assert_eq!(pan.matches("pans left").count(), 1, "{pan}");
}

#[test]
fn a_spoken_line_stands_in_a_shot() {
    for goal in [
        "A young woman opens a letter. She says \"I knew it\". Rain on the window.",
        "A chef tastes a soup, then smiles. He whispers \"More salt\".",
        "Two dogs chase a ball. A man shouts \"Come back!\"",
    ] {
        for model in ["Kling 4.0", "Seedance 2.5"] {
            let prompt = run(&for_target(goal, model)).prompt;
            let quoting: Vec<&str> = prompt.lines().filter(|line| line.contains('"')).collect();
            assert_eq!(quoting.len(), 1, "{model}: {prompt}");
            assert!(quoting[0].contains("Shot "), "{model}: {prompt}");
        }
    }
}

#[test]
fn a_cut_makes_a_shot_for_every_model_in_every_language() {
    for (goal, first, second) in [
        (
            "A drone shot over a pine forest, then cut to a close-up of a deer drinking",
            "pine forest",
            "close-up of a deer drinking",
        ),
        ("A chef plates pasta. In the next shot guests smile.", "chef plates", "uests smile"),
        ("Ein Hund läuft am Strand, dann Schnitt auf eine Möwe", "Ein Hund läuft", "ine Möwe"),
        ("Una mujer camina por la playa, luego corta a un faro", "na mujer camina", "n faro"),
        ("Une femme marche sur la plage, puis coupe sur un phare", "ne femme marche", "n phare"),
        ("Una donna cammina sulla spiaggia, poi stacco su un faro", "na donna cammina", "n faro"),
        ("Uma mulher caminha na praia, depois corta para um farol", "ma mulher caminha", "m farol"),
    ] {
        for model in [
            "Gemini Omni Flash",
            "Veo 3.1",
            "Kling 4.0",
            "Seedance 2.5",
            "Runway Gen-4.5",
            "MiniMax H3",
            "Wan 2.7",
            "Luma Ray 3.2",
            "LTX-2.5",
        ] {
            let prompt = run(&for_target(goal, model)).prompt;
            let list = shots(&prompt);
            assert_eq!(list.len(), 2, "{model}: {prompt}");
            assert!(list[0].contains(first), "{model}: {prompt}");
            assert!(list[1].contains(second), "{model}: {prompt}");
            assert!(!prompt.contains("one move") && !prompt.contains("never cuts"), "{prompt}");
        }
    }
}

#[test]
fn shots_that_the_user_labelled_stay_as_they_are() {
    let goal =
        "Shot 1 (3 s): extreme close-up of a watch. Shot 2 (4 s): the watch turns on a plinth.";
    for model in ["Veo 3.1", "Kling 4.0", "LTX-2.5"] {
        let prompt = run(&for_target(goal, model)).prompt;
        for label in ["Shot 1 (3 s): extreme close-up of a watch", "Shot 2 (4 s): the watch turns"]
        {
            assert_eq!(prompt.matches(label).count(), 1, "{model}: {prompt}");
        }
        assert_eq!(prompt.matches("Shot ").count(), 2, "{model}: {prompt}");
    }
}

#[test]
fn techniques_do_not_explain_themselves_with_words_of_the_goal() {
    for (goal, model) in [
        ("First drone shot of a bay. Second drone shot of a pier, a sign says Zanzibar", "Veo 3.1"),
        ("a poster that says \"Zanzibar\", camera pans left", "Ideogram 4.5"),
        ("a pier, \"Zanzibar\" on a sign, camera pans left", "Runway Gen-4.5"),
    ] {
        let techniques = run(&for_target(goal, model)).techniques;
        assert!(!techniques.is_empty(), "{goal}");
        for technique in techniques {
            for word in ["drone", "Zanzibar", "pans", "pier"] {
                assert!(!technique.why.contains(word), "{}", technique.why);
            }
        }
    }
}
