//! Keys and users' texts stay out of logs, errors and debugging output.

use std::{
    io,
    sync::{Arc, Mutex},
};

use engine::Engine;
use serde_json::json;
use tracing_subscriber::fmt::MakeWriter;

use crate::{
    answers::{analysis, finding},
    dialect::{ALL, Dialect, KEY, Outcome},
    stub::Play,
    world::{TestClock, after, engine, prompt},
};

/// A text that occurs nowhere else.
const TEXT: &str =
    "Write about the marmalade festival of Upper Quillwick for children of nine years";

#[derive(Clone, Debug, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Log {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}

/// The log and the result when these are played.
async fn traced(dialect: Dialect, plays: Vec<Play>) -> (String, String) {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt()
        .with_writer(log.clone())
        .with_max_level(tracing::Level::INFO)
        .with_ansi(false)
        .finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let stub = dialect.start(plays).await;
    let engine = engine(dialect, &stub, TestClock::new());
    let result = engine.analyze(&prompt(TEXT), after(60)).await;
    let shown = format!("{engine:?} {engine:#?} {:?}", result.map(|_| "fine"));
    (log.text(), shown)
}

#[tokio::test]
async fn a_key_that_a_provider_repeats_is_not_logged() {
    for dialect in [Dialect::OpenAi, Dialect::Anthropic] {
        let message = format!("Incorrect API key provided: {KEY}. Ask your administrator.");
        let denied = dialect.play(Outcome::Failed(401, dialect.code(401), message));
        let (log, shown) = traced(dialect, vec![denied]).await;
        assert!(
            log.contains("ERROR") && log.contains("Incorrect API key provided: [key]."),
            "{log}"
        );
        assert!(!log.contains(KEY) && !shown.contains(KEY), "{log} {shown}");
    }
}

#[tokio::test]
async fn the_users_text_is_not_logged_when_a_provider_repeats_it() {
    for dialect in ALL {
        let message = format!("Invalid content: {TEXT}");
        let code = dialect.code(400);
        let refused = dialect.play(Outcome::Failed(400, code, message));
        let (log, shown) = traced(dialect, vec![refused]).await;
        assert!(log.contains("it quotes the request"), "{log}");
        assert!(!log.contains("Quillwick") && !shown.contains("Quillwick"), "{log} {shown}");
    }
}

#[tokio::test]
async fn a_providers_message_is_logged_in_part() {
    for dialect in ALL {
        let message = format!("The model is not known here.\n{}", "Look it up. ".repeat(100));
        let code = dialect.code(404);
        let (log, _) =
            traced(dialect, vec![dialect.play(Outcome::Failed(404, code, message))]).await;
        assert!(log.contains("The model is not known here. Look it up."), "{log}");
        assert!(log.len() < 800, "{}", log.len());
    }
}

#[tokio::test]
async fn a_broken_rule_is_logged_without_the_text_that_broke_it() {
    for dialect in ALL {
        let mut answer = analysis(json!([finding("the jam festival of Lower Quillwick")]));
        answer["variables"] =
            json!([{"name": "Quillwick", "description": null, "defaultValue": null}]);
        let plays = vec![dialect.play(Outcome::Answer(answer)); 2];
        let (log, shown) = traced(dialect, plays).await;
        assert!(log.contains("quote at /findings/0/quote"), "{log}");
        assert!(shown.contains("quote at /findings/0/quote"), "{shown}");
        assert!(!log.contains("Quillwick") && !shown.contains("Quillwick"), "{log} {shown}");
    }
}

#[tokio::test]
async fn the_tokens_that_a_call_took_are_logged() {
    for dialect in ALL {
        let plays = vec![dialect.play(Outcome::Answer(analysis(json!([]))))];
        let (log, _) = traced(dialect, plays).await;
        assert!(log.contains("input_tokens=812") && log.contains("output_tokens=344"), "{log}");
        assert!(log.contains(dialect.name()) && log.contains("operation=\"analyze\""), "{log}");
    }
}
