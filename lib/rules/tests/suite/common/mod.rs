//! What several tests need.
#![allow(dead_code)]

use domain::Timestamp;
use engine::{
    Beside, Engine, GenerateBrief, Generation, Mode, OutputMode, RefineBrief, Refinement,
    TargetModel, changes,
};
use futures::FutureExt;
use rules::Rules;

pub fn brief(message: &str) -> GenerateBrief {
    GenerateBrief {
        message: message.to_owned(),
        mode: Mode::Auto,
        output_mode: OutputMode::ReadyToUse,
        target_model: TargetModel::default(),
        language: "en".to_owned(),
        current_prompt: None,
        conversation: Vec::new(),
        previous: None,
        images: Vec::new(),
    }
}

pub fn target(name: &str) -> TargetModel {
    TargetModel::try_from(name).expect("a model of the catalogue")
}

pub fn for_target(message: &str, name: &str) -> GenerateBrief {
    GenerateBrief { target_model: target(name), ..brief(message) }
}

pub fn run(brief: &GenerateBrief) -> Generation {
    Rules
        .generate(brief, Timestamp::from_millis(0))
        .now_or_never()
        .expect("rules never wait")
        .expect("a result")
}

pub fn generate(message: &str) -> Generation {
    run(&brief(message))
}

/// Name of a mode as in JSON.
pub fn mode_name(mode: Mode) -> String {
    serde_json::to_value(mode).expect("a mode").as_str().expect("a string").to_owned()
}

/// Refines a prompt for a model. The changes lead to exactly the new prompt, and nothing is lost.
pub fn refine_for(model: &str, prompt: &str, feedback: &str) -> Refinement {
    let brief = RefineBrief {
        beside: Beside::default(),
        prompt: prompt.to_owned(),
        feedback: feedback.to_owned(),
        language: "en".to_owned(),
        target_model: target(model),
        images: Vec::new(),
    };
    let result = Rules
        .refine(&brief, Timestamp::from_millis(0))
        .now_or_never()
        .expect("rules never wait")
        .expect("a result");
    assert_eq!(changes::apply(prompt, &result.changes).as_deref(), Some(result.prompt.as_str()));
    assert!(result.integrity.passed, "{:?}", result.integrity);
    result
}
