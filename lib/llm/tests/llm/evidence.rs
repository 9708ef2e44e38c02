//! What the rules know of a prompt, before a model is asked and after it has answered.

use engine::{Analysis, Engine, PromptBrief, Severity};
use futures::FutureExt;
use rules::Rules;
use serde_json::json;

use crate::{
    answers::{optimization, version},
    dialect::{ALL, Dialect, Outcome},
    pictures,
    requests::block,
    world::{TestClock, after, engine, feedback, prompt},
};

/// A prompt whose demands exclude each other.
const TORN: &str = "Summarize the report on kettles in at most 50 words. Use at least 300 words.";

fn by_rules(text: &str) -> Analysis {
    Rules.analyze(&prompt(text), after(60)).now_or_never().unwrap().unwrap()
}

/// The rules that find something of high severity in [`TORN`].
fn high_rules() -> Vec<String> {
    let high = by_rules(TORN).findings.into_iter().filter(|one| one.severity == Severity::High);
    high.map(|one| one.rule_id).collect()
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
        for rule in high_rules() {
            assert!(blocks[0].contains(&format!("finding high {rule} ")), "{}", blocks[0]);
        }
        assert_eq!((&blocks[1], &blocks[2]), (&blocks[0], &blocks[0]));
        assert_eq!(blocks[3].lines().count(), known.constraints.len(), "no findings");
        for constraint in &known.constraints {
            let line =
                format!("constraint {} {}", constraint.kind.as_str(), json!(constraint.quote));
            assert!(blocks.iter().all(|block| block.lines().any(|one| one == line)), "{line}");
        }
    }
}

#[tokio::test]
async fn a_task_that_moves_into_the_system_prompt_is_no_new_problem() {
    let dialect = Dialect::OpenAi;
    let original = "Summarize the following text:\n\n{{text}}";
    let mut moved = version("conservative", "{{text}}");
    moved["systemPrompt"] = "Summarize the text of the user.".into();
    moved["variables"] = json!([{"name": "text", "description": null, "defaultValue": null}]);
    let answer = optimization(json!([moved]));
    let answer = || dialect.play(Outcome::Answer(answer.clone()));
    let stub = dialect.start([answer(), answer()]).await;
    let engine = engine(dialect, &stub, TestClock::new());
    drop(engine.optimize(&prompt(original), after(120)).await);
    let violations = stub.seen().get(1).map(|seen| block(&dialect.text(seen), "violations"));
    assert_eq!(violations, None);
}

#[tokio::test]
async fn a_picture_that_is_attached_is_not_missing() {
    let dialect = Dialect::OpenAi;
    let text = "Write a caption of at most 20 words for the attached picture.";
    let alone = by_rules(text).findings;
    assert!(alone.iter().any(|finding| finding.rule_id == "missing_reference"), "{alone:?}");
    let brief = PromptBrief { images: vec![pictures::photo()], ..prompt(text) };
    let refused = dialect.play(Outcome::Failed(400, dialect.code(400), String::new()));
    let stub = dialect.start([refused]).await;
    drop(engine(dialect, &stub, TestClock::new()).analyze(&brief, after(60)).await);
    let evidence = block(&dialect.text(&stub.seen()[0]), "evidence").unwrap();
    assert!(!evidence.contains("missing_reference"), "{evidence}");
}

#[tokio::test]
async fn the_most_severe_findings_come_first_and_quotations_are_json() {
    let dialect = Dialect::OpenAi;
    let long = format!("say \"hello\"\n{}", "and so on, somehow, ".repeat(20));
    let text = format!("{} {long} {TORN}", "If disk usage is too high, clean up. ".repeat(60));
    let refused = dialect.play(Outcome::Failed(400, dialect.code(400), String::new()));
    let stub = dialect.start([refused]).await;
    drop(engine(dialect, &stub, TestClock::new()).analyze(&prompt(&text), after(60)).await);
    let evidence = block(&dialect.text(&stub.seen()[0]), "evidence").unwrap();
    let severity = |line: &&str| line.starts_with("finding high ");
    let lines: Vec<_> = evidence.lines().filter(|line| line.starts_with("finding ")).collect();
    let high = lines.iter().copied().filter(severity).count();
    assert!(high > 0 && high < lines.len(), "{evidence}");
    assert!(lines[..high].iter().all(severity), "{evidence}");
    for line in lines {
        let quote = &line[line.find('"').expect("a quotation")..];
        let read = serde_json::Deserializer::from_str(quote).into_iter::<String>().next();
        let read = read.expect("a quotation").expect("a JSON string");
        assert!(text.contains(&read), "{line}");
    }
}
