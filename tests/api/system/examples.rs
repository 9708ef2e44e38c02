//! The examples in the OpenAPI document are what the service answers.

use std::{collections::BTreeMap, env, fs, path::Path};

use acceptance::{
    Answer, World,
    fault_injection::Fault,
    operations::{Resource, Row, table},
    receiver::Receiver,
};
use domain::Plan;
use regex::{Captures, Regex};
use reqwest::Method;
use serde_json::{Value, json};

static RECORDED: &str = include_str!("../../../infra/examples.json");

/// `RECORD_EXAMPLES=1 cargo test -p acceptance --test api system::examples` writes them.
#[tokio::test]
async fn the_examples_of_all_operations_are_what_the_service_answers() {
    let world = World::start().await;
    let receiver = Receiver::start().await;
    let url: &'static str = receiver.url.clone().leak();
    let mut examples = BTreeMap::new();
    for (operation, path) in [("getApiInfo", "/"), ("getHealth", "/health")] {
        let answer = Answer::to(world.anonymous(Method::GET, path)).await;
        examples.insert(operation, json!({"response": whole(&answer)}));
    }
    let broken = World::start().await;
    broken.faults.inject("GetItem", Fault::Unreachable, 10);
    let unavailable = broken.get("/health").await.body;
    examples.entry("getHealth").and_modify(|health| health["unavailable"] = unavailable);
    for row in table(url) {
        examples.insert(row.operation, example(&world, &row, url).await);
    }
    let text = Stable::default().text(&format!("{:#}\n", json!(examples)), &world, url);
    if env::var_os("RECORD_EXAMPLES").is_some() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../infra/examples.json");
        fs::write(file, &text).expect("a file that can be written");
    } else {
        let differs = text.lines().zip(RECORDED.lines()).find(|(now, then)| now != then);
        assert!(text == RECORDED, "record the examples anew: {differs:?}");
    }
}

/// The call of an operation by an account that has nothing but what it works on.
async fn example(world: &World, row: &Row, url: &str) -> Value {
    let account = world.account(Plan::Pro).await;
    if let Some(listed) = listed_by(row.operation) {
        listed.of(&account, url).await;
    }
    let id = row.id(&account).await;
    match row.operation {
        "getOperation" => world.process_everything().await,
        "listWebhookDeliveries" => {
            let (path, events) = (format!("/webhook-endpoints/{id}"), ["operation.succeeded"]);
            account.send(Method::PATCH, &path, &json!({"events": events})).await.data(200);
            account
                .generate("delivered", &json!({"message": "A haiku about rain"}))
                .await
                .data(200);
            while world.deliver_without_advancing().await > 0 {}
        }
        _ => {}
    }
    let mut example = json!({});
    let request = |method, path: &str| account.request(method, path);
    if let Some(body) = row.body_for(&id) {
        example["request"] = body;
        if is_deferrable(row) {
            let deferred =
                |method, path: &str| request(method, path).header("Prefer", "respond-async");
            example["accepted"] = whole(&row.call(deferred, &id).await);
        }
    }
    example["response"] = whole(&row.call(request, &id).await);
    example
}

fn is_deferrable(row: &Row) -> bool {
    let kinds = domain::Kind::ALL.map(domain::Kind::as_str);
    kinds.contains(&row.operation) && row.operation != "refineOptimizedPrompt"
}

fn listed_by(operation: &str) -> Option<Resource> {
    match operation {
        "listHistory" => Some(Resource::Optimization),
        "listPresets" => Some(Resource::Preset),
        "listLibraryItems" => Some(Resource::LibraryItem),
        "listWebhookEndpoints" => Some(Resource::WebhookEndpoint),
        "listOperations" => Some(Resource::PendingOperation),
        _ => None,
    }
}

fn whole(answer: &Answer) -> Value {
    assert!(answer.status.is_success(), "{}", answer.body);
    answer.body.clone()
}

/// Replaces what differs from run to run.
#[derive(Default)]
struct Stable {
    seen: BTreeMap<String, usize>,
}

impl Stable {
    fn text(&mut self, text: &str, world: &World, receiver: &str) -> String {
        let text = text
            .replace(&world.base_url, "https://api.example.com/v1")
            .replace(receiver, "https://example.com/hooks");
        let storage = Regex::new(r#""http://[^"]*""#).expect("a pattern");
        let text = storage.replace_all(&text, r#""https://files.example.com/…""#);
        let secret = Regex::new(r#""whsec_[^"]*""#).expect("a pattern");
        let text = secret.replace_all(&text, r#""whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLw==""#);
        let id = Regex::new(r"\b([a-z]+)_[0-9A-HJKMNP-TV-Z]{26}\b").expect("a pattern");
        id.replace_all(&text, |found: &Captures<'_>| {
            let next = self.seen.len();
            let number = *self
                .seen
                .entry(found[0].split_once('_').map_or("", |(_, unique)| unique).to_owned())
                .or_insert(next);
            format!("{}_01KKRN7B00Q4N7V9X2B6C8{number:04}", &found[1])
        })
        .into_owned()
    }
}
