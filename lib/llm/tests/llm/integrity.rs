//! A rewritten prompt that lost something is sent back, and is never a success.

use engine::Engine;
use serde_json::json;

use crate::{
    answers::{generation, item, optimization, refinement, version},
    dialect::{ALL, Outcome},
    requests::block,
    world::{TestClock, after, broken, engine, feedback, goal, prompt},
};

const ORIGINAL: &str =
    "Write 3 sentences about {{product}} from https://example.com/kettle for customers.";
const KEPT: &str =
    "Write exactly 3 sentences about {{product}} from https://example.com/kettle for customers.";
const LOST: &str = "Write exactly 3 sentences about the product from our page for customers.";

#[tokio::test]
async fn a_version_that_loses_a_variable_twice_is_unusable() {
    for dialect in ALL {
        let lost = optimization(json!([version("conservative", LOST)]));
        let stub = dialect.start([1, 2].map(|_| dialect.play(Outcome::Answer(lost.clone())))).await;
        let engine = engine(dialect, &stub, TestClock::new());
        let error = engine.optimize(&prompt(ORIGINAL), after(120)).await.unwrap_err();
        assert_eq!(broken(error), "integrity at /versions/0/prompt", "{dialect:?}");
        let violations = block(&dialect.text(&stub.seen()[1]), "violations").unwrap();
        assert!(violations.contains("{{product}}"), "{violations}");
        assert!(violations.contains("https://example.com/kettle"), "{violations}");
    }
}

#[tokio::test]
async fn a_version_that_keeps_it_after_all_is_taken() {
    for dialect in ALL {
        let answers = [LOST, KEPT].map(|text| optimization(json!([version("conservative", text)])));
        let stub = dialect.start(answers.map(|answer| dialect.play(Outcome::Answer(answer)))).await;
        let engine = engine(dialect, &stub, TestClock::new());
        let made = engine.optimize(&prompt(ORIGINAL), after(120)).await.unwrap();
        assert_eq!(made.versions[0].prompt, KEPT);
        assert!(made.versions[0].integrity.passed);
        assert_eq!(made.versions[0].integrity.variables.kept, ["product"]);
    }
}

#[tokio::test]
async fn what_the_feedback_asks_to_go_is_not_missed() {
    for dialect in ALL {
        let words = "Remove {{product}}";
        let written = "Write 3 sentences from https://example.com/kettle for customers.";
        let silent = refinement(written, json!([item(words, "applied")]));
        let mut listed = silent.clone();
        listed["removed"] = json!([{"text": "{{product}}", "because": words}]);
        let script = [silent, listed].map(|answer| dialect.play(Outcome::Answer(answer)));
        let stub = dialect.start(script).await;
        let engine = engine(dialect, &stub, TestClock::new());
        let made = engine.refine(&feedback(ORIGINAL, words), after(120)).await.unwrap();
        assert_eq!(made.prompt, written);
        assert_eq!(made.integrity.requested[0].text, "product");
        assert_eq!(made.integrity.requested[0].because, words);
        let violations = block(&dialect.text(&stub.seen()[1]), "violations").unwrap();
        assert!(violations.contains("product"), "a variable that is gone must be listed");
    }
}

#[tokio::test]
async fn what_the_feedback_did_not_ask_to_go_is_missed() {
    for dialect in ALL {
        let written = "Write 3 sentences about {{product}} for customers.";
        let answer = refinement(written, json!([item("Shorter", "applied")]));
        let stub =
            dialect.start([1, 2].map(|_| dialect.play(Outcome::Answer(answer.clone())))).await;
        let engine = engine(dialect, &stub, TestClock::new());
        let error = engine.refine(&feedback(ORIGINAL, "Shorter"), after(120)).await.unwrap_err();
        assert_eq!(broken(error), "integrity at /prompt");
    }
}

#[tokio::test]
async fn an_address_of_the_goal_is_in_the_prompt() {
    for dialect in ALL {
        let answer = generation("Summarize the page about kettles in five bullet points.");
        let stub =
            dialect.start([1, 2].map(|_| dialect.play(Outcome::Answer(answer.clone())))).await;
        let engine = engine(dialect, &stub, TestClock::new());
        let brief = goal("Summarize https://example.com/kettle for me");
        let error = engine.generate(&brief, after(120)).await.unwrap_err();
        assert_eq!(broken(error), "integrity at /prompt");
    }
}
