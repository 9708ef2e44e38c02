//! The files of `events/`: at least one for each function, and each good for its trigger.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use acceptance::World;
use aws_lambda_events::sqs::SqsEvent;
use domain::{Plan, Scopes};
use lambda_http::{IntoResponse as _, tower::ServiceExt as _};
use serde_json::Value;

/// Functions that queues feed, by the end of the queue's name.
const FED: [(&str, &str); 5] = [
    ("operations", "processor"),
    ("deliveries", "deliveries"),
    ("slow-deliveries", "deliveries"),
    ("upload-events", "upload-events"),
    ("library", "library-indexer"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_owned()
}

/// Names and texts of the events.
fn events() -> Vec<(String, String)> {
    let files = fs::read_dir(root().join("events")).expect("a folder");
    let read =
        |path: PathBuf| (path.display().to_string(), fs::read_to_string(&path).expect("text"));
    files.map(|file| read(file.expect("a file").path())).collect()
}

/// The function that a path leads to under `cargo lambda watch`.
fn routed(path: &str) -> String {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("text");
    let route = format!("\"{path}\" = \"");
    let line = manifest.lines().find_map(|line| line.strip_prefix(&route));
    line.unwrap_or_else(|| panic!("no route {path}")).trim_end_matches('"').to_owned()
}

#[tokio::test]
async fn every_function_has_an_event_that_it_can_take() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let token = world.issuer.token("ada", Scopes::ALL);
    let mut met = BTreeSet::new();
    for (name, text) in events() {
        let event: Value = serde_json::from_str(&text).expect("JSON");
        if let Some(path) = event["routeKey"].as_str().and_then(|key| key.strip_prefix("ANY ")) {
            let text = text.replace("{api_key}", &account.key).replace("{access_token}", &token);
            let request = lambda_http::request::from_str(&text).expect("an API Gateway event");
            let response = world.application.router().oneshot(request).await.expect("an answer");
            let response = response.into_response().await;
            assert_eq!(response.status(), 200, "{name}: {:?}", response.body());
            met.insert(routed(path));
        } else {
            let batch: SqsEvent = serde_json::from_str(&text).expect("an SQS event");
            let source = batch.records[0].event_source_arn.as_deref().expect("a queue");
            let queue = source.rsplit(':').next().expect("a name");
            let fed =
                FED.iter().find(|(end, _)| queue.trim_start_matches("prompt-workflow-") == *end);
            met.insert(fed.unwrap_or_else(|| panic!("{name}: {queue}")).1.to_owned());
        }
    }
    let functions = fs::read_dir(root().join("functions")).expect("a folder");
    let functions = functions.map(|folder| folder.expect("a folder").file_name());
    let functions = functions.map(|name| name.to_string_lossy().into_owned());
    assert_eq!(met, functions.collect::<BTreeSet<_>>());
}
