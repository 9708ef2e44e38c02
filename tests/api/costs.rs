//! What requests cost: measures rows of `infra/tables.md`, by heading and first cell.
//!
//! `infra/proof/costs.sh` runs this, and compares the figures with the table or writes them there.

use std::{fs::File, io::Write as _, time::Duration};

use acceptance::{
    Account, World, account::fresh_key, fault_injection::RecordedCall, files, receiver::ENDPOINTS,
    uploads::id_of,
};
use domain::{Plan, Scopes};
use reqwest::Method;
use serde_json::{Value, json};
use store::admission::Limits;

use crate::{
    library::{self, full, page, post, published},
    presets::{self, PRESETS, patched},
    webhooks::Subscribed,
};

/// The heading of whole requests, with all that queues and functions do because of them.
const MILLION: &str = "What a million requests cost";
const MINUTE: Duration = Duration::from_secs(60);

/// The rows below a heading, measured in a world.
struct Rows<'a> {
    heading: &'static str,
    world: &'a World,
}

impl Rows<'_> {
    /// Measures the row that begins with `name`: what `work` costs.
    async fn row<T>(&self, name: &str, work: impl Future<Output = T>) -> T {
        self.world.faults.reset();
        let done = work.await;
        self.record(self.heading, name);
        done
    }

    /// The request that was measured last is also a row of [`MILLION`].
    fn of_a_million(&self, name: &str) {
        self.record(MILLION, name);
    }

    fn record(&self, heading: &str, name: &str) {
        let calls = self.world.faults.calls();
        let units = ['W', 'R', 'Q', 'G'].map(|unit| {
            let consumed = calls.iter().filter_map(consumed).filter(|(of, _)| *of == unit);
            (unit, consumed.map(|(_, amount)| amount).sum::<f64>())
        });
        let units = units.into_iter().filter(|(_, amount)| *amount > 0.0);
        let units: Vec<_> = units.map(|(unit, amount)| format!("{amount} {unit}")).collect();
        let trips = self.world.faults.sequential_trips();
        let line = format!("{heading}\t{name}\t{trips}\t{}\n", units.join(", "));
        match std::env::var_os("COSTS") {
            Some(path) => {
                let file = File::options().create(true).append(true).open(path);
                file.and_then(|mut file| file.write_all(line.as_bytes())).expect("a record");
            }
            None => print!("{line}"),
        }
    }
}

/// The unit of the table that a call consumes, and how many.
fn consumed(call: &RecordedCall) -> Option<(char, f64)> {
    let reads = ["GetItem", "GetItems", "Query"];
    match call.operation.split_once('.') {
        Some(("AmazonSQS", _)) => Some(('Q', 1.0)),
        Some((service, operation)) if service.starts_with("DynamoDB") => {
            let is_read = reads.iter().any(|read| operation.ends_with(read));
            // A write whose condition fails consumes a unit, too; the embedded engine does not say so.
            Some(if is_read { ('R', call.units) } else { ('W', call.units.max(1.0)) })
        }
        _ if ["GET ", "HEAD "].iter().any(|read| call.operation.starts_with(read)) => {
            Some(('G', 1.0))
        }
        _ => None,
    }
}

async fn warm() -> (World, Account) {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    for _ in 0..2 {
        account.get("/models").await.data(200);
    }
    (world, account)
}

/// Goes on to the next minute, whose first request opens the rate window.
async fn next_minute(world: &World, account: &Account) {
    world.clock.advance(MINUTE);
    account.get("/models").await.data(200);
}

fn goal() -> Value {
    json!({"message": "Write a haiku about the sea"})
}

#[tokio::test]
#[ignore = "measures"]
async fn of_accounts() {
    let (world, account) = warm().await;
    let rows = Rows { heading: "Account", world: &world };
    rows.row("any authenticated request", account.get("/models")).await.data(200);
    rows.row("`GET /usage`", account.get("/usage")).await.data(200);
    let prompt = json!({"prompt": "Write a haiku about the sea"});
    let estimate = account.send(Method::POST, "/prompts/token-estimate", &prompt);
    rows.row("`POST /prompts/token-estimate`, `/prompts/checks…`", estimate).await.data(200);
    rows.of_a_million("token estimates");
    world.clock.advance(MINUTE);
    rows.row("first request of a minute", account.get("/models")).await.data(200);
    let subject = world.subject("ada", Scopes::ALL);
    let first = "first request of an access token's subject";
    rows.row(first, subject.get("/models")).await.data(200);
}

#[tokio::test]
#[ignore = "measures"]
async fn of_operations() {
    let (world, account) = warm().await;
    let rows = Rows { heading: "Operations and idempotency", world: &world };
    for _ in 0..30 {
        account.generate(&fresh_key(), &goal()).await.data(200);
    }
    let direct = "AI operation, direct, with a body of 2 KB";
    let made = rows.row(direct, account.generate("k", &goal())).await.data(200).clone();
    rows.row("replayed key", account.generate("k", &goal())).await.data(200);
    rows.of_a_million("AI operations, replayed by their key");
    let path = format!("/operations/{}", made["operationId"].as_str().expect("an id"));
    rows.row("`GET /operations/{id}`", account.get(&path)).await.data(200);
    rows.of_a_million("polls of an operation with a small body");
    for (name, query) in [
        ("`GET /operations`, page of 25", "limit=25"),
        ("… by kind and the status of an end", "status=SUCCEEDED&kind=generatePrompt"),
        ("… by the status of an end alone", "status=SUCCEEDED"),
        ("… by kind alone", "kind=generatePrompt"),
    ] {
        rows.row(name, account.get(&format!("/operations?{query}"))).await.data(200);
    }
    let (key, goal) = (fresh_key(), goal());
    let deferred = account.generate_async(&key, &goal);
    let waiting = rows.row("AI operation, accepted", deferred).await.data(202).clone();
    let path = format!("/operations/{}", waiting["id"].as_str().expect("an id"));
    rows.row("`DELETE /operations/{id}`", account.delete(&path)).await.data(200);
}

#[tokio::test]
#[ignore = "measures"]
async fn of_the_processor() {
    let (world, account) = warm().await;
    let rows = Rows { heading: "Operations and idempotency", world: &world };
    account.generate(&fresh_key(), &goal()).await.data(200);
    world.process_everything().await;

    next_minute(&world, &account).await;
    account.generate_async(&fresh_key(), &goal()).await.data(202);
    assert_eq!(rows.row("processor: queued operation", world.process()).await, 1);

    next_minute(&world, &account).await;
    account.generate(&fresh_key(), &goal()).await.data(200);
    world.clock.advance(MINUTE);
    assert_eq!(rows.row("processor: watchdog of a finished call", world.process()).await, 1);

    let rows = Rows { heading: MILLION, ..rows };
    next_minute(&world, &account).await;
    let direct = async {
        account.generate(&fresh_key(), &goal()).await.data(200);
        world.clock.advance(MINUTE);
        world.process().await
    };
    assert_eq!(rows.row("AI operations, direct: start, end, watchdog", direct).await, 1);
    next_minute(&world, &account).await;
    let deferred = async {
        account.generate_async(&fresh_key(), &goal()).await.data(202);
        world.process().await
    };
    assert_eq!(rows.row("AI operations, deferred: start, processor, no poll", deferred).await, 1);
}

#[tokio::test]
#[ignore = "measures"]
async fn of_history() {
    let (world, account) = warm().await;
    let rows = Rows { heading: "History", world: &world };
    for _ in 0..55 {
        account.generate(&fresh_key(), &goal()).await.data(200);
    }
    let list = "/history?type=generation&limit=25";
    rows.row("`GET /history`, page of 25 at offset 0", account.get(list)).await.data(200);
    rows.of_a_million("first pages of history, 25 items");
    let further = format!("{list}&offset=25");
    rows.row("… at offset 25", account.get(&further)).await.data(200);
    let made = account.generate(&fresh_key(), &goal()).await.data(200).clone();
    let path = format!("/history/generation/{}", made["generationId"].as_str().expect("an id"));
    rows.row("`GET /history/{type}/{id}`", account.get(&path)).await.data(200);
    let title = json!({"title": "Sea"});
    let renamed = account.send(Method::PATCH, &path, &title);
    rows.row("`PATCH /history/{type}/{id}`", renamed).await.data(200);
    rows.row("`DELETE /history/{type}/{id}`", account.delete(&path)).await.data(200);
}

#[tokio::test]
#[ignore = "measures"]
async fn of_presets() {
    let (world, account) = warm().await;
    let rows = Rows { heading: "Presets", world: &world };
    for number in 0..25 {
        presets::created(&account, &presets::small(&format!("n{number}"))).await;
    }
    let new = presets::small("New");
    let path = rows.row("`POST /prompt-presets`", presets::created(&account, &new)).await;
    rows.of_a_million("presets created");
    let read = "`GET /prompt-presets/{id}`, `…/render`";
    let (render, values) = (format!("{path}/render"), json!({}));
    let rendered = account.send(Method::POST, &render, &values);
    rows.row(read, rendered).await.data(200);
    rows.row(read, account.get(&path)).await.data(200);
    rows.of_a_million("reads of a preset");
    let list = "`GET /prompt-presets`, 25 small ones, offset up to 25";
    rows.row(list, account.get(PRESETS)).await.data(200);
    let name = json!({"name": "Another"});
    rows.row("`PATCH /prompt-presets/{id}` with a name", patched(&account, &path, &name)).await;
    rows.row("… with values", patched(&account, &path, &json!({"values": {}}))).await;
    rows.row("`DELETE /prompt-presets/{id}`", account.delete(&path)).await.data(200);
}

#[tokio::test]
#[ignore = "measures"]
async fn of_uploads() {
    let (world, account) = warm().await;
    let rows = Rows { heading: "Uploads", world: &world };
    let file = files::png(1);
    account.upload("generation", "image/png", &file).await;
    let create = || account.create_upload("generation", "image/png", &file);
    let created = rows.row("`POST /uploads`", create()).await.data(200).clone();
    assert_eq!(account.put(&created, &file).await, 200);
    let id = id_of(&created);
    let path = format!("/uploads/{id}");
    rows.row("`GET /uploads/{id}`", account.get(&path)).await.data(200);
    rows.row("`POST /uploads/{id}/complete`", account.complete(&id)).await.data(200);
    rows.row("`DELETE /uploads/{id}`", account.delete(&path)).await.data(200);
    let whole = account.upload("generation", "image/png", &file);
    let rows = Rows { heading: MILLION, ..rows };
    let name = "uploads created, sent and completed; without the bucket's event";
    rows.row(name, whole).await;
}

#[tokio::test]
#[ignore = "measures"]
async fn of_the_library() {
    let (world, account) = warm().await;
    let rows = Rows { heading: "Library", world: &world };
    for number in 0..40 {
        published(&account, &full(&format!("n{number}"))).await;
        world.clock.advance(Duration::from_secs(1));
    }
    // What has changed long ago is in a listing that is in memory.
    for scope in ["my", "community", "official", "community"] {
        world.clock.advance(5 * MINUTE);
        page(&account, &format!("scope={scope}")).await;
    }
    let path = rows.row("`POST /library/items`", library::created(&account, &full("New"))).await;
    rows.row("`GET /library/items/{id}`", account.get(&path)).await.data(200);
    rows.of_a_million("library items read");
    let title = json!({"title": "Newer"});
    let changed = account.send(Method::PATCH, &path, &title);
    rows.row("`PATCH /library/items/{id}`", changed).await.data(200);
    for (name, action) in
        [("`POST …/publish`", "publish"), ("`POST …/vote`", "vote"), ("`POST …/saved`", "saved")]
    {
        rows.row(name, post(&account, &format!("{path}/{action}"))).await.data(200);
    }
    for _ in 0..2 {
        world.clock.advance(5 * MINUTE);
        page(&account, "scope=community").await;
    }
    let listed = "`GET /library/items`, page of 30 among 1,000 or a million";
    rows.row(listed, page(&account, "scope=community")).await;
    rows.of_a_million("library pages, 30 items");
    page(&account, "scope=saved").await;
    rows.row("… that is saved or upvoted", page(&account, "scope=saved")).await;
    let publication = format!("{path}/publish");
    let taken_back = account.delete(&publication);
    rows.row("`DELETE …/publish`", taken_back).await.data(200);
    rows.row("`DELETE /library/items/{id}`", account.delete(&path)).await.data(200);
    let path = published(&account, &full("Short-lived")).await;
    rows.row("… that is published", account.delete(&path)).await.data(200);
}

#[tokio::test]
#[ignore = "measures"]
async fn of_webhooks() {
    let subscribed = Subscribed::to(&["operation.succeeded"]).await;
    let (world, account) = (&subscribed.world, &subscribed.account);
    let rows = Rows { heading: "Webhooks", world };
    for _ in 0..25 {
        account.generate(&fresh_key(), &goal()).await.data(200);
    }
    world.deliver_all().await;
    account.get(ENDPOINTS).await.data(200);
    let path = subscribed.path();
    rows.row("`GET /webhook-endpoints`", account.get(ENDPOINTS)).await.data(200);
    rows.row("`GET /webhook-endpoints/{id}`", account.get(&path)).await.data(200);
    let deliveries = format!("{path}/deliveries");
    let deliveries = account.get(&deliveries);
    rows.row("`GET …/deliveries`, 25 of operations", deliveries).await.data(200);
    let nothing = json!({});
    let tested = account.send(Method::POST, &path, &nothing);
    rows.row("test delivery", tested).await.data(200);
    let created = account.create_endpoint(&subscribed.receiver.url, &["webhook.test"]);
    rows.row("`POST /webhook-endpoints`", created).await;
    let description = json!({"description": "d"});
    let described = account.send(Method::PATCH, &path, &description);
    rows.row("`PATCH /webhook-endpoints/{id}`", described).await.data(200);
    rows.row("`DELETE /webhook-endpoints/{id}`", account.delete(&path)).await.data(200);
}
