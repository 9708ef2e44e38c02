//! Wishes about a prompt that the user brings along.
#![allow(clippy::expect_used)]

use crate::common;

use common::{for_target, run};
use engine::{GenerateBrief, Generation};

fn changed(prompt: &str, message: &str, target: &str) -> Generation {
    let brief =
        GenerateBrief { current_prompt: Some(prompt.to_owned()), ..for_target(message, target) };
    run(&brief)
}

#[test]
fn what_is_wanted_instead_is_put_in_place_or_required() {
    let sale = "Announce our 20% discount on everything.";
    let wish = "Mention free shipping instead of the discount";
    let prompt = changed(sale, wish, "Universal").prompt;
    assert_eq!(prompt, format!("{sale} {wish}."));
    let story = "Write a story about a cat in a forest.";
    let prompt = changed(story, "Use an owl instead of the cat", "Universal").prompt;
    assert_eq!(prompt, "Write a story about an owl in a forest.");
    let lesson = "Create a 45-minute lesson plan about volcanoes.";
    let prompt = changed(lesson, "Make it 60 minutes instead of 45", "Universal").prompt;
    assert_eq!(prompt, "Create a 60-minute lesson plan about volcanoes.");
}

#[test]
fn a_language_is_asked_for_once_and_never_lost() {
    let post = "Write a post about our new bakery. Tone: playful.";
    for message in ["in German please", "in German, please", "Make it German", "German please"] {
        let result = changed(post, message, "Universal");
        assert_eq!(result.language, "de", "{message}: {}", result.prompt);
        assert!(result.prompt.ends_with("Write the whole answer in German."), "{}", result.prompt);
        assert!(!result.prompt.contains("Deutsch"), "{}", result.prompt);
    }
    let both = changed(post, "no emojis, in German", "Universal").prompt;
    assert!(both.contains("Do not use emojis."), "{both}");
    assert!(both.contains("Write the whole answer in German."), "{both}");
    let both = changed(post, "Make it Spanish, formal", "Universal");
    assert!(both.prompt.contains("Write the whole answer in Spanish."), "{}", both.prompt);
    assert!(
        both.prompt.contains("formal") && !both.prompt.contains("Spanish, formal"),
        "{}",
        both.prompt
    );
    assert_eq!(both.language, "es");
}

#[test]
fn a_picture_changes_in_the_words_of_the_message() {
    let prompt = changed(
        "a lighthouse on a cliff at dawn --ar 16:9 --no people",
        "add a red boat, at night instead of dawn, no birds",
        "Midjourney V8.1",
    )
    .prompt;
    assert!(prompt.starts_with("a lighthouse on a cliff at night, a red boat"), "{prompt}");
    assert!(prompt.contains("birds") && !prompt.contains("no birds --"), "{prompt}");
    let room = "a cozy room with a red sofa";
    let prompt = changed(room, "Make the sofa blue", "Midjourney V8.1").prompt;
    assert!(prompt.starts_with("a cozy room with a red sofa, the sofa blue"), "{prompt}");
}

#[test]
fn a_part_gets_its_own_length() {
    let lesson = "Create a 45-minute lesson plan about volcanoes with a group activity.";
    let prompt = changed(lesson, "Make the activity 10 minutes", "Universal").prompt;
    assert_eq!(prompt, format!("{lesson} Make the activity 10 minutes."));
}
