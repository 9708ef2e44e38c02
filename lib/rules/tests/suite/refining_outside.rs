//! What refining makes of pairs of prompt and feedback whose authors had not read the rules.
#![allow(clippy::expect_used)]

use crate::common;

use common::refine_for;
use serde_json::Value;

/// What the feedback of each pair leaves is still there, and what was valid JSON still is.
#[test]
fn what_must_stay_stays() {
    let pairs = include_str!("../outside/pairs.open.jsonl");
    for line in pairs.lines() {
        let pair: Value = serde_json::from_str(line).expect("a line is JSON");
        let (prompt, feedback) = (pair["prompt"].as_str(), pair["feedback"].as_str());
        let prompt = prompt.expect("a prompt");
        let result = refine_for("Universal", prompt, feedback.expect("feedback"));
        let is_json = |text: &str| serde_json::from_str::<Value>(text).is_ok();
        assert!(!is_json(prompt) || is_json(&result.prompt), "{}", pair["id"]);
        for kept in pair["mustKeep"].as_array().expect("a list") {
            let kept = kept.as_str().expect("a text");
            let stands = result.prompt.contains(kept) || !prompt.contains(kept);
            assert!(stands, "{}: {kept}\n{}", pair["id"], result.prompt);
        }
        assert!(!result.feedback_items.is_empty());
    }
}
