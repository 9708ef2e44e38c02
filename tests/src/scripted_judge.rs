//! A server with OpenAI's chat completions that judges library items as a test says.

use std::sync::{Arc, Mutex};

use axum::{Json, Router, extract::State, http::StatusCode, response::IntoResponse};
use llm::EngineConfig;
use serde_json::{Value, json};
use tokio::{net::TcpListener, task::AbortHandle};

/// What the judge answers to a request.
#[derive(Clone, Copy, Debug)]
pub enum Ruling {
    /// It approves the item.
    Approves,
    /// It blocks the item as a fraud.
    Blocks,
    /// It says something that is no verdict.
    Rambles,
    /// It declines to read the item.
    Declines,
    /// It fails.
    Fails,
    /// It never answers.
    IsSilent,
}

/// A running judge.
#[derive(Debug)]
pub struct ScriptedJudge {
    script: Arc<Mutex<Script>>,
    address: String,
    server: AbortHandle,
}

#[derive(Debug)]
struct Script {
    rest: Ruling,
    asked: Vec<Value>,
}

impl ScriptedJudge {
    /// Starts a judge that always rules like this.
    pub async fn start(rest: Ruling) -> Self {
        let script = Arc::new(Mutex::new(Script { rest, asked: Vec::new() }));
        let app = Router::new().fallback(answer).with_state(script.clone());
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let server = tokio::spawn(async move { axum::serve(listener, app).await }).abort_handle();
        Self { script, address, server }
    }

    /// How it rules from now on.
    pub fn rules(&self, rest: Ruling) {
        self.script.lock().expect("no test panics with it").rest = rest;
    }

    /// The requests so far.
    pub fn asked(&self) -> Vec<Value> {
        self.script.lock().expect("no test panics with it").asked.clone()
    }

    /// Settings of a service that asks this judge before the rules suffice, with further settings.
    pub fn engines(&self, further: &[(&str, &str)]) -> EngineConfig {
        let base = format!("http://{}/v1", self.address);
        let own =
            [("ENGINE", "openai,rules"), ("OPENAI_MODEL", "judge"), ("OPENAI_BASE_URL", &base)];
        let value = |name: &str| {
            let known = own.iter().chain(further).find(|(known, _)| *known == name);
            known.map(|(_, value)| (*value).to_owned())
        };
        EngineConfig::read(value).expect("settings")
    }
}

impl Drop for ScriptedJudge {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn answer(
    State(script): State<Arc<Mutex<Script>>>,
    Json(request): Json<Value>,
) -> axum::response::Response {
    let ruling = {
        let mut script = script.lock().expect("no test panics with it");
        script.asked.push(request);
        script.rest
    };
    let reason = json!({"rule": "fraud", "field": "promptText", "message": "It deceives buyers."});
    let said = |content: String| json!({"content": content, "refusal": null});
    let message = match ruling {
        Ruling::Approves => said(json!({"blocked": false, "reasons": []}).to_string()),
        Ruling::Blocks => said(json!({"blocked": true, "reasons": [reason]}).to_string()),
        Ruling::Rambles => said("The item is fine, publish it.".to_owned()),
        Ruling::Declines => json!({"content": null, "refusal": "I cannot help with that."}),
        Ruling::Fails => return StatusCode::BAD_REQUEST.into_response(),
        Ruling::IsSilent => std::future::pending().await,
    };
    Json(json!({"choices": [{"message": message, "finish_reason": "stop"}]})).into_response()
}
