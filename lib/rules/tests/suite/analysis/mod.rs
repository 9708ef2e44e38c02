//! What the tests of analysis need.
#![allow(dead_code)]

use domain::Timestamp;
use engine::{Analysis, Engine, EngineError, PromptBrief, TargetModel};
use futures::FutureExt;
use rules::Rules;

pub fn brief(prompt: &str) -> PromptBrief {
    PromptBrief {
        prompt: prompt.to_owned(),
        context: String::new(),
        language: "en".to_owned(),
        target_model: TargetModel::default(),
        variations: 1,
        images: Vec::new(),
    }
}

pub fn run(brief: &PromptBrief) -> Result<Analysis, EngineError> {
    Rules.analyze(brief, Timestamp::from_millis(0)).now_or_never().expect("rules never wait")
}

pub fn analyze(prompt: &str) -> Analysis {
    run(&brief(prompt)).expect("a result")
}

pub fn for_target(prompt: &str, target: &str) -> Analysis {
    in_context(prompt, target, "")
}

pub fn in_context(prompt: &str, target: &str, context: &str) -> Analysis {
    let target_model = TargetModel::try_from(target).expect("a model of the catalogue");
    let context = context.to_owned();
    run(&PromptBrief { target_model, context, ..brief(prompt) }).expect("a result")
}

/// Rules of the findings with their quotations.
pub fn rules_of(analysis: &Analysis) -> Vec<String> {
    analysis
        .findings
        .iter()
        .map(|finding| format!("{}:{}", finding.rule_id, finding.quote))
        .collect()
}

/// Whether every finding quotes what stands at its offsets, in the order of the prompt.
pub fn assert_exact(prompt: &str, analysis: &Analysis) {
    let points: Vec<char> = prompt.chars().collect();
    for finding in &analysis.findings {
        assert!(finding.start <= finding.end && finding.end <= points.len(), "{finding:?}");
        let quote: String = points[finding.start..finding.end].iter().collect();
        assert_eq!(quote, finding.quote, "{} in {prompt:?}", finding.rule_id);
    }
    let order: Vec<usize> = analysis.findings.iter().map(|finding| finding.start).collect();
    assert!(order.is_sorted(), "{order:?}");
}
