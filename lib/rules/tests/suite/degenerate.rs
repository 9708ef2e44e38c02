//! Goals that say little, placeholders of the user's, conversations.

use crate::common;

use common::{brief, generate, run};
use engine::{GenerateBrief, OutputMode};

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
