//! What every result has.

use engine::{EngineIdentity, Recovery, Reversal, ReverseBrief, ReverseKind, tokens};
use serde_json::Map;

/// A result with a prompt, and nothing else that depends on the content.
pub fn new(kind: ReverseKind, prompt: String, brief: &ReverseBrief) -> Reversal {
    Reversal {
        kind,
        recovery: Recovery::Inferred,
        confidence: 0.0,
        token_estimate: tokens::estimate(&prompt, brief.target_model),
        prompt,
        negative_prompt: None,
        parameters: Map::new(),
        provenance: None,
        description: String::new(),
        key_elements: Vec::new(),
        style: None,
        shots: None,
        structure: None,
        limitations: Vec::new(),
        language: brief.language.clone(),
        engine: EngineIdentity::rules(),
    }
}

/// A number with two decimals.
pub fn hundredths(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}
