//! Changes that continue a version: other models, other words, other languages.
#![allow(clippy::expect_used)]

use crate::common;

use common::{for_target, run};
use engine::{Beside, GenerateBrief, Generation, Mode, PreviousVersion};

const PICTURE: &str = "A lighthouse on a cliff at dawn with a red boat, 16:9, no people";
const EMAIL: &str = "Write a sales email to a customer with a 20% discount for our bike shop. Mention the discount twice. Budget is under 1000 EUR. The event is on Monday.";

fn brief(goal: &str, from: &str, message: &str, to: &str) -> GenerateBrief {
    let first = run(&for_target(goal, from));
    let previous = PreviousVersion {
        beside: Beside::default(),
        message: goal.to_owned(),
        prompt: first.prompt,
        title: first.title,
    };
    GenerateBrief { previous: Some(previous), ..for_target(message, to) }
}

fn changed(goal: &str, from: &str, message: &str, to: &str) -> Generation {
    run(&brief(goal, from, message, to))
}

#[test]
fn new_words_go_before_the_parameters() {
    let prompt = changed(PICTURE, "Midjourney V8.1", "Add heavy snow", "Midjourney V8.1").prompt;
    assert!(prompt.contains(", heavy snow --ar 16:9"), "{prompt}");
    assert!(prompt.ends_with("--no people, text, watermark"), "{prompt}");
}

#[test]
fn parameters_move_to_where_the_next_model_wants_them() {
    let message = "Now for Stable Diffusion";
    let result = changed(PICTURE, "Midjourney V8.1", message, "Stable Diffusion 3.5");
    assert!(
        !result.prompt.contains("--") && !result.prompt.contains("Stable"),
        "{}",
        result.prompt
    );
    assert_eq!(result.parameters["aspect_ratio"], "16:9");
    let negative = result.negative_prompt.expect("a negative prompt");
    assert_eq!(negative.matches("people").count(), 1, "{negative}");
    let flux = changed(PICTURE, "Midjourney V8.1", "Same, but for FLUX", "FLUX.2").prompt;
    assert!(flux.contains("free of people") && !flux.contains("--"), "{flux}");
    let back = changed(PICTURE, "GPT Image 2.6", "for Midjourney", "Midjourney V8.1").prompt;
    assert!(back.contains("--ar 16:9") && back.ends_with("--no people"), "{back}");
    assert!(!back.contains("Subject:"), "{back}");
}

#[test]
fn sections_take_the_form_of_the_next_model() {
    let claude = changed(EMAIL, "Universal", "Same, but for Claude", "Claude Opus 5.5").prompt;
    assert!(claude.contains("<task>") && !claude.contains("## "), "{claude}");
    assert!(!claude.contains("Same"), "{claude}");
    let gpt = changed(EMAIL, "Claude Opus 5.5", "Same, but for GPT", "GPT-6.2 Sol").prompt;
    assert!(gpt.contains("## Outcome") && !gpt.contains("<task>"), "{gpt}");
}

#[test]
fn what_is_removed_is_gone_instead_of_forbidden() {
    let prompt = changed(EMAIL, "Universal", "Remove the discount", "Universal").prompt;
    assert!(!prompt.contains("Mention the discount twice"), "{prompt}");
    assert!(prompt.contains("- Remove the discount."), "{prompt}");
    let flags = changed(PICTURE, "Midjourney V8.1", "Remove the boat", "Midjourney V8.1").prompt;
    let (words, flags) = flags.split_once(" --").expect("parameters");
    assert!(!words.contains("boat") && flags.ends_with(", boat"), "{words} {flags}");
}

#[test]
fn words_are_exchanged_in_text_and_title() {
    let message = "Make it night instead of dawn";
    let result = changed(PICTURE, "Midjourney V8.1", message, "Midjourney V8.1");
    assert!(result.prompt.contains("at night") && !result.prompt.contains("dawn"));
    assert!(result.title.to_lowercase().contains("at night"), "{}", result.title);
    let other = changed(PICTURE, "Veo 3.1", "Change lighthouse to windmill", "Veo 3.1");
    assert!(other.prompt.contains("a windmill") && other.title.contains("windmill"));
    let email = changed(EMAIL, "Universal", "Friday instead of Monday", "Universal").prompt;
    assert!(email.contains("The event is on Friday."), "{email}");
}

#[test]
fn a_new_budget_replaces_the_old_one() {
    for (message, sum) in
        [("Actually 1100 EUR", "1100 EUR"), ("Set the budget to 900 EUR", "900 EUR")]
    {
        let prompt = changed(EMAIL, "Universal", message, "Universal").prompt;
        assert!(prompt.contains(sum) && !prompt.contains("1000 EUR"), "{prompt}");
        assert!(!prompt.contains(message), "{prompt}");
    }
}

#[test]
fn two_wishes_are_two_requirements() {
    let message = "Use a playful tone and address it to Dr. Meier";
    let prompt = changed(EMAIL, "Universal", message, "Universal").prompt;
    assert!(prompt.contains("- Tone: playful.\n- Address it to Dr. Meier."), "{prompt}");
}

#[test]
fn the_kind_of_prompt_stays() {
    let result = changed(PICTURE, "Midjourney V8.1", "Add snow", "Universal");
    assert_eq!(result.mode, Mode::Image);
    assert!(!result.prompt.contains("--"), "{}", result.prompt);
    let mut brief = brief(EMAIL, "Universal", "Shorter", "Universal");
    if let Some(previous) = &mut brief.previous {
        previous.message = "Make it warmer".to_owned();
    }
    assert_eq!(run(&brief).mode, Mode::Writing);
}

#[test]
fn another_language_is_asked_for_in_the_prompts_own() {
    let asked = "- Write the whole answer in German.";
    let result = changed(EMAIL, "Universal", "Auf Deutsch bitte", "Universal");
    assert!(result.prompt.contains(asked), "{}", result.prompt);
    assert!(!result.prompt.contains("bitte"), "{}", result.prompt);
    let brief = GenerateBrief {
        language: "de".to_owned(),
        ..brief(EMAIL, "Universal", "Make it shorter", "Universal")
    };
    assert!(run(&brief).prompt.contains(asked));
}

#[test]
fn a_format_in_words_changes_the_ratio() {
    let result = changed(PICTURE, "Midjourney V8.1", "hochformat", "Midjourney V8.1");
    assert!(result.prompt.contains("--ar 2:3") && !result.prompt.contains("hochformat"));
    let message = "Remove the boat, portrait orientation";
    let clip = changed(PICTURE, "Veo 3.1", message, "Runway Gen-4.5");
    assert_eq!(clip.parameters["ratio"], "9:16");
    assert!(!clip.prompt.contains("boat") && !clip.prompt.contains("orientation"));
}

#[test]
fn spans_before_nouns_are_exchanged_too() {
    let goal = "Plan a 5-day trip to Rome for 1000 EUR";
    let result = changed(goal, "Universal", "Make it 7 days instead of 5 days", "Universal");
    assert!(result.prompt.contains("7-day trip") && !result.prompt.contains("5-day"));
}

#[test]
fn headings_keep_their_language_when_the_model_changes() {
    let goal = "Schreibe eine Produktbeschreibung für unseren Eichentisch, maximal 120 Wörter";
    let german = |brief: GenerateBrief| GenerateBrief { language: "de".to_owned(), ..brief };
    let first = run(&german(for_target(goal, "Claude Opus 5.5")));
    let previous = PreviousVersion {
        beside: Beside::default(),
        message: goal.to_owned(),
        prompt: first.prompt,
        title: first.title,
    };
    let brief = german(for_target("für ChatGPT", "GPT-6.2 Sol"));
    let result = run(&GenerateBrief { previous: Some(previous), ..brief });
    assert!(result.prompt.contains("## Aufgabe"), "{}", result.prompt);
    assert!(!result.prompt.contains("Outcome"), "{}", result.prompt);
}

#[test]
fn a_language_that_was_asked_for_outlasts_messages_that_name_none() {
    let german = changed(EMAIL, "Universal", "in German", "Universal");
    assert!(german.prompt.contains("Write the whole answer in German."), "{}", german.prompt);
    let previous = PreviousVersion {
        beside: Beside::default(),
        message: "in German".to_owned(),
        prompt: german.prompt,
        title: german.title,
    };
    let shorter = for_target("Make it shorter", "Universal");
    let result = run(&GenerateBrief { previous: Some(previous), ..shorter });
    assert!(result.prompt.contains("Write the whole answer in German."), "{}", result.prompt);
    assert!(!result.prompt.contains("in English"), "{}", result.prompt);
}
