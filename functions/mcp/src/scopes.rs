//! The scopes that a message needs, for the challenge to a caller without a valid token.

use axum::body::Body;
use http_body_util::{BodyExt, Limited};
use serde::Deserialize;

use crate::{registry::ToolRegistry, resources::LISTING_URI_PREFIX};

/// Most bytes of a message that are read for a caller who is not known.
const READ_MAX: usize = 256 * 1024;

/// What the scopes depend on.
#[derive(Deserialize)]
struct Message {
    method: String,
    #[serde(default)]
    params: Params,
}

#[derive(Default, Deserialize)]
struct Params {
    name: Option<String>,
    uri: Option<String>,
    r#ref: Option<Reference>,
}

/// What a completion is about.
#[derive(Deserialize)]
struct Reference {
    r#type: String,
}

/// The least scopes that open the answer to the message in a body. None if any scope does, or if
/// it is no message.
pub(crate) async fn of_message(body: Body) -> Vec<String> {
    let Ok(body) = Limited::new(body, READ_MAX).collect().await else { return Vec::new() };
    match serde_json::from_slice(&body.to_bytes()) {
        Ok(message) => needed(&message).unwrap_or_default(),
        Err(_) => Vec::new(),
    }
}

fn needed(message: &Message) -> Option<Vec<String>> {
    let Params { name, uri, r#ref } = &message.params;
    // What is no tool needs what the tool for the same operation needs.
    let tool = match message.method.as_str() {
        "tools/call" => name.as_deref()?,
        "completion/complete" if r#ref.as_ref()?.r#type == "ref/prompt" => "list_presets",
        "prompts/list" => "list_presets",
        "prompts/get" => "render_preset",
        "resources/read" if uri.as_ref()?.starts_with(LISTING_URI_PREFIX) => "list_library_items",
        _ => return None,
    };
    ToolRegistry::get().tool(tool).map(|tool| tool.operation.scopes.clone())
}
