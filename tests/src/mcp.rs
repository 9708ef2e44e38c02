//! A client of the MCP interface that sees every byte: it speaks JSON-RPC over HTTP by itself.

use std::sync::atomic::{AtomicU64, Ordering};

use reqwest::{Method, RequestBuilder, StatusCode, header::HeaderMap};
use serde_json::{Value, json};

use crate::Account;

/// The newest revision that has conversations, and the newest one.
pub const WITH_SESSIONS: &str = "2025-11-25";
/// The newest revision; every request stands by itself.
pub const NEWEST: &str = "2026-07-28";

/// What the interface answered.
#[derive(Clone, Debug)]
pub struct Reply {
    /// Its status.
    pub status: StatusCode,
    /// Its headers.
    pub headers: HeaderMap,
    /// Its messages, in order: one, if the answer is no stream.
    pub messages: Vec<Value>,
}

impl Reply {
    /// Waits for the answer to `request`.
    pub async fn to(request: RequestBuilder) -> Self {
        let response = request.send().await.expect("the service answers");
        let (status, headers) = (response.status(), response.headers().clone());
        let text = response.text().await.expect("the whole body");
        let is_stream =
            headers.get("content-type").is_some_and(|value| value == "text/event-stream");
        let messages = if is_stream {
            let data = text.lines().filter_map(|line| line.strip_prefix("data:"));
            data.filter(|data| !data.trim().is_empty())
                .map(|data| serde_json::from_str(data).expect("JSON"))
                .collect()
        } else {
            serde_json::from_str(&text).into_iter().collect()
        };
        Self { status, headers, messages }
    }

    /// The last message.
    #[track_caller]
    pub fn message(&self) -> &Value {
        self.messages.last().unwrap_or_else(|| panic!("{} without a body", self.status))
    }

    /// The result of the request.
    #[track_caller]
    pub fn result(&self) -> &Value {
        assert_eq!(self.status, 200, "{:?}", self.messages);
        let message = self.message();
        assert!(message["result"].is_object(), "{message}");
        &message["result"]
    }

    /// The JSON-RPC error that the request was answered with.
    #[track_caller]
    pub fn error(&self) -> &Value {
        assert!(self.message()["error"]["code"].is_i64(), "{:?}", self.messages);
        &self.message()["error"]
    }

    /// Checks that HTTP itself refused, in the envelope of the API.
    #[track_caller]
    pub fn is_refused(&self, status: u16, code: &str) {
        assert_eq!(self.status.as_u16(), status, "{:?}", self.messages);
        assert_eq!(self.message()["error"]["code"], code, "{:?}", self.messages);
    }

    /// The structured result of a tool that worked.
    #[track_caller]
    pub fn data(&self) -> &Value {
        let result = self.result();
        assert_eq!(result["isError"], false, "{result}");
        &result["structuredContent"]
    }

    /// The error that a tool gave its model to read.
    #[track_caller]
    pub fn tool_error(&self) -> Value {
        let result = self.result();
        assert_eq!(result["isError"], true, "{result}");
        assert!(result.get("structuredContent").is_none(), "{result}");
        let text = result["content"][0]["text"].as_str().expect("text");
        serde_json::from_str::<Value>(text).expect("JSON")["error"].clone()
    }

    /// A header's value.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

/// A client in one conversation.
#[derive(Debug)]
pub struct Client {
    account: Account,
    revision: &'static str,
    /// The conversation's name, if it has one.
    pub session: Option<String>,
    next: AtomicU64,
}

impl Account {
    /// A client that has begun a conversation.
    pub async fn mcp(&self) -> Client {
        let mut client = self.mcp_before_anything(WITH_SESSIONS);
        let begun = client.say("initialize", client.introduction()).await;
        assert_eq!(begun.result()["protocolVersion"], WITH_SESSIONS);
        client.session = begun.header("mcp-session-id").map(ToOwned::to_owned);
        client
    }

    /// A client of a revision that has said nothing yet.
    pub fn mcp_before_anything(&self, revision: &'static str) -> Client {
        Client { account: self.clone(), revision, session: None, next: AtomicU64::new(0) }
    }
}

impl Client {
    /// What a conversation begins with.
    pub fn introduction(&self) -> Value {
        json!({
            "protocolVersion": self.revision,
            "capabilities": {},
            "clientInfo": {"name": "a test", "version": "1"},
        })
    }

    /// A message, with a new identifier.
    pub fn message(&self, method: &str, mut params: Value) -> Value {
        if self.revision == NEWEST {
            let meta = &mut params["_meta"];
            meta["io.modelcontextprotocol/protocolVersion"] = NEWEST.into();
            meta["io.modelcontextprotocol/clientCapabilities"] = json!({});
            meta["io.modelcontextprotocol/clientInfo"] = json!({"name": "a test", "version": "1"});
        }
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
    }

    /// A request with a message, to be changed or sent.
    pub fn posting(&self, message: &Value) -> RequestBuilder {
        let mut request = self.account.request(Method::POST, "/mcp").json(message);
        request = request.header("Accept", "application/json, text/event-stream");
        if message["method"] != "initialize" {
            request = request.header("MCP-Protocol-Version", self.revision);
        }
        if self.revision == NEWEST {
            let params = &message["params"];
            request = request.header("Mcp-Method", message["method"].as_str().expect("a method"));
            if let Some(name) = params["name"].as_str().or(params["uri"].as_str()) {
                request = request.header("Mcp-Name", name);
            }
        }
        match &self.session {
            Some(session) => request.header("Mcp-Session-Id", session),
            None => request,
        }
    }

    /// Sends a message as it is.
    pub async fn send(&self, message: &Value) -> Reply {
        Reply::to(self.posting(message)).await
    }

    /// Sends a new message.
    pub async fn say(&self, method: &str, params: Value) -> Reply {
        self.send(&self.message(method, params)).await
    }

    /// The message that calls a tool.
    pub fn calling(&self, tool: &str, arguments: Value) -> Value {
        self.message("tools/call", json!({"name": tool, "arguments": arguments}))
    }

    /// Calls a tool.
    pub async fn call(&self, tool: &str, arguments: Value) -> Reply {
        self.send(&self.calling(tool, arguments)).await
    }

    /// The tools that are listed.
    pub async fn tools(&self) -> Vec<Value> {
        let listed = self.say("tools/list", json!({})).await;
        listed.result()["tools"].as_array().expect("a list").clone()
    }
}
