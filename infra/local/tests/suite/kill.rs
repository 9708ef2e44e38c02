//! A server that is killed while it works, and started again on the same data.

use crate::server;

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use server::{Server, folder};

/// Longer than any lease, watchdog or hidden message of the development server.
const PATIENCE: Duration = Duration::from_secs(120);

#[test]
fn no_accepted_operation_is_lost_or_charged_twice_by_a_kill() {
    let folder = folder("kill");
    let options = ["--port", "0", "--data-dir", folder.as_str(), "--unlimited"];
    let mut accepted = BTreeMap::new();
    // Each life is ended at another moment of its 80 calls.
    for (life, answers) in [1, 20, 50].into_iter().enumerate() {
        let mut server = Server::start(&options);
        let answers = call_until_killed(&mut server, life, answers);
        accepted.extend(answers);
    }
    let mut server = Server::start(&options);
    let operations = wait_for_rest(&server);
    let succeeded = operations.values().filter(|one| one["status"] == "SUCCEEDED").count();
    let usage = server.get("/usage")["data"].clone();
    assert_eq!(usage["credits"]["held"], 0, "{usage}");
    assert_eq!(usage["credits"]["used"], succeeded, "{usage}");
    assert_eq!(usage["operations"]["running"], 0, "{usage}");
    assert!(succeeded > 0, "nothing was in flight: {accepted:?}");
    for (key, id) in &accepted {
        let operation = operations.get(id).unwrap_or_else(|| panic!("{key}: {id} is lost"));
        assert_eq!(operation["status"], "SUCCEEDED", "{key}: {operation}");
    }

    // Every key replays or runs once.
    let names: Vec<_> = (0..3)
        .flat_map(|life| (0..80).map(move |number| format!("life-{life}-{number}")))
        .collect();
    for names in names.chunks(20) {
        let calls = names.iter().map(|name| call(&server, name, false));
        let ids = server.block_on(futures::future::join_all(calls));
        for (name, id) in names.iter().zip(ids) {
            let id = id.unwrap_or_else(|| panic!("{name} was not answered"));
            assert_eq!(accepted.get(name).unwrap_or(&id), &id, "{name} ran twice");
        }
    }
    let operations = wait_for_rest(&server);
    assert_eq!(operations.len(), 240, "one operation a key");
    let usage = server.get("/usage")["data"].clone();
    assert_eq!(usage["credits"]["used"], 240, "{usage}");
    assert_eq!(usage["credits"]["held"], 0, "{usage}");
    server.stop();
}

/// Sends a call under this key; returns the operation of its answer.
fn call(
    server: &Server,
    idempotency_key: &str,
    deferred: bool,
) -> impl Future<Output = Option<String>> + use<> {
    let request = server
        .client()
        .post(format!("{}/prompts/generate", server.base_url()))
        .bearer_auth(server.key())
        .header("Idempotency-Key", idempotency_key)
        .json(&json!({"message": "A haiku about rain"}));
    let request = if deferred { request.header("Prefer", "respond-async") } else { request };
    async move {
        let answer = request.send().await.ok()?.json::<Value>().await.ok()?;
        let id = answer["data"]["operationId"].as_str().or(answer["data"]["id"].as_str());
        id.map(str::to_owned)
    }
}

/// Sends 80 calls at once, every other one deferred, and kills the server once it has answered
/// so many. Returns the operations that were answered, by key.
fn call_until_killed(server: &mut Server, life: usize, enough: usize) -> Vec<(String, String)> {
    let (answered, mut answers) = tokio::sync::mpsc::unbounded_channel();
    let calls: Vec<_> = (0..80)
        .map(|number| {
            let name = format!("life-{life}-{number}");
            let call = call(server, &name, number % 2 == 0);
            let answered = answered.clone();
            async move {
                if let Some(id) = call.await {
                    let _ = answered.send((name, id));
                }
            }
        })
        .collect();
    let pid = server.child.id().to_string();
    drop(answered);
    let known = server.block_on(async {
        for call in calls {
            tokio::spawn(call);
        }
        let mut known = Vec::new();
        while let Some(answer) = answers.recv().await {
            known.push(answer);
            if known.len() == enough {
                let killed = std::process::Command::new("kill").args(["-9", &pid]).status();
                assert!(killed.expect("kill runs").success());
            }
        }
        known
    });
    server.stop();
    assert!(known.len() >= enough && known.len() < 80, "{} answers", known.len());
    known
}

/// All operations, once none is pending or running any more.
fn wait_for_rest(server: &Server) -> BTreeMap<String, Value> {
    let began = Instant::now();
    loop {
        let mut operations = BTreeMap::new();
        let mut cursor = String::new();
        loop {
            let page = server.get(&format!("/operations?limit=100{cursor}"));
            for item in page["data"]["items"].as_array().expect("a list") {
                operations.insert(item["id"].as_str().expect("an id").to_owned(), item.clone());
            }
            match page["data"]["nextCursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => break,
            }
        }
        let unfinished = operations
            .values()
            .filter(|one| one["status"] == "PENDING" || one["status"] == "RUNNING")
            .count();
        if unfinished == 0 {
            return operations;
        }
        assert!(began.elapsed() < PATIENCE, "{unfinished} operations do not end");
        std::thread::sleep(Duration::from_millis(200));
    }
}
