//! Deadlines, with a manual clock.

use std::time::Duration;

use engine::{Engine, EngineError};
use futures::future::join;
use serde_json::json;

use crate::{
    answers::analysis,
    dialect::{ALL, Outcome},
    stub::Play,
    world::{PROMPT, TIMEOUT, TestClock, after, analyzed, engine, prompt},
};

#[tokio::test]
async fn a_provider_that_does_not_answer_is_given_up_after_the_timeout() {
    for dialect in ALL {
        let stub = dialect.start([Play::Silence]).await;
        let clock = TestClock::new();
        let engine = engine(dialect, &stub, clock.clone());
        let (result, ()) = join(analyzed(&engine), async {
            stub.requested(1).await;
            clock.advance(TIMEOUT);
        })
        .await;
        assert_eq!(result.unwrap_err(), EngineError::Timeout, "{dialect:?}");
    }
}

#[tokio::test]
async fn nobody_waits_beyond_the_end() {
    for dialect in ALL {
        let stub = dialect.start([Play::Silence]).await;
        let clock = TestClock::new();
        let engine = engine(dialect, &stub, clock.clone());
        let brief = prompt(PROMPT);
        let (result, ()) = join(engine.analyze(&brief, after(25)), async {
            stub.requested(1).await;
            clock.advance(Duration::from_secs(25));
        })
        .await;
        assert_eq!(result.unwrap_err(), EngineError::Timeout, "{dialect:?}");
    }
}

#[tokio::test]
async fn a_correction_has_the_time_that_is_left() {
    for dialect in ALL {
        let bad = dialect.play(Outcome::Answer(json!({})));
        let stub = dialect.start([bad, Play::Silence]).await;
        let clock = TestClock::new();
        let engine = engine(dialect, &stub, clock.clone());
        let brief = prompt(PROMPT);
        let (result, ()) = join(engine.analyze(&brief, after(40)), async {
            stub.requested(2).await;
            clock.advance(Duration::from_secs(40));
        })
        .await;
        assert_eq!(result.unwrap_err(), EngineError::Timeout, "{dialect:?}");
    }
}

#[tokio::test]
async fn a_retry_that_would_begin_in_the_last_second_is_not_made() {
    let dialect = ALL[0];
    for (wait, requests) in [(38, 2), (39, 2), (40, 1)] {
        let busy = dialect.play(Outcome::Failed(429, "rate_limit_exceeded", String::new()));
        let answer = dialect.play(Outcome::Answer(analysis(json!([]))));
        let stub = dialect.start([busy.with("retry-after", wait), answer]).await;
        let clock = TestClock::still();
        let engine = engine(dialect, &stub, clock.clone());
        let brief = prompt(PROMPT);
        let (result, ()) = join(engine.analyze(&brief, after(40)), async {
            stub.requested(1).await;
            if requests == 2 {
                clock.slept(2).await;
                clock.advance(Duration::from_secs(wait));
            }
        })
        .await;
        assert_eq!((result.is_ok(), stub.seen().len()), (requests == 2, requests), "{wait}");
    }
}

#[tokio::test]
async fn an_answer_in_time_is_taken() {
    for dialect in ALL {
        let answer = dialect.play(Outcome::Answer(analysis(json!([]))));
        let stub = dialect.start([answer]).await;
        let engine = engine(dialect, &stub, TestClock::new());
        assert!(engine.analyze(&prompt(PROMPT), after(25)).await.is_ok());
    }
}
