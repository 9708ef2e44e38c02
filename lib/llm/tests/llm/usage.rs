//! The tokens that providers report.

use std::sync::Arc;

use domain::{ModelUsage, TokenUsage};
use engine::{Engine, Meter};
use serde_json::json;

use crate::{
    answers::{analysis, finding},
    dialect::{ALL, MODEL, Outcome},
    world::{PROMPT, TestClock, after, analyzed, engine, prompt},
};

#[tokio::test]
async fn input_tokens_contain_those_of_the_prompt_cache_with_every_provider() {
    for dialect in ALL {
        let stub = dialect.start([dialect.play(Outcome::Answer(analysis(json!([]))))]).await;
        let made = analyzed(&engine(dialect, &stub, TestClock::new())).await.unwrap();
        let usage = made.engine.usage.unwrap();
        assert_eq!(usage, dialect.usage());
        assert_eq!((usage.input_tokens, usage.cached_input_tokens), (812, 600), "{dialect:?}");
    }
}

#[tokio::test]
async fn a_meter_counts_answers_that_lead_to_no_result() {
    for dialect in ALL {
        for (outcome, answers) in [
            (Outcome::Refused, 1),
            (Outcome::Truncated, 2),
            (Outcome::Words("{}"), 2),
            (Outcome::Answer(analysis(json!([finding("nowhere in it")]))), 2),
        ] {
            let stub = dialect.start(vec![dialect.play(outcome.clone()); answers]).await;
            let meter = Meter::default();
            let engine = Arc::new(engine(dialect, &stub, TestClock::new())).metered(&meter);
            engine.analyze(&prompt(PROMPT), after(120)).await.unwrap_err();
            let mut tokens = TokenUsage::default();
            for _ in 0..answers {
                tokens += dialect.usage();
            }
            let usage =
                ModelUsage { engine: dialect.name().to_owned(), model: MODEL.to_owned(), tokens };
            assert_eq!(meter.read(), [usage], "{dialect:?} {outcome:?}");
        }
    }
}

#[tokio::test]
async fn a_failure_without_an_answer_counts_nothing() {
    for dialect in ALL {
        let failed = Outcome::Failed(400, dialect.code(400), "bad".to_owned());
        let stub = dialect.start([dialect.play(failed)]).await;
        let meter = Meter::default();
        let engine = Arc::new(engine(dialect, &stub, TestClock::new())).metered(&meter);
        engine.analyze(&prompt(PROMPT), after(120)).await.unwrap_err();
        assert!(meter.read().is_empty(), "{dialect:?}");
    }
}
