//! What becomes of the constraints of prompts that are rewritten, and of goals that prompts are written for.
//!
//! ```sh
//! infra/proof/prompt_collections.py inputs.jsonl
//! cargo run -q --release -p rules --example constraints_kept -- inputs.jsonl
//! ```
//!
//! It fails if a version loses or loosens a constraint, if a prompt has no version for that reason, or if a generated
//! prompt says otherwise than its goal.

use std::{env, fs, process::ExitCode};

use domain::Timestamp;
use engine::{
    Engine as _, GenerateBrief, Mode, OutputMode, PromptBrief, TargetModel, constraints,
    integrity::{self, Asked},
};
use futures::FutureExt as _;
use rules::Rules;
use serde_json::Value;

const UNTIL: Timestamp = Timestamp::from_millis(0);
/// Longest goal, in characters.
const GOAL_MAX: usize = 6_000;

#[derive(Debug, Default)]
struct Counts {
    prompts: usize,
    constraints: usize,
    versions: usize,
    tightened: usize,
    failed: usize,
    goals: usize,
    contradicted: usize,
}

fn main() -> ExitCode {
    let files: Vec<String> = env::args().skip(1).collect();
    let mut counts = Counts::default();
    for line in files.iter().flat_map(|file| lines(file)) {
        let row: Value = serde_json::from_str(&line).expect("a JSON line");
        let text = row["text"].as_str().expect("a text");
        let stated = constraints::of(text).len();
        if stated > 0 {
            counts.prompts += 1;
            counts.constraints += stated;
            rewrite(text, &mut counts);
            if text.chars().count() <= GOAL_MAX {
                generate(text, &mut counts);
            }
        }
    }
    println!("{counts:#?}");
    ExitCode::from(u8::from(counts.failed + counts.contradicted > 0))
}

fn lines(file: &str) -> Vec<String> {
    fs::read_to_string(file).expect("a file").lines().map(str::to_owned).collect()
}

fn rewrite(text: &str, counts: &mut Counts) {
    let brief = PromptBrief {
        prompt: text.to_owned(),
        context: String::new(),
        language: "en".to_owned(),
        target_model: TargetModel::default(),
        variations: 2,
        images: Vec::new(),
    };
    let Some(Ok(made)) = Rules.optimize(&brief, UNTIL).now_or_never() else {
        counts.failed += 1;
        println!("no version: {text:?}");
        return;
    };
    for version in made.versions {
        let kept = version.integrity.constraints;
        counts.versions += 1;
        counts.tightened += kept.tightened.len();
        for one in kept.loosened.iter().chain(&kept.lost) {
            counts.failed += 1;
            println!("{} became {:?} in a version of {text:?}", one.quote, one.new_quote);
        }
    }
}

fn generate(text: &str, counts: &mut Counts) {
    let brief = GenerateBrief {
        message: text.to_owned(),
        mode: Mode::Auto,
        output_mode: OutputMode::ReadyToUse,
        target_model: TargetModel::default(),
        language: "en".to_owned(),
        current_prompt: None,
        conversation: Vec::new(),
        previous: None,
        images: Vec::new(),
    };
    let Some(Ok(made)) = Rules.generate(&brief, UNTIL).now_or_never() else { return };
    counts.goals += 1;
    for one in integrity::check(text, &made.prompt, "", &Asked::by("", "en")).constraints.loosened {
        counts.contradicted += 1;
        println!("{} became {:?} in what is written for {text:?}", one.quote, one.new_quote);
    }
}
