//! How often the better one of two prompts scores higher.
//!
//! `cargo run -q --release -p engine --example scores -- [--misses]`
//!
//! The pairs are judgements of one writer, made without knowledge of the rules. They are measured, never tuned on.

use std::collections::BTreeMap;

use domain::Timestamp;
use engine::{Engine, PromptBrief, Rules, TargetModel};
use futures::FutureExt;
use serde_json::Value;

fn main() {
    let shows_misses = std::env::args().any(|argument| argument == "--misses");
    let mut counts: BTreeMap<String, [u32; 3]> = BTreeMap::new();
    for line in include_str!("../tests/suite/analyzing_pairs.jsonl").lines() {
        let pair: Value = serde_json::from_str(line).expect("a line of JSON");
        let text = |name: &str| pair[name].as_str().expect("a text");
        let (better, worse) =
            (score(text("better"), text("target")), score(text("worse"), text("target")));
        let column = match better.cmp(&worse) {
            std::cmp::Ordering::Greater => 0,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Less => 2,
        };
        for group in ["all", text("language"), text("target")] {
            counts.entry(group.to_owned()).or_default()[column] += 1;
        }
        if shows_misses && column > 0 {
            println!("{} {better} <= {worse}: {}", text("id"), text("why"));
        }
    }
    println!("{:<10}{:>8}{:>8}{:>8}", "pairs", "higher", "same", "lower");
    for (group, [higher, same, lower]) in counts {
        println!("{group:<10}{higher:>8}{same:>8}{lower:>8}");
    }
}

fn score(prompt: &str, target: &str) -> u8 {
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
    analysis.expect("rules never wait").expect("a prompt with text").overall_score
}
