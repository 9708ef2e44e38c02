//! What the log says, and what it must never say.

use std::{
    io::Write,
    sync::{Arc, Mutex},
};

use acceptance::{World, account::fresh_key, fault_injection::Fault, scripted_engine::Behavior};
use domain::Plan;
use reqwest::Method;
use serde_json::{Value, json};
use tracing_subscriber::filter::LevelFilter;

/// Something that only users write.
const MARKER: &str = "xylophonquartz";
/// What the scripted engine says when its code is broken.
const PANIC: &str = "as the test asked";

#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("no test panics with it").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn no_line_has_what_a_user_wrote() {
    let lines = Lines::default();
    let writer = lines.clone();
    let subscriber = tracing_subscriber::fmt()
        .json()
        .with_max_level(LevelFilter::INFO)
        .with_writer(move || writer.clone())
        .finish();
    // With a single subscriber, other tests' threads, which have none, decide what it is not asked about.
    let _other = tracing::Dispatch::new(tracing_subscriber::registry());
    // The service of the test and the test itself share one thread.
    let _logging = tracing::subscriber::set_default(subscriber);
    let world = World::with_limits(store::admission::Limits::Lifted).await;
    let account = world.account(Plan::Max).await;

    let text = format!("Write about {MARKER} for Ada. My key is {MARKER}-4711.");
    let prompts: [(&str, Value); 6] = [
        ("/prompts/generate", json!({"message": &text, "currentPrompt": &text})),
        ("/prompts/analyze", json!({"prompt": &text, "context": &text})),
        ("/prompts/optimize", json!({"prompt": &text})),
        ("/prompts/refine", json!({"prompt": &text, "feedback": &text})),
        ("/reverse-prompts", json!({"type": "text", "content": text.repeat(8)})),
        (
            "/reverse-prompts",
            json!({"type": "url", "content": format!("http://127.0.0.1:65534/{MARKER}")}),
        ),
    ];
    let engine_errors = [
        Behavior::Works,
        Behavior::Panics,
        Behavior::Fails(engine::EngineError::Timeout),
        Behavior::Fails(engine::EngineError::Rejected { reason: MARKER.to_owned() }),
        Behavior::Fails(engine::EngineError::Unusable {
            violations: vec![engine::Violation::new("integrity", "/prompt", MARKER)],
        }),
    ];
    for behavior in engine_errors {
        world.engine.set(behavior);
        for (path, body) in &prompts {
            account.post(path, &fresh_key(), body).await;
            account.post_async(path, &fresh_key(), body).await;
            world.process().await;
        }
    }
    world.engine.set(Behavior::Works);

    let url = format!("http://127.0.0.1:65534/{MARKER}?token={MARKER}");
    account.create_endpoint(&url, &["operation.succeeded"]).await;
    account.generate(&fresh_key(), &prompts[0].1).await.data(200);
    for _ in 0..3 {
        world.deliver().await;
    }
    let preset = json!({"name": &text, "promptText": &text, "values": {MARKER: &text}});
    let item = json!({
        "title": MARKER, "promptText": &text, "recommendedModels": ["Universal"], "category": MARKER,
    });
    let item = account.send(Method::POST, "/library/items", &item).await.data(200)["id"].clone();
    let item = format!("/library/items/{}", item.as_str().expect("an id"));
    account.send(Method::POST, "/prompt-presets", &preset).await.data(200);
    account.send(Method::POST, &format!("{item}/publish"), &json!({})).await;
    account.get(&format!("/library/items?query={MARKER}")).await.data(200);
    account.get(&format!("/history?search={MARKER}&{MARKER}={MARKER}")).await;
    account.get(&format!("/{MARKER}/{MARKER}")).await.is_error(404, "not_found");
    account.get(&format!("/operations/{MARKER}")).await;
    account.send(Method::POST, "/prompt-presets", &json!({MARKER: MARKER, "name": 7})).await;
    account.create_upload("analysis", "image/png", MARKER.as_bytes()).await;
    world.bearing(MARKER).get("/usage").await.is_error(401, "invalid_credentials");
    world.faults.inject("TransactWriteItems", Fault::Unreachable, 3);
    account.send(Method::POST, "/prompt-presets", &preset).await;

    let lines = lines.0.lock().expect("no test panics with it").clone();
    let lines = String::from_utf8(lines).expect("text");
    let answered = lines.lines().filter(|line| line.contains("\"answered\"")).count();
    assert!(answered > 40, "{answered} requests are in the log");
    assert!(lines.contains("a delivery failed"), "{lines}");
    for line in lines.lines() {
        assert!(!line.contains(MARKER) && !line.contains(PANIC), "{line}");
    }
}
