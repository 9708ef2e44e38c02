//! What each operation answers when it is not allowed, not valid or not possible: with the table of
//! authority, every status that is declared.

use acceptance::{Account, Answer, World, fault_injection::Fault, receiver::ENDPOINTS};
use domain::Plan;
use reqwest::Method;
use serde_json::{Value, json};
use store::admission::Limits;

const URL: &str = "https://hooks.example/in";

/// An operation, and the call to storage that it cannot do without.
fn table() -> Vec<(Method, &'static str, Option<Value>, &'static str)> {
    let create = json!({"url": URL, "events": ["webhook.test"]});
    let path = "/webhook-endpoints/{id}";
    let recover = json!({"since": "2126-01-01T00:00:00Z"});
    vec![
        (Method::GET, ENDPOINTS, None, "Query"),
        (Method::POST, ENDPOINTS, Some(create), "TransactWriteItems"),
        (Method::GET, path, None, "GetItem"),
        (Method::POST, path, None, "GetItem"),
        (Method::PATCH, path, Some(json!({"description": "d"})), "BatchGetItem"),
        (Method::GET, "/webhook-endpoints/{id}/deliveries", None, "Query"),
        (Method::POST, "/webhook-endpoints/{id}/recover", Some(recover), "Query"),
        (Method::DELETE, path, None, "GetItem"),
    ]
}

async fn send(
    account: &Account,
    method: &Method,
    path: &str,
    id: &str,
    body: &Option<Value>,
) -> Answer {
    let request = account.request(method.clone(), &path.replace("{id}", id));
    match body {
        Some(body) => Answer::to(request.json(body)).await,
        None => Answer::to(request).await,
    }
}

async fn id_of_new(account: &Account) -> String {
    let made = account.create_endpoint(URL, &["webhook.test"]).await;
    made["id"].as_str().expect("an id").to_owned()
}

#[tokio::test]
async fn every_problem_of_a_body_is_named() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let id = id_of_new(&account).await;
    let path = format!("{ENDPOINTS}/{id}");
    let long = format!("https://hooks.example/{}", "x".repeat(2_027));
    assert_eq!(long.len(), 2_049);
    let kinds = ["webhook.test"; 9];
    for (method, path, body, paths) in [
        (Method::POST, ENDPOINTS, json!({}), vec!["/events", "/url"]),
        (Method::POST, ENDPOINTS, json!({"url": URL, "events": []}), vec!["/events"]),
        (Method::POST, ENDPOINTS, json!({"url": URL, "events": kinds}), vec!["/events"]),
        (Method::POST, ENDPOINTS, json!({"url": URL, "events": ["x"]}), vec!["/events/0"]),
        (Method::POST, ENDPOINTS, json!({"url": 1, "events": "x"}), vec!["/events", "/url"]),
        (Method::POST, ENDPOINTS, json!({"url": long, "events": ["webhook.test"]}), vec!["/url"]),
        (
            Method::POST,
            ENDPOINTS,
            json!({"url": URL, "events": ["webhook.test"], "description": "d".repeat(301)}),
            vec!["/description"],
        ),
        (
            Method::PATCH,
            &path,
            json!({"url": null, "rotateSecret": "x"}),
            vec!["/rotateSecret", "/url"],
        ),
        (Method::PATCH, &path, json!({"events": [], "enabled": null}), vec!["/enabled", "/events"]),
        (Method::PATCH, &path, json!({"url": long}), vec!["/url"]),
    ] {
        let answer = account.send(method, path, &body).await;
        answer.is_error(400, "invalid_request");
        let mut named = answer.problem_paths();
        named.sort_unstable();
        assert_eq!(named, paths, "{body}");
    }
    let fits =
        json!({"url": long[..2_048], "events": ["webhook.test"], "description": "€".repeat(300)});
    account.send(Method::POST, ENDPOINTS, &fits).await.data(200);
}

#[tokio::test]
async fn an_endpoint_that_was_read_can_be_sent_back() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let id = id_of_new(&account).await;
    let path = format!("{ENDPOINTS}/{id}");
    let read = account.get(&path).await.data(200).clone();
    assert_eq!(read["description"], Value::Null);
    let copy = account.send(Method::POST, ENDPOINTS, &read).await.data(200).clone();
    assert_ne!(copy["id"], read["id"]);
    for name in ["url", "events", "description", "enabled"] {
        assert_eq!(copy[name], read[name], "{name}");
    }
    let patched = account.send(Method::PATCH, &path, &read).await.data(200).clone();
    assert_eq!((&patched["id"], &patched["url"]), (&read["id"], &read["url"]));
}

#[tokio::test]
async fn null_removes_a_description_and_an_empty_patch_changes_nothing() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let id = id_of_new(&account).await;
    let path = format!("{ENDPOINTS}/{id}");
    let patch = json!({"description": "Ours"});
    let described = account.send(Method::PATCH, &path, &patch).await.data(200).clone();
    assert_eq!(described["description"], "Ours");
    world.clock.advance(std::time::Duration::from_secs(1));
    assert_eq!(*account.send(Method::PATCH, &path, &json!({})).await.data(200), described);
    assert_eq!(*account.get(&path).await.data(200), described);
    let patch = json!({"description": null});
    let cleared = account.send(Method::PATCH, &path, &patch).await.data(200).clone();
    assert_eq!(cleared["description"], Value::Null);
    assert_eq!(account.get(&path).await.data(200)["description"], Value::Null);
}

#[tokio::test]
async fn parameters_that_nobody_reads_are_ignored_and_other_identifiers_are_refused() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    for (method, path, body, _) in table() {
        let id = id_of_new(&account).await;
        let answer = send(&account, &method, &format!("{path}?x=1"), &id, &body).await;
        assert_eq!(answer.status, 200, "{method} {path}: {}", answer.body);
        let id = id_of_new(&account).await;
        if path.contains("{id}") {
            let answer = send(&account, &method, path, &"x".repeat(192), &body).await;
            answer.is_error(400, "invalid_request");
            for unknown in ["x", "upl_01ARZ3NDEKTSV4RRFFQ69G5FAV"] {
                let answer = send(&account, &method, path, unknown, &body).await;
                answer.is_error(404, "not_found");
            }
        }
        account.delete(&format!("{ENDPOINTS}/{id}")).await.data(200);
    }
}

#[tokio::test]
async fn what_exceeds_the_rate_is_429() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let id = id_of_new(&account).await;
    for _ in 0..29 {
        account.get(ENDPOINTS).await.data(200);
    }
    for (method, path, body, _) in table() {
        let answer = send(&account, &method, path, &id, &body).await;
        answer.is_error(429, "rate_limited");
        assert!(answer.header_number("retry-after") >= 1);
    }
}

#[tokio::test]
async fn what_storage_refuses_is_503_where_declared_or_500_and_works_afterwards() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let id = id_of_new(&account).await;
    for (method, path, body, needs) in table() {
        world.faults.inject(needs, Fault::Unreachable, 1_000);
        let call = send(&account, &method, path, &id, &body);
        let answer = world.advancing_time(call).await;
        world.faults.recover();
        match method {
            Method::POST | Method::PATCH => answer.is_error(503, "queue_unavailable"),
            _ => answer.is_error(500, "internal_error"),
        };
        send(&account, &method, path, &id, &body).await.data(200);
    }
}

#[tokio::test]
async fn a_resolver_that_does_not_work_is_503() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let id = id_of_new(&account).await;
    world.names.break_for("hooks.example");
    let path = format!("{ENDPOINTS}/{id}");
    let create = json!({"url": URL, "events": ["webhook.test"]});
    let calls = [
        account.send(Method::POST, ENDPOINTS, &create).await,
        account.send(Method::PATCH, &path, &json!({"url": URL})).await,
        Answer::to(account.request(Method::POST, &path)).await,
    ];
    for answer in calls {
        answer.is_error(503, "dns_unavailable");
        assert!(answer.header_number("retry-after") >= 1);
    }
    account.send(Method::PATCH, &path, &json!({"description": "d"})).await.data(200);
}

/// Has so many calls succeed that two more may be tried again.
async fn save_retries(account: &Account) {
    for _ in 0..20 {
        account.get(ENDPOINTS).await.data(200);
    }
}

#[tokio::test]
async fn writes_whose_answers_are_lost_happen_once() {
    for [created, changed, deleted] in [[2, 1, 1], [1, 2, 1], [1, 1, 2]] {
        let world = World::with_limits(Limits::Lifted).await;
        let account = world.account(Plan::Max).await;
        save_retries(&account).await;
        world.faults.inject("TransactWriteItems", Fault::AnswerLost, created);
        let create = json!({"url": URL, "events": ["webhook.test"]});
        let made = world.advancing_time(account.send(Method::POST, ENDPOINTS, &create)).await;
        let path = format!("{ENDPOINTS}/{}", made.data(200)["id"].as_str().expect("an id"));
        save_retries(&account).await;
        world.faults.inject("TransactWriteItems", Fault::AnswerLost, changed);
        let patch = json!({"description": "d"});
        let patched = world.advancing_time(account.send(Method::PATCH, &path, &patch)).await;
        assert_eq!(patched.data(200)["description"], "d");
        let list = account.get(ENDPOINTS).await.data(200).clone();
        assert_eq!(list["items"].as_array().map(Vec::len), Some(1));
        save_retries(&account).await;
        world.faults.inject("TransactWriteItems", Fault::AnswerLost, deleted);
        world.advancing_time(account.delete(&path)).await.data(200);
        assert_eq!(account.get(ENDPOINTS).await.data(200), &json!({"items": []}));
    }
}
