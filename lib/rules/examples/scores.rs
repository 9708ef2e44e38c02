//! How often the better one of two prompts scores higher.
//!
//! ```sh
//! cargo run -q --release -p rules --example scores
//! cargo run -q --release -p rules --example scores -- lib/rules/tests/suite/analyzing_pairs_training.jsonl
//! ```
//!
//! Without a file it counts the pairs that nothing may be tuned on: judgements of one writer, made without knowledge of
//! the rules. Of the pairs in a file it prints those that are not in order besides, with what the rules found.

use std::collections::BTreeMap;

use domain::Timestamp;
use engine::{Analysis, Engine, PromptBrief, TargetModel};
use futures::FutureExt;
use rules::Rules;
use serde_json::Value;

fn main() {
    let file = std::env::args().nth(1);
    let pairs = file.as_ref().map_or_else(
        || include_str!("../tests/suite/analyzing_pairs.jsonl").to_owned(),
        |file| std::fs::read_to_string(file).expect("a file of pairs"),
    );
    let mut counts: BTreeMap<String, [u32; 3]> = BTreeMap::new();
    for line in pairs.lines() {
        let pair: Value = serde_json::from_str(line).expect("a line of JSON");
        let text = |name: &str| pair[name].as_str().expect("a text");
        let (better, worse) =
            (analyze(text("better"), text("target")), analyze(text("worse"), text("target")));
        let column = match better.overall_score.cmp(&worse.overall_score) {
            std::cmp::Ordering::Greater => 0,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Less => 2,
        };
        for group in ["all", text("language"), text("target")] {
            counts.entry(group.to_owned()).or_default()[column] += 1;
        }
        if file.is_some() && column > 0 {
            println!("{} {} {}", text("id"), text("language"), text("why"));
            println!("  {}", told(text("better"), &better));
            println!("  {}", told(text("worse"), &worse));
        }
    }
    println!("{:<10}{:>8}{:>8}{:>8}", "pairs", "higher", "same", "lower");
    for (group, [higher, same, lower]) in counts {
        println!("{group:<10}{higher:>8}{same:>8}{lower:>8}");
    }
}

/// A prompt with its score and what the rules found in it.
fn told(prompt: &str, analysis: &Analysis) -> String {
    let rules: Vec<&str> =
        analysis.findings.iter().map(|finding| finding.rule_id.as_str()).collect();
    let prompt: String = prompt.chars().take(120).collect();
    format!("{:>3} {} {prompt:?}", analysis.overall_score, rules.join(" "))
}

fn analyze(prompt: &str, target: &str) -> Analysis {
    let model = match target {
        "image" => "FLUX.2",
        "video" => "Veo 3.1",
        _ => "Universal",
    };
    let brief = PromptBrief {
        prompt: prompt.to_owned(),
        context: String::new(),
        // Only what an analysis says is in this language.
        language: "en".to_owned(),
        target_model: TargetModel::try_from(model).expect("a model of the catalogue"),
        variations: 1,
        images: Vec::new(),
    };
    let analysis = Rules.analyze(&brief, Timestamp::from_millis(0)).now_or_never();
    analysis.expect("rules never wait").expect("a prompt with text")
}
