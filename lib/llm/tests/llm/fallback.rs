//! Engines in order of preference.

use std::{sync::Arc, time::Duration};

use domain::Clock;
use engine::{Engine, EngineError, Fallback};
use futures::future::join;
use rules::Rules;

use crate::{
    answers::generation,
    dialect::{Dialect, Outcome},
    stub::{Play, Stub},
    world::{START, TestClock, after, engine, goal},
};

const GOAL: &str = "Write a thank-you note to a colleague who covered my shift";

fn fallback(engines: &[(Dialect, &Stub)], clock: &Arc<TestClock>) -> Fallback {
    let mut all: Vec<Arc<dyn Engine>> = Vec::new();
    for (dialect, stub) in engines {
        all.push(Arc::new(engine(*dialect, stub, clock.clone())));
    }
    all.push(Arc::new(Rules));
    Fallback::new(all, clock.clone())
}

fn failing(dialect: Dialect, status: u16) -> Play {
    dialect.play(Outcome::Failed(status, dialect.code(status), String::new()))
}

#[tokio::test]
async fn the_first_engine_that_answers_is_named_by_the_result() {
    let clock = TestClock::new();
    let prompt = "Write a thank-you note to a colleague who covered my shift. Use three sentences.";
    let answer = Dialect::Anthropic.play(Outcome::Answer(generation(prompt)));
    let denied = Dialect::OpenAi.start([failing(Dialect::OpenAi, 401)]).await;
    let good = Dialect::Anthropic.start([answer]).await;
    let engines = fallback(&[(Dialect::OpenAi, &denied), (Dialect::Anthropic, &good)], &clock);
    assert_eq!(engines.identity().name, "openai");
    let made = engines.generate(&goal(GOAL), after(60)).await.unwrap();
    assert_eq!((made.engine.name.as_str(), made.prompt.as_str()), ("anthropic", prompt));
}

#[tokio::test]
async fn a_provider_that_fails_is_replaced_by_rules_and_the_result_says_so() {
    for outcomes in [
        vec![failing(Dialect::OpenAi, 401)],
        vec![failing(Dialect::OpenAi, 500); 3],
        vec![failing(Dialect::OpenAi, 429).with("retry-after", 900)],
        vec![Dialect::OpenAi.play(Outcome::Truncated); 2],
        vec![Dialect::OpenAi.play(Outcome::Huge)],
        vec![failing(Dialect::OpenAi, 413)],
    ] {
        let clock = TestClock::new();
        let stub = Dialect::OpenAi.start(outcomes).await;
        let engines = fallback(&[(Dialect::OpenAi, &stub)], &clock);
        let made = engines.generate(&goal(GOAL), after(60)).await.unwrap();
        assert_eq!((made.engine.name.as_str(), made.engine.model), ("rules", None));
        assert!(made.prompt.contains("colleague"));
    }
}

#[tokio::test]
async fn declined_content_is_not_shown_to_the_next_engine() {
    let clock = TestClock::new();
    let stub = Dialect::OpenAi.start([Dialect::OpenAi.play(Outcome::Refused)]).await;
    let unasked = Dialect::Anthropic.start([]).await;
    let engines = fallback(&[(Dialect::OpenAi, &stub), (Dialect::Anthropic, &unasked)], &clock);
    let error = engines.generate(&goal(GOAL), after(60)).await.unwrap_err();
    assert!(matches!(error, EngineError::Rejected { .. }));
}

#[tokio::test]
async fn a_slow_engine_leaves_three_seconds_to_each_engine_behind_it() {
    let clock = TestClock::still();
    let slow = Dialect::OpenAi.start([Play::Silence]).await;
    let slower = Dialect::Anthropic.start([Play::Silence]).await;
    let engines = fallback(&[(Dialect::OpenAi, &slow), (Dialect::Anthropic, &slower)], &clock);
    let brief = goal(GOAL);
    let (made, ()) = join(engines.generate(&brief, after(50)), async {
        slow.requested(1).await;
        clock.advance(Duration::from_millis(43_999));
        assert_eq!(slower.seen().len(), 0);
        clock.advance(Duration::from_millis(1));
        slower.requested(1).await;
        clock.advance(Duration::from_secs(3));
    })
    .await;
    assert_eq!(made.unwrap().engine.name, "rules");
    assert_eq!(clock.now().since(START), Duration::from_secs(47));
}

#[tokio::test]
async fn an_engine_without_time_is_not_asked() {
    let clock = TestClock::new();
    let unasked = Dialect::OpenAi.start([]).await;
    let engines = fallback(&[(Dialect::OpenAi, &unasked)], &clock);
    let made = engines.generate(&goal(GOAL), after(3)).await.unwrap();
    assert_eq!(made.engine.name, "rules");
}

#[tokio::test]
async fn the_last_failure_is_reported_when_nobody_answers() {
    let clock = TestClock::new();
    let first = Dialect::OpenAi.start([failing(Dialect::OpenAi, 401)]).await;
    let last =
        Dialect::Bedrock.start([failing(Dialect::Bedrock, 429).with("retry-after", 600)]).await;
    let all: Vec<Arc<dyn Engine>> = vec![
        Arc::new(engine(Dialect::OpenAi, &first, clock.clone())),
        Arc::new(engine(Dialect::Bedrock, &last, clock.clone())),
    ];
    let error = Fallback::new(all, clock).generate(&goal(GOAL), after(60)).await.unwrap_err();
    assert_eq!(error, EngineError::Unavailable { retry_after: Some(Duration::from_secs(600)) });
}
