//! What the rules know of a prompt, before a model is asked and after it has answered.

use engine::{Analysis, Engine, EngineError, Severity};
use futures::FutureExt;
use rules::Rules;
use serde_json::{Value, json};

use crate::{
    answers::{analysis, finding, optimization, version},
    dialect::{ALL, Dialect, Outcome},
    requests::block,
    world::{TestClock, after, engine, feedback, prompt},
};

/// A prompt whose demands exclude each other.
const TORN: &str = "Summarize the report on kettles in at most 50 words. Use at least 300 words.";
/// The same without the second demand.
const WHOLE: &str = "Summarize the report on kettles in at most 50 words.";

fn by_rules(text: &str) -> Analysis {
    Rules.analyze(&prompt(text), after(60)).now_or_never().unwrap().unwrap()
}

/// The rules that find something of high severity in [`TORN`].
fn grave_rules() -> Vec<String> {
    let grave = by_rules(TORN).findings.into_iter().filter(|one| one.severity == Severity::High);
    grave.map(|one| one.rule_id).collect()
}

/// The findings of a rule, as a model repeats them.
fn repeated(rule: &str) -> Value {
    let mut found = finding("at least 300 words");
    found["ruleId"] = rule.into();
    found["severity"] = "high".into();
    found
}

#[tokio::test]
async fn a_request_has_what_the_rules_find() {
    let known = by_rules(TORN);
    for dialect in ALL {
        let refused = || dialect.play(Outcome::Failed(400, dialect.code(400), String::new()));
        let stub = dialect.start([refused(), refused(), refused(), refused()]).await;
        let engine = engine(dialect, &stub, TestClock::new());
        drop(engine.analyze(&prompt(TORN), after(60)).await);
        drop(engine.optimize(&prompt(TORN), after(60)).await);
        drop(engine.analyze_and_optimize(&prompt(TORN), after(60)).await);
        drop(engine.refine(&feedback(TORN, "Name the author"), after(60)).await);
        let blocks: Vec<_> = stub
            .seen()
            .iter()
            .map(|seen| block(&dialect.text(seen), "evidence").unwrap())
            .collect();
        assert_eq!(blocks[0].lines().count(), known.findings.len() + known.constraints.len());
        for rule in grave_rules() {
            assert!(blocks[0].contains(&format!("finding high {rule} ")), "{}", blocks[0]);
        }
        assert_eq!((&blocks[1], &blocks[2]), (&blocks[0], &blocks[0]));
        assert_eq!(blocks[3].lines().count(), known.constraints.len(), "no findings");
        for constraint in &known.constraints {
            let line = format!("constraint {} \"{}\"", constraint.kind.as_str(), constraint.quote);
            assert!(blocks.iter().all(|block| block.lines().any(|one| one == line)), "{line}");
        }
    }
}

#[tokio::test]
async fn an_analysis_that_leaves_out_a_grave_finding_is_sent_back_with_it() {
    let dialect = Dialect::OpenAi;
    let rules = grave_rules();
    let findings: Vec<_> = rules.iter().map(|rule| repeated(rule)).collect();
    let answers = [analysis(json!(findings[1..])), analysis(json!(findings))];
    let stub = dialect.start(answers.map(|answer| dialect.play(Outcome::Answer(answer)))).await;
    let engine = engine(dialect, &stub, TestClock::new());
    let made = engine.analyze(&prompt(TORN), after(120)).await.unwrap();
    assert_eq!(made.findings.len(), rules.len());
    let violations = block(&dialect.text(&stub.seen()[1]), "violations").unwrap();
    assert!(violations.contains(&rules[0]), "{violations}");
}

#[tokio::test]
async fn a_version_with_a_grave_problem_of_its_own_is_not_taken() {
    let dialect = Dialect::OpenAi;
    for (original, written, is_taken) in [(WHOLE, TORN, false), (TORN, TORN, true)] {
        let answer =
            optimization(json!([version("conservative", &format!("{written} Be exact."))]));
        let answer = || dialect.play(Outcome::Answer(answer.clone()));
        let stub = dialect.start([answer(), answer()]).await;
        let engine = engine(dialect, &stub, TestClock::new());
        let made = engine.optimize(&prompt(original), after(120)).await;
        match made {
            Ok(_) => assert!(is_taken, "{original}"),
            Err(EngineError::Unusable { reason }) => {
                assert!(!is_taken && reason.contains("evidence at /versions/0/prompt"), "{reason}");
            }
            Err(error) => panic!("{error}"),
        }
    }
}
