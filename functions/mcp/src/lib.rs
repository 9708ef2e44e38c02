//! The Model Context Protocol over streamable HTTP: the API's operations as tools, presets as
//! prompts, models and library items as resources.
//!
//! All decisions are the REST API's. A tool is derived from its operation's declaration; a call
//! sends the operation's request through the API's own routes in this process. So scopes, bounds,
//! idempotency, credits, limits and events are those of REST: it is the same code. This crate knows
//! only a [`Router`] and the OpenAPI document; its binary names the functions behind it.
//!
//! It is stateless: any instance can answer any request.

mod api_client;
mod completion;
mod declarations;
mod elicitation;
mod endpoint;
mod handler;
mod idempotency_key;
mod json_rpc;
mod json_schema;
mod output_schema;
mod pagination;
mod progress;
mod prompts;
mod provenance;
mod registry;
mod resources;
mod schema;
mod scopes;
mod tools;

use axum::{Router, extract::FromRef, routing::post};
use edge::{Edge, authentication::MCP_PATH};

/// State of the MCP endpoint.
#[derive(Clone)]
pub struct Mcp {
    /// Authentication and envelope.
    pub edge: Edge,
    /// The routes of the REST API.
    pub api: Router,
}

impl FromRef<Mcp> for Edge {
    fn from_ref(mcp: &Mcp) -> Edge {
        mcp.edge.clone()
    }
}

impl Mcp {
    /// The endpoint. It is not in the OpenAPI document: the protocol describes its operations.
    pub fn router(self) -> Router {
        Router::new().route(MCP_PATH, post(endpoint::answer)).with_state(self)
    }
}
