//! Inputs that fuzzing has found: docs/design/fuzzing.md.

use acceptance::{Answer, World, account::fresh_key, operations::UNREACHABLE_URL};
use domain::Plan;
use lambda_http::{IntoResponse as _, tower::ServiceExt as _};
use store::admission::Limits;

#[path = "../../../fuzz/properties/corpus.rs"]
mod corpus;
#[path = "../../../fuzz/properties/cursor.rs"]
mod cursor;
#[path = "../../../fuzz/properties/gateway.rs"]
mod gateway;
#[path = "../../../fuzz/properties/json.rs"]
mod json;
#[path = "../../../fuzz/properties/work/mod.rs"]
mod work;

#[test]
fn no_text_that_fuzzing_found_is_taken_for_a_cursor_or_a_key() {
    corpus::each("cursor", cursor::hold);
}

#[test]
fn every_text_that_fuzzing_found_is_read_as_other_parsers_of_json_do_or_refused_briefly() {
    corpus::each("json", json::hold);
}

#[test]
fn no_text_that_fuzzing_found_makes_an_operation_work_more_than_in_proportion_to_its_length() {
    corpus::each("work", work::hold);
}

#[tokio::test]
async fn every_body_that_fuzzing_found_is_answered_by_every_operation_without_an_error_of_ours() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let mut bodies = Vec::new();
    corpus::each("body", |body| bodies.push(body.to_vec()));
    for row in acceptance::operations::table(UNREACHABLE_URL) {
        if row.body.is_none() {
            continue;
        }
        let path = row.path.replace("{type}", "generation").replace("{id}", "x");
        for body in &bodies {
            let request = account
                .request(row.method.clone(), &path)
                .header("Idempotency-Key", fresh_key())
                .header("Content-Type", "application/json")
                .body(body.clone());
            let answer = Answer::to(request).await;
            let text = String::from_utf8_lossy(body);
            assert!(answer.status.as_u16() < 500, "{}: {text}: {}", row.operation, answer.body);
        }
    }
}

#[tokio::test]
async fn every_event_that_fuzzing_found_is_answered_without_a_call_to_storage() {
    let world = World::start().await;
    let mut events = Vec::new();
    corpus::each("event", |event| events.push(event.to_vec()));
    for event in events {
        let text = String::from_utf8_lossy(&event);
        let Some(request) = gateway::request(&event) else { continue };
        let is_health = request.uri().path().contains("health");
        world.faults.reset();
        let response = world.application.router().oneshot(request).await.expect("an answer");
        let response = response.into_response().await;
        assert!(response.status().as_u16() < 500, "{text}: {:?}", response.body());
        assert!(response.headers().contains_key("x-request-id"), "{text}");
        assert!(is_health || world.faults.calls().is_empty(), "{text}");
    }
}
