//! Goals that say little, placeholders of the user's, conversations.

use crate::common;

use common::{brief, generate, run};
use engine::{GenerateBrief, OutputMode, Role, Turn};

#[test]
fn small_goals_become_sensible_tasks() {
    for (goal, task) in [
        ("I need something to eat", "Fulfil this request: I need something to eat."),
        ("A cat", "Fulfil this request: A cat."),
        ("https://example.com", "Read https://example.com and say"),
        ("Use {{a}} and {{b}} to write a letter", "\nUse {{a}} and {{b}} to write a letter."),
        ("Write a haiku\0 about rain", "Write a haiku about rain."),
    ] {
        let prompt = generate(goal).prompt;
        assert!(prompt.contains(task), "{goal}: {prompt}");
    }
}

#[test]
fn a_greeting_leads_to_questions() {
    for goal in ["hi", "hi there", "?", "Hello!"] {
        let result = generate(goal);
        assert!(result.prompt.contains("ask what they need"), "{}", result.prompt);
        assert_eq!(result.clarifying_questions.len(), 3);
    }
}

#[test]
fn placeholders_of_the_user_are_not_contradicted() {
    let goal = "Write an email in a {{tone}} tone with {{length}} words to my landlord";
    let result = generate(goal);
    assert!(!result.prompt.contains("180 words"), "{}", result.prompt);
    assert!(result.assumptions.is_empty(), "{:?}", result.assumptions);
    let result = run(&GenerateBrief { output_mode: OutputMode::Reusable, ..brief(goal) });
    assert_eq!(result.prompt.matches("{{length}}").count(), 1, "{}", result.prompt);
}

#[test]
fn a_price_is_no_budget_and_a_property_no_duration() {
    let goal = "Write a product description for a 750 ml steel bottle, price 29.90 EUR, keeps drinks cold 24 hours {{#if x}}new{{/if}}";
    let result = run(&GenerateBrief { output_mode: OutputMode::Reusable, ..brief(goal) });
    let names: Vec<&str> = result.variables.iter().map(|item| item.name.as_str()).collect();
    assert!(!names.contains(&"budget") && result.prompt.contains("29.90 EUR"), "{names:?}");
    assert!(!names.contains(&"duration") && !names.iter().any(|name| name.contains("if")));
    assert!(!result.title.contains("750 Ml"), "{}", result.title);
}

#[test]
fn an_inline_text_is_not_asked_for() {
    let result = generate("Translate \"guten Morgen\" to Japanese");
    assert!(!result.prompt.contains("follows this prompt"), "{}", result.prompt);
    assert!(!result.clarifying_questions.iter().any(|text| text.contains("text")));
    assert_eq!(result.title.matches('"').count() % 2, 0, "{}", result.title);
}

#[test]
fn languages_without_texts_of_their_own_are_named_in_full() {
    let result = run(&GenerateBrief {
        language: "zh-Hant-TW".to_owned(),
        ..brief("Write an email to my landlord")
    });
    assert!(result.prompt.contains("in Chinese (Traditional, Taiwan)."), "{}", result.prompt);
    assert!(result.assumptions.iter().any(|text| text.contains("are in English")));
}

fn turn(role: Role, content: &str) -> Turn {
    Turn { role, content: content.to_owned() }
}

#[test]
fn the_task_comes_from_the_conversation() {
    let conversation = vec![
        turn(Role::Assistant, "Hello! How can I help?"),
        turn(Role::User, "I need a birthday poem for Helga, who turns 80 and loves roses"),
        turn(Role::Assistant, "Nice. Should it be funny or solemn?"),
    ];
    for message in ["Funny, please", "Now write it", "Go ahead", "Yes"] {
        let result = run(&GenerateBrief { conversation: conversation.clone(), ..brief(message) });
        let task = result.prompt.split("## Task\n").nth(1).unwrap_or_default();
        let task = task.lines().next().unwrap_or_default();
        for fact in ["poem", "Helga", "80", "roses"] {
            assert!(task.contains(fact), "{message}: {}", result.prompt);
        }
        assert!(!result.prompt.contains("write it") && !result.prompt.contains("Go ahead"));
        if message.starts_with("Funny") {
            assert!(result.prompt.contains("- Tone: funny."), "{}", result.prompt);
        }
    }
}
