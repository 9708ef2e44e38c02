//! The largest texts that the service accepts, of awkward kinds.

use engine::{Engine, Material, PromptBrief, Severity};
use futures::FutureExt;
use rules::Rules;
use serde_json::{Value, json};

use crate::{
    answers::{analysis, finding, generation, item, optimization, refinement, reversal, version},
    dialect::{Dialect, Outcome},
    world::{TestClock, after, engine, feedback, goal, material, prompt},
};

const LARGEST: usize = 50_000;

fn texts() -> Vec<String> {
    let fill = |piece: &str| piece.chars().cycle().take(LARGEST).collect::<String>();
    vec![
        fill("Write 3 texts about {{topic}} \"now\".\n"),
        fill("{{a}} {{"),
        fill("é🙂\u{301}漢 "),
        fill("a"),
        fill("?"),
        fill("\"'\u{200d}`"),
        fill("- # 1. \n"),
        fill("https://example.com/a?b=1 "),
    ]
}

async fn answered<T>(answer: Value, ask: impl AsyncFnOnce(&llm::Llm) -> T) -> T {
    let dialect = Dialect::OpenAi;
    let stub = dialect.start([1, 2].map(|_| dialect.play(Outcome::Answer(answer.clone())))).await;
    ask(&engine(dialect, &stub, TestClock::new())).await
}

/// What the rules find of high severity, as a model repeats it.
fn grave(brief: &PromptBrief) -> Vec<Value> {
    let known = Rules.analyze(brief, after(60)).now_or_never().unwrap().unwrap();
    let grave = known.findings.into_iter().filter(|one| one.severity == Severity::High);
    let repeated = grave.map(|one| {
        let mut repeated = finding("");
        repeated["ruleId"] = one.rule_id.into();
        repeated
    });
    repeated.collect()
}

#[tokio::test]
async fn fifty_thousand_characters_of_any_kind_are_worked_with() {
    for text in texts() {
        let quote: String = text.chars().skip(LARGEST - 20).collect();
        let brief = prompt(&text);
        let mut findings = grave(&brief);
        findings.resize_with(40, || finding(&quote));
        let made = answered(analysis(json!(findings)), async |engine| {
            engine.analyze(&brief, after(60)).await.unwrap()
        })
        .await;
        let first = &made.findings[0];
        let span: String = text.chars().skip(first.start).take(first.end - first.start).collect();
        assert_eq!(span, first.quote);

        let longer = format!("{text}\n.");
        let made =
            answered(optimization(json!([version("conservative", &longer)])), async |engine| {
                engine.optimize(&brief, after(60)).await
            })
            .await;
        assert!(made.is_ok(), "{} {:?}", &text[..8], made.err());

        let brief = feedback(&text, "Put a note before it");
        let items = json!([item("Put a note before it", "applied")]);
        let made = answered(refinement(&longer, items), async |engine| {
            engine.refine(&brief, after(60)).await
        })
        .await;
        assert!(made.is_ok(), "{} {:?}", &text[..8], made.err());
    }
}

#[tokio::test]
async fn a_hundred_thousand_characters_are_reversed() {
    for text in texts() {
        let brief = material(Material::Text(text.repeat(2)));
        let made = answered(reversal("Write something long."), async |engine| {
            engine.reverse(&brief, after(60)).await.unwrap()
        })
        .await;
        assert!(made.structure.is_some());
    }
}

#[tokio::test]
async fn a_long_goal_becomes_a_prompt() {
    for text in texts() {
        let brief = goal(&text);
        let written = format!("Do this: {text}");
        let mut answer = generation(&written);
        answer["sections"] = json!([{"heading": "Task", "begins": "Do this"}]);
        let made = answered(answer, async |engine| engine.generate(&brief, after(60)).await).await;
        assert!(made.is_ok(), "{} {:?}", &text[..8], made.err());
    }
}
