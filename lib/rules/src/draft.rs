//! A result before it is finished.

use serde_json::Map;

use crate::analyze::variables_of;
use crate::wording::Voice;
use engine::{EngineIdentity, GenerateBrief, Generation, Mode, Section, tokens};

/// A result with a prompt of one section, and with what follows from it and from the brief.
pub fn of(prompt: String, mode: Mode, brief: &GenerateBrief) -> Generation {
    let model = brief.target_model.model();
    let too_long = prompt.chars().count() > model.max_prompt_chars;
    let remark = too_long.then(|| {
        Voice::of(&brief.language).say(
            "The prompt is longer than the {} characters that {2} takes: shorten the description.",
            &[&model.max_prompt_chars.to_string(), &model.name],
        )
    });
    Generation {
        title: String::new(),
        mode,
        output_mode: brief.output_mode,
        system_prompt: None,
        negative_prompt: None,
        parameters: Map::new(),
        sections: vec![Section { heading: "Prompt".to_owned(), text: prompt.clone() }],
        variables: variables_of(&prompt),
        assumptions: remark.into_iter().collect(),
        clarifying_questions: Vec::new(),
        techniques: Vec::new(),
        usage_guide: Vec::new(),
        token_estimate: tokens::estimate(&prompt, brief.target_model),
        language: brief.language.clone(),
        engine: EngineIdentity::rules(),
        prompt,
    }
}
