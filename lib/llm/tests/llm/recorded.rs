//! Good answers of a model are taken at once, and dishonest ones are sent back.
//!
//! `tests/recorded` has everyday prompts with the answers of somebody who played the model: `remarks` and `refined` are
//! changed as feedback asks, `versions` are better prompts, and each of `dishonest` has lost one thing that is listed under
//! a clause which has nothing to do with it.

use engine::{
    Engine, EngineError,
    integrity::{self, Asked},
};
use serde_json::{Value, json};

use crate::{
    answers::{item, optimization, refinement, version},
    dialect::{Dialect, Outcome},
    world::{TestClock, after, engine, feedback, prompt, target},
};

fn cases(name: &str) -> Vec<Value> {
    let path = format!("{}/tests/recorded/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn text<'a>(case: &'a Value, field: &str) -> &'a str {
    case[field].as_str().unwrap_or_default()
}

/// How many requests it takes until an answer is taken or given up.
async fn requests<T>(
    answer: Value,
    ask: impl AsyncFn(&llm::Llm) -> Result<T, EngineError>,
) -> usize {
    let dialect = Dialect::OpenAi;
    let stub = dialect.start([1, 2].map(|_| dialect.play(Outcome::Answer(answer.clone())))).await;
    let taken = ask(&engine(dialect, &stub, TestClock::new())).await.is_ok();
    if taken { stub.seen().len() } else { 0 }
}

async fn refined(case: &Value, written: &str, removed: Value) -> usize {
    let mut brief = feedback(text(case, "prompt"), text(case, "feedback"));
    brief.target_model = target(text(case, "targetModel"));
    brief.language = text(case, "language").to_owned();
    let mut answer = refinement(written, json!([item(text(case, "feedback"), "applied")]));
    answer["removed"] = removed;
    requests(answer, async |engine: &llm::Llm| engine.refine(&brief, after(120)).await).await
}

/// What is gone in an answer, listed with the whole feedback as its reason.
fn everything(case: &Value) -> Value {
    let nothing = Asked::by("", text(case, "language"));
    let lost = integrity::check(text(case, "prompt"), text(case, "good"), "", &nothing);
    let constraints = lost.constraints.lost.iter().chain(&lost.constraints.loosened);
    let constraints = constraints.map(|one| one.quote.clone()).collect();
    let all = [
        lost.variables.lost,
        lost.numbers_lost,
        lost.quoted_literals_lost,
        lost.urls_lost,
        constraints,
    ];
    let entry = |gone: &String| json!({"text": gone, "because": text(case, "feedback")});
    all.concat().iter().map(entry).collect()
}

#[tokio::test]
async fn everyday_refinements_are_taken_at_once() {
    let mut refused = Vec::new();
    let remarks = cases("remarks");
    for case in &remarks {
        if refined(case, text(case, "good"), everything(case)).await != 1 {
            refused.push(text(case, "feedback").to_owned());
        }
    }
    assert!(refused.is_empty(), "{refused:#?}");
    let others = cases("refined");
    for case in &others {
        let answer = &case["answer"];
        if refined(case, text(answer, "prompt"), answer["removed"].clone()).await != 1 {
            refused.push(text(case, "feedback").to_owned());
        }
    }
    assert!(refused.len() * 25 <= others.len(), "{refused:#?}");
}

#[tokio::test]
async fn a_loss_under_an_unrelated_clause_is_sent_back() {
    let all = cases("dishonest");
    let mut taken = Vec::new();
    let mut seen = 0;
    for case in &all {
        let answer = &case["answer"];
        // What rules do not know for a constraint is no loss to them.
        let written = text(answer, "prompt");
        if refined(case, written, json!([])).await == 1 {
            continue;
        }
        seen += 1;
        if refined(case, written, answer["removed"].clone()).await == 1 {
            taken.push(case["planted"].to_string());
        }
    }
    assert!(seen * 10 > all.len() * 8, "{seen}");
    assert!(taken.len() * 20 <= seen, "{taken:#?}");
}

#[tokio::test]
async fn good_versions_are_taken_at_once() {
    let mut refused = Vec::new();
    let all = cases("versions");
    for case in &all {
        let mut brief = prompt(text(case, "prompt"));
        brief.target_model = target(text(case, "targetModel"));
        brief.language = text(case, "language").to_owned();
        brief.context = text(case, "context").to_owned();
        let mut version = version(text(case, "label"), text(case, "version"));
        version["systemPrompt"] = case["systemPrompt"].clone();
        let answer = optimization(json!([version]));
        let ask = async |engine: &llm::Llm| engine.optimize(&brief, after(120)).await;
        if requests(answer, ask).await != 1 {
            refused.push(text(case, "prompt").to_owned());
        }
    }
    assert!(refused.len() <= 1, "{refused:#?}");
}
