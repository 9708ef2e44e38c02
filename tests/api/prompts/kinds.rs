//! What is true of every kind of AI operation, whichever it is.

use acceptance::{
    Account, World,
    account::fresh_key,
    fault_injection::CrashPoint,
    kinds::{self, Call},
    scripted_engine::Behavior,
};
use domain::{Kind, Plan};
use engine::{EngineError, Violation};
use serde_json::{Value, json};
use store::admission::Limits;

/// A result without what differs from run to run.
fn lasting(result: &Value) -> Value {
    let mut result = result.clone();
    if let Some(object) = result.as_object_mut() {
        object.retain(|field, _| !field.ends_with("Id") || field == "sourceVersionId");
    }
    for version in result["versions"].as_array_mut().into_iter().flatten() {
        version.as_object_mut().expect("a version").remove("versionId");
    }
    result
}

async fn credits(account: &Account) -> Value {
    account.usage().await["credits"].clone()
}

/// The account's operations of a kind, newest first.
async fn operations(account: &Account, kind: Kind) -> Vec<Value> {
    let listed = account.get(&format!("/operations?kind={}", kind.as_str())).await;
    listed.data(200)["items"].as_array().expect("a list").clone()
}

async fn prepared(world: &World, kind: Kind) -> (Account, Call) {
    let account = world.account(Plan::Max).await;
    let call = kinds::call(&account, kind).await;
    (account, call)
}

#[tokio::test]
async fn a_call_answers_with_what_its_operation_keeps() {
    let world = World::with_limits(Limits::Lifted).await;
    for kind in Kind::ALL {
        let (account, call) = prepared(&world, kind).await;
        let before = credits(&account).await["used"].as_u64().expect("a number");
        let answer = account.post(&call.path, "k", &call.body).await;
        let data = answer.data(200);
        assert!(data["language"].is_string() && data["targetModel"].is_string(), "{data}");
        let made = operations(&account, kind).await;
        assert_eq!(made.len(), 1, "{kind:?}");
        assert_eq!(data["operationId"], made[0]["id"]);
        assert_eq!(made[0]["status"], "SUCCEEDED");
        assert_eq!(made[0]["creditsUsed"], kind.credits());
        let path = format!("/operations/{}", made[0]["id"].as_str().expect("an id"));
        assert_eq!(account.get(&path).await.data(200)["result"], *data);
        let usage = account.usage().await;
        assert_eq!(usage["credits"]["used"], before + u64::from(kind.credits()), "{kind:?}");
        assert_eq!(usage["credits"]["held"], 0);
        assert_eq!(usage["operations"]["byKind"][kind.as_str()], 1, "{usage}");
    }
}

#[tokio::test]
async fn a_replayed_key_returns_the_first_result_and_asks_the_engine_once() {
    let world = World::with_limits(Limits::Lifted).await;
    for kind in Kind::ALL {
        let (account, call) = prepared(&world, kind).await;
        let asked = world.engine.asked();
        let first = account.post(&call.path, "k", &call.body).await;
        let again = account.post(&call.path, "k", &call.body).await;
        assert_eq!(again.data(200), first.data(200), "{kind:?}");
        assert_eq!(again.header("idempotent-replayed"), Some("true"));
        assert_eq!(first.header("idempotent-replayed"), None);
        assert_eq!(world.engine.asked(), asked + 1);
        assert_eq!(operations(&account, kind).await.len(), 1);
        let mut other = call.body.clone();
        other["language"] = json!("de");
        account.post(&call.path, "k", &other).await.is_error(409, "idempotency_key_reused");
    }
}

#[tokio::test]
async fn a_deferred_operation_comes_to_the_result_of_a_call() {
    let world = World::with_limits(Limits::Lifted).await;
    for kind in Kind::ALL {
        let (account, call) = prepared(&world, kind).await;
        let later = account.post_async(&call.path, "later", &call.body).await;
        if !kinds::is_deferrable(kind) {
            let error = later.is_error(400, "invalid_request");
            assert_eq!(error["details"][0]["path"], "header.Prefer");
            continue;
        }
        let now = account.post(&call.path, "now", &call.body).await;
        let accepted = later.data(202);
        assert_eq!(accepted["kind"], kind.as_str());
        assert_eq!(accepted["status"], "PENDING");
        assert_eq!(later.header("preference-applied"), Some("respond-async"));
        let path = format!("/operations/{}", accepted["id"].as_str().expect("an id"));
        assert_eq!(later.header("location"), Some(format!("{}{path}", world.base_url).as_str()));
        world.process_everything().await;
        let done = account.get(&path).await.data(200).clone();
        assert_eq!(done["status"], "SUCCEEDED", "{done}");
        assert_eq!(lasting(&done["result"]), lasting(now.data(200)), "{kind:?}");
    }
}

#[tokio::test]
async fn a_cancelled_operation_costs_nothing_and_never_runs() {
    let world = World::with_limits(Limits::Lifted).await;
    for kind in Kind::ALL.into_iter().filter(|kind| kinds::is_deferrable(*kind)) {
        let (account, call) = prepared(&world, kind).await;
        let (asked, before) = (world.engine.asked(), credits(&account).await);
        let accepted = account.post_async(&call.path, "k", &call.body).await;
        let held = credits(&account).await["held"].as_u64();
        assert_eq!(held, Some(u64::from(kind.credits())), "{kind:?}");
        let path = format!("/operations/{}", accepted.data(202)["id"].as_str().expect("an id"));
        assert_eq!(account.delete(&path).await.data(200)["status"], "CANCELLED");
        account.delete(&path).await.is_error(409, "operation_not_cancellable");
        world.process_everything().await;
        assert_eq!(world.engine.asked(), asked, "{kind:?}");
        assert_eq!(credits(&account).await, before);
    }
}

#[tokio::test]
async fn a_failed_operation_costs_nothing_releases_its_key_and_leaves_no_history() {
    let world = World::with_limits(Limits::Lifted).await;
    for kind in Kind::ALL {
        let (account, call) = prepared(&world, kind).await;
        let (before, history) = (credits(&account).await, everything(&account).await);
        for (error, status, code) in [
            (EngineError::Unavailable { retry_after: None }, 503, "provider_unavailable"),
            (EngineError::Timeout, 503, "provider_unavailable"),
            (EngineError::Unusable { violations: Vec::new() }, 503, "unusable_result"),
            (EngineError::TooLarge, 400, "content_too_large"),
            (EngineError::Rejected { reason: "x".to_owned() }, 400, "content_rejected"),
        ] {
            world.engine.set(Behavior::Fails(error));
            let failed = account.post(&call.path, "k", &call.body).await;
            failed.is_error(status, code);
            assert_eq!(failed.header("retry-after").is_some(), status == 503);
            assert_eq!(credits(&account).await, before, "{kind:?} {code}");
        }
        assert_eq!(everything(&account).await, history, "{kind:?}");
        world.engine.set(Behavior::Works);
        account.post(&call.path, "k", &call.body).await.data(200);
    }
}

#[tokio::test]
async fn an_unusable_answer_names_what_it_lost_to_the_caller_and_in_short_to_who_polls() {
    let world = World::with_limits(Limits::Lifted).await;
    let (account, call) = prepared(&world, Kind::RefinePrompt).await;
    let lost = || {
        let violation = |detail: &str| Violation::new("integrity", "/prompt", detail);
        let violations = vec![violation("loses {{name}}"), violation(&"x".repeat(5_000))];
        EngineError::Unusable { violations }
    };
    world.engine.set(Behavior::Fails(lost()));
    let failed = account.post(&call.path, "k", &call.body).await;
    let error = failed.is_error(503, "unusable_result").clone();
    assert_eq!(error["details"][0], json!({"path": "/prompt", "message": "loses {{name}}"}));
    assert!(error["details"][1].to_string().len() < 400);

    let accepted = account.post_async(&call.path, "l", &call.body).await;
    world.engine.set(Behavior::Fails(lost()));
    world.process_everything().await;
    let id = accepted.data(202)["id"].as_str().expect("an id").to_owned();
    let polled = account.get(&format!("/operations/{id}")).await.data(200)["error"].clone();
    assert_eq!(polled["code"], "unusable_result");
    let message = polled["message"].as_str().expect("a text");
    assert!(message.contains("/prompt: loses {{name}}") && message.len() < 400, "{message}");
    assert_eq!(polled.as_object().map(|members| members.len()), Some(2));
}

/// All history items of the account.
async fn everything(account: &Account) -> Vec<Value> {
    let mut items = Vec::new();
    for kind in ["generation", "optimization", "refinement"] {
        let listed = account.get(&format!("/history?type={kind}&limit=100")).await;
        items.extend(listed.data(200)["items"].as_array().expect("a list").clone());
    }
    items
}

/// Each call of each kind is crashed at, before or after it is done: the other one for the next call, and for the
/// same call of the next kind. [`crash_points`](crate::crashes) has both for one kind.
#[tokio::test]
async fn a_crash_at_any_point_loses_nothing_and_charges_nothing_twice() {
    crash_everywhere(|kind, after| vec![(kind + after) % 2 == 0]).await;
}

#[tokio::test]
#[ignore = "takes half a minute more than its half above"]
async fn a_crash_before_or_after_any_call_loses_nothing_and_charges_nothing_twice() {
    crash_everywhere(|_, _| vec![false, true]).await;
}

async fn crash_everywhere(arrivals: impl Fn(usize, usize) -> Vec<bool>) {
    for (number, kind) in Kind::ALL.into_iter().enumerate() {
        let mut deaths = 0;
        for after in 0..6 {
            for call_arrives in arrivals(number, after) {
                let mut world = World::with_limits(Limits::Lifted).await;
                let (account, call) = prepared(&world, kind).await;
                let before = credits(&account).await["used"].as_u64().expect("a number");
                let history = everything(&account).await.len();
                world.faults.crash(CrashPoint { after, call_arrives });
                let calling = account.post(&call.path, "k", &call.body);
                let waited = world.faults.or_crash(calling).await;
                deaths += u32::from(waited.is_none());
                world.restart();
                world.process_everything().await;
                let place = format!("{kind:?}, after {after}, arrives {call_arrives}");
                let retried = account.post(&call.path, "k", &call.body).await;
                assert!(retried.status.is_success(), "{place}: {}", retried.body);
                world.process_everything().await;
                let made = operations(&account, kind).await;
                let succeeded: Vec<_> =
                    made.iter().filter(|one| one["status"] == "SUCCEEDED").collect();
                assert_eq!(succeeded.len(), 1, "{place}: {made:?}");
                let usage = account.usage().await;
                assert_eq!(usage["credits"]["used"], before + u64::from(kind.credits()), "{place}");
                assert_eq!(usage["credits"]["held"], 0, "{place}");
                assert_eq!(usage["operations"]["running"], 0, "{place}");
                let added = match kind {
                    Kind::ReversePrompt | Kind::RefineOptimizedPrompt => 0,
                    _ => 1,
                };
                assert_eq!(everything(&account).await.len(), history + added, "{place}");
            }
        }
        assert!(deaths >= 3, "{kind:?}: only {deaths} calls were died at");
    }
}

#[tokio::test]
async fn results_have_the_documented_form() {
    let document: Value =
        serde_json::from_str(include_str!("../../../infra/openapi.json")).expect("JSON");
    let world = World::with_limits(Limits::Lifted).await;
    for kind in Kind::ALL {
        let (account, call) = prepared(&world, kind).await;
        let answer = account.post(&call.path, &fresh_key(), &call.body).await;
        answer.data(200);
        let operation = document["paths"]
            .as_object()
            .expect("paths")
            .values()
            .filter_map(|item| item.get("post"))
            .find(|operation| operation["operationId"] == kind.as_str())
            .expect("documented");
        let mut schema =
            operation["responses"]["200"]["content"]["application/json"]["schema"].clone();
        schema["components"] = document["components"].clone();
        let problems: Vec<_> = jsonschema::validator_for(&schema)
            .expect("a schema")
            .iter_errors(&answer.body)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert_eq!(problems, Vec::<String>::new(), "{kind:?}");
    }
}
