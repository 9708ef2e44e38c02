//! Every error of a provider, and its result.

use std::{sync::Arc, time::Duration};

use engine::{Engine, EngineError};
use llm::{Bedrock, Limits, Llm};
use rules::Rules;
use serde_json::json;

use crate::{
    answers::analysis,
    dialect::{ALL, Dialect, Outcome},
    stub::{Play, Stub},
    world::{Counting, PROMPT, TIMEOUT, TestClock, after, analyzed, aws, broken, engine, prompt},
};

const DECLINED: &str = "the model provider declines this content";

/// The error after these outcomes, and the number of requests.
async fn played(
    dialect: Dialect,
    outcomes: impl IntoIterator<Item = Outcome>,
) -> (EngineError, usize) {
    let stub = dialect.start(outcomes.into_iter().map(|outcome| dialect.play(outcome))).await;
    let error = analyzed(&engine(dialect, &stub, TestClock::new())).await.unwrap_err();
    (error, stub.seen().len())
}

fn failed(dialect: Dialect, status: u16) -> Outcome {
    Outcome::Failed(status, dialect.code(status), "no".to_owned())
}

fn unavailable(retry_after: Option<u64>) -> EngineError {
    EngineError::Unavailable { retry_after: retry_after.map(Duration::from_secs) }
}

/// What only the operator can end.
fn denied() -> EngineError {
    unavailable(Some(300))
}

#[tokio::test]
async fn a_denied_or_misunderstood_request_is_not_repeated() {
    for dialect in ALL {
        for status in [400, 401, 403, 404] {
            let (error, requests) = played(dialect, [failed(dialect, status)]).await;
            assert_eq!((error, requests), (denied(), 1), "{dialect:?} {status}");
        }
    }
}

#[tokio::test]
async fn an_account_without_money_is_not_asked_again() {
    let broke = Outcome::Failed(429, "insufficient_quota", "You exceeded your quota".to_owned());
    assert_eq!(played(Dialect::OpenAi, [broke]).await, (denied(), 1));
    let broke = Outcome::Failed(402, "billing_error", "No credit".to_owned());
    assert_eq!(played(Dialect::Anthropic, [broke]).await, (denied(), 1));
}

#[tokio::test]
async fn a_fault_of_the_provider_is_retried_twice_and_then_reported() {
    for dialect in ALL {
        for status in [429, 500, 503, 529] {
            let (error, requests) =
                played(dialect, [1, 2, 3].map(|_| failed(dialect, status))).await;
            assert_eq!((error, requests), (unavailable(None), 3), "{dialect:?} {status}");
        }
    }
}

#[tokio::test]
async fn an_answer_after_a_fault_is_as_good_as_any() {
    for dialect in ALL {
        let outcomes = [failed(dialect, 500), Outcome::Answer(analysis(json!([])))];
        let stub = dialect.start(outcomes.map(|outcome| dialect.play(outcome))).await;
        let clock = TestClock::new();
        let analysis = analyzed(&engine(dialect, &stub, clock.clone())).await.unwrap();
        assert_eq!(analysis.engine.name, dialect.name());
        let [pause] = clock.naps()[..] else { panic!("one pause") };
        assert!((250..=500).contains(&pause.as_millis()), "{pause:?}");
    }
}

#[tokio::test]
async fn the_second_pause_may_be_twice_as_long() {
    let dialect = Dialect::OpenAi;
    let stub = dialect.start([1, 2, 3].map(|_| dialect.play(failed(dialect, 500)))).await;
    let clock = TestClock::new();
    analyzed(&engine(dialect, &stub, clock.clone())).await.unwrap_err();
    let [first, second] = clock.naps()[..] else { panic!("two pauses") };
    assert!((250..=500).contains(&first.as_millis()), "{first:?}");
    assert!((500..=1_000).contains(&second.as_millis()), "{second:?}");
}

#[tokio::test]
async fn a_wait_that_the_provider_asks_for_is_kept_if_there_is_time() {
    for dialect in ALL {
        let busy = dialect.play(failed(dialect, 429)).with("retry-after", 7);
        let answer = dialect.play(Outcome::Answer(analysis(json!([]))));
        let stub = dialect.start([busy, answer]).await;
        let clock = TestClock::new();
        analyzed(&engine(dialect, &stub, clock.clone())).await.unwrap();
        assert_eq!(clock.naps(), [Duration::from_secs(7)], "{dialect:?}");
    }
}

#[tokio::test]
async fn a_wait_beyond_the_end_is_passed_on_at_once() {
    for dialect in ALL {
        for status in [429, 503] {
            let busy = dialect.play(failed(dialect, status)).with("retry-after", 500);
            let stub = dialect.start([busy]).await;
            let clock = TestClock::new();
            let error = analyzed(&engine(dialect, &stub, clock.clone())).await.unwrap_err();
            assert_eq!(error, unavailable(Some(500)), "{dialect:?} {status}");
            assert_eq!((stub.seen().len(), clock.naps().len()), (1, 0));
        }
    }
}

#[tokio::test]
async fn declined_content_is_a_rejection_and_not_asked_for_again() {
    for dialect in ALL {
        for outcome in [Outcome::Refused, Outcome::Filtered] {
            let (error, requests) = played(dialect, [outcome]).await;
            let expected = EngineError::Rejected { reason: DECLINED.to_owned() };
            assert_eq!((error, requests), (expected, 1), "{dialect:?}");
        }
    }
    let rejected = EngineError::Rejected { reason: DECLINED.to_owned() };
    for (dialect, status, code, message) in [
        (Dialect::OpenAi, 400, "content_filter", "filtered"),
        (Dialect::OpenAi, 400, "content_policy_violation", "Your request was rejected."),
        (Dialect::OpenAi, 400, "invalid_request_error", "Content Exists Risk"),
        (Dialect::OpenAi, 403, "denied", "Content violates usage guidelines."),
        (
            Dialect::Anthropic,
            400,
            "invalid_request_error",
            "Output blocked by content filtering policy",
        ),
    ] {
        let failed = Outcome::Failed(status, code, message.to_owned());
        assert_eq!(played(dialect, [failed]).await, (rejected.clone(), 1), "{code} {message}");
    }
}

#[tokio::test]
async fn an_answer_cut_off_twice_is_unusable() {
    for dialect in ALL {
        let (error, requests) = played(dialect, [Outcome::Truncated, Outcome::Truncated]).await;
        assert_eq!((broken(error).as_str(), requests), ("truncated", 2), "{dialect:?}");
    }
}

#[tokio::test]
async fn an_answer_that_is_not_json_twice_is_unusable() {
    for dialect in ALL {
        for outcome in [Outcome::Words("Sure! The prompt is fine."), Outcome::Page] {
            let (error, requests) = played(dialect, [outcome.clone(), outcome]).await;
            assert_eq!((broken(error).as_str(), requests), ("malformed", 2), "{dialect:?}");
        }
    }
}

#[tokio::test]
async fn an_answer_of_another_form_twice_is_unusable() {
    let mut extra = analysis(json!([]));
    extra["note"] = json!("hello");
    let mut missing = analysis(json!([]));
    missing.as_object_mut().unwrap().remove("summary");
    let mut wrong = analysis(json!([]));
    wrong["metrics"]["clarity"]["score"] = json!(101);
    for dialect in ALL {
        for (answer, reason) in [
            (&extra, "form"),
            (&missing, "form"),
            (&wrong, "form at /metrics/clarity/score"),
            (&json!([1]), "form"),
        ] {
            let (error, requests) =
                played(dialect, [1, 2].map(|_| Outcome::Answer(answer.clone()))).await;
            assert_eq!((broken(error).as_str(), requests), (reason, 2), "{dialect:?}");
        }
    }
}

#[tokio::test]
async fn an_answer_of_three_megabytes_is_not_read() {
    for dialect in ALL {
        let (error, requests) = played(dialect, [Outcome::Huge]).await;
        assert_eq!((broken(error).as_str(), requests), ("unreadable", 1), "{dialect:?}");
    }
}

#[tokio::test]
async fn an_answer_without_end_is_not_read_to_the_end() {
    for dialect in [Dialect::OpenAi, Dialect::Anthropic] {
        let stub = dialect.start([Play::Endless]).await;
        let error = analyzed(&engine(dialect, &stub, TestClock::new())).await.unwrap_err();
        assert_eq!(broken(error), "unreadable", "{dialect:?}");
    }
}

#[tokio::test]
async fn a_request_beyond_the_context_of_the_model_is_too_large() {
    let long = |status, code, message: &str| Outcome::Failed(status, code, message.to_owned());
    for (dialect, outcome) in [
        (Dialect::OpenAi, long(400, "context_length_exceeded", "Please shorten it.")),
        (
            Dialect::OpenAi,
            long(400, "BadRequestError", "This model's maximum context length is 8192 tokens."),
        ),
        (
            Dialect::OpenAi,
            long(400, "exceed_context_size_error", "request (9 tokens) exceeds the context"),
        ),
        (Dialect::OpenAi, long(500, "server_error", "Context size has been exceeded.")),
        (Dialect::Anthropic, long(400, "invalid_request_error", "prompt is too long: 9 > 8")),
        (
            Dialect::Anthropic,
            long(
                400,
                "invalid_request_error",
                "input length and `max_tokens` exceed context limit",
            ),
        ),
        (Dialect::Anthropic, long(413, "request_too_large", "Request exceeds the maximum size")),
        (Dialect::Bedrock, long(400, "ValidationException", "Input is too long for the model.")),
        (Dialect::Bedrock, long(400, "ValidationException", "Input Tokens Exceeded: shorten it")),
    ] {
        let (error, requests) = played(dialect, [outcome]).await;
        assert_eq!((error, requests), (EngineError::TooLarge, 1), "{dialect:?}");
    }
}

#[tokio::test]
async fn a_longest_answer_beyond_the_context_is_a_wrong_setting() {
    let message = "'max_tokens' is too large: 9000. This model's maximum context length is 8192";
    let failed = Outcome::Failed(400, "BadRequestError", message.to_owned());
    assert_eq!(played(Dialect::OpenAi, [failed]).await, (denied(), 1));
}

#[tokio::test]
async fn a_closed_connection_is_opened_again_twice() {
    for dialect in ALL {
        let stub = dialect.start([Play::HangUp, Play::HangUp, Play::HangUp]).await;
        let error = analyzed(&engine(dialect, &stub, TestClock::new())).await.unwrap_err();
        assert_eq!((error, stub.seen().len()), (unavailable(None), 3), "{dialect:?}");
    }
}

#[tokio::test]
async fn a_provider_that_is_not_there_is_unavailable() {
    for dialect in ALL {
        let mut gone: Stub = dialect.start([]).await;
        let free = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        gone.address = free.local_addr().unwrap();
        drop(free);
        let clock = TestClock::new();
        let error = analyzed(&engine(dialect, &gone, clock.clone())).await.unwrap_err();
        assert_eq!((error, clock.naps().len()), (unavailable(None), 2), "{dialect:?}");
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    for dialect in ALL {
        let redirect = Play::json(307, &json!({})).with("location", "/elsewhere");
        let stub = dialect.start([redirect]).await;
        let error = analyzed(&engine(dialect, &stub, TestClock::new())).await.unwrap_err();
        assert_eq!((error, stub.seen().len()), (denied(), 1), "{dialect:?}");
    }
}

#[tokio::test]
async fn no_request_is_made_when_the_time_is_over() {
    for dialect in ALL {
        let stub = dialect.start([]).await;
        let engine = engine(dialect, &stub, TestClock::new());
        let error = engine.analyze(&prompt(PROMPT), after(0)).await.unwrap_err();
        assert_eq!(error, EngineError::Timeout, "{dialect:?}");
    }
}

#[tokio::test]
async fn requests_share_a_connection() {
    for dialect in ALL {
        let answer = || dialect.play(Outcome::Answer(analysis(json!([]))));
        let stub = dialect.start([answer(), answer(), answer()]).await;
        let engine = engine(dialect, &stub, TestClock::new());
        for _ in 0..3 {
            analyzed(&engine).await.unwrap();
        }
        assert_eq!(stub.connections(), 1, "{dialect:?}");
    }
}

#[tokio::test]
async fn missing_credentials_of_aws_are_not_asked_for_again() {
    let stub = Dialect::Bedrock.start([]).await;
    let mut builder = aws(&stub).into_builder();
    builder.set_credentials_provider(None);
    let bedrock = Bedrock::new(&builder.build(), "nova");
    let limits = Limits { timeout: TIMEOUT, max_output_tokens: 1_000 };
    let clock = TestClock::new();
    let engine = Llm::new(
        Box::new(bedrock),
        Arc::new(Rules),
        limits,
        clock.clone(),
        Arc::new(Counting::default()),
    );
    let error = analyzed(&engine).await.unwrap_err();
    assert_eq!((error, clock.naps().len()), (denied(), 0));
}
