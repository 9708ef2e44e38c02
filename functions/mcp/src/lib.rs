//! The Model Context Protocol over streamable HTTP: the API's operations as tools, presets as prompts, models
//! and library items as resources.
//!
//! Nothing is decided here that the REST API decides. A tool is derived from its operation's declaration, and
//! calling it sends the operation's request through the API's own routes within this process: authority,
//! bounds, idempotency, credits, limits and events are those of REST because they are the same code. This
//! crate knows a [`Router`] and the OpenAPI document; which functions stand behind it, its binary says.
//!
//! It is stateless: every request stands by itself, on whatever instance.

mod api_client;
mod declarations;
mod endpoint;
mod handler;
mod idempotency_key;
mod json_rpc;
mod progress;
mod prompts;
mod registry;
mod resources;
mod schema;
mod tools;

use axum::{Router, extract::FromRef, routing::post};
use edge::Edge;
use utoipa_axum::router::OpenApiRouter;

/// What the MCP endpoint needs.
#[derive(Clone)]
pub struct Mcp {
    /// Authority and envelope.
    pub edge: Edge,
    /// Everything that the REST API answers.
    pub api: Router,
}

impl FromRef<Mcp> for Edge {
    fn from_ref(mcp: &Mcp) -> Edge {
        mcp.edge.clone()
    }
}

impl Mcp {
    /// The endpoint. It is in no OpenAPI document: its operations describe themselves.
    pub fn router(self) -> OpenApiRouter {
        Router::new().route("/mcp", post(endpoint::answer)).with_state(self).into()
    }
}
