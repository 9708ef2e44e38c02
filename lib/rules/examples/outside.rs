//! What the engine makes of the inputs from outside.
//!
//! `cargo run -q -p rules --example outside -- open generate` (or `analyze`, `optimize`, `refine`; or another half)
//!
//! Prints a line of JSON for each input of `tests/outside`: the input beside the result, for somebody who judges
//! them. Nothing is tuned on the files named `kept`.

use domain::Timestamp;
use engine::{
    Beside, Engine, GenerateBrief, Mode, ModelKind, OutputMode, PromptBrief, RefineBrief,
    TargetModel, catalogue,
};
use futures::FutureExt;
use rules::Rules;
use serde_json::{Value, json};

const UNTIL: Timestamp = Timestamp::from_millis(0);

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [half, operation] = words.as_slice() else {
        panic!("usage: outside open|kept generate|analyze|optimize|refine");
    };
    let (file, run): (&str, fn(&Value) -> Value) = match operation.as_str() {
        "generate" => ("goals", generate),
        "analyze" => ("prompts", analyze),
        "optimize" => ("prompts", optimize),
        "refine" => ("pairs", refine),
        other => panic!("no operation {other}"),
    };
    let path = format!("{}/tests/outside/{file}.{half}.jsonl", env!("CARGO_MANIFEST_DIR"));
    for line in std::fs::read_to_string(path).expect("the file is there").lines() {
        let input: Value = serde_json::from_str(line).expect("a line is JSON");
        println!("{}", json!({ "input": input, "result": run(&input) }));
    }
}

fn text(input: &Value, field: &str) -> String {
    input[field].as_str().expect("a text").to_owned()
}

fn generate(input: &Value) -> Value {
    let brief = GenerateBrief {
        message: text(input, "message"),
        mode: Mode::default(),
        output_mode: OutputMode::default(),
        target_model: TargetModel::default(),
        language: text(input, "language"),
        current_prompt: None,
        conversation: Vec::new(),
        previous: None,
        images: Vec::new(),
    };
    value(Rules.generate(&brief, UNTIL).now_or_never())
}

fn brief(input: &Value) -> PromptBrief {
    PromptBrief {
        prompt: text(input, "prompt"),
        context: String::new(),
        language: "en".to_owned(),
        target_model: TargetModel::default(),
        variations: 2,
        images: Vec::new(),
    }
}

fn analyze(input: &Value) -> Value {
    value(Rules.analyze(&brief(input), UNTIL).now_or_never())
}

fn optimize(input: &Value) -> Value {
    value(Rules.optimize(&brief(input), UNTIL).now_or_never())
}

fn refine(input: &Value) -> Value {
    let brief = RefineBrief {
        prompt: text(input, "prompt"),
        beside: Beside::default(),
        feedback: text(input, "feedback"),
        language: "en".to_owned(),
        target_model: target(input),
        images: Vec::new(),
    };
    value(Rules.refine(&brief, UNTIL).now_or_never())
}

/// A model of the kind that the input names, `image` or `video`; else the default.
fn target(input: &Value) -> TargetModel {
    let kind = match input["target"].as_str() {
        Some("image") => ModelKind::Image,
        Some("video") => ModelKind::Video,
        _ => return TargetModel::default(),
    };
    let model = catalogue().iter().find(|model| model.kind == kind).expect("a model of each kind");
    serde_json::from_value(json!(model.name)).expect("the name of a model")
}

/// A result, or why there is none. What runs on one thread without waiting is ready at once.
fn value<T: serde::Serialize, E: std::fmt::Debug>(result: Option<Result<T, E>>) -> Value {
    match result.expect("the result is ready") {
        Ok(made) => serde_json::to_value(made).expect("a result is JSON"),
        Err(error) => json!({ "error": format!("{error:?}") }),
    }
}
