//! `GET /.well-known/oauth-protected-resource`: where to get tokens for this API, and for its MCP
//! endpoint, which is a resource of its own (RFC 9728).

use axum::{Json, Router, extract::State, routing::get};
use domain::Scope;
use serde::Serialize;

use crate::Edge;

/// Path of the metadata of a resource without a path.
const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";
/// Path of the MCP endpoint below the API's address.
pub const MCP_PATH: &str = "/mcp";

/// Scheme and host of a URL, and the path after them.
fn parts(base_url: &str) -> (&str, &str) {
    let host = base_url.find("://").map_or(0, |at| at + 3);
    let path = base_url[host..].find('/').map_or(base_url.len(), |at| host + at);
    base_url.split_at(path)
}

/// Address of the metadata of the resource at `url`: its path follows the well-known path.
pub(crate) fn metadata_url(url: &str) -> String {
    let (host, path) = parts(url);
    format!("{host}{WELL_KNOWN}{path}")
}

/// Metadata of a protected resource; unknown members are left out.
#[derive(Debug, Serialize)]
struct Metadata {
    resource: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    authorization_servers: Vec<String>,
    scopes_supported: Vec<&'static str>,
    bearer_methods_supported: [&'static str; 1],
    resource_name: &'static str,
    resource_documentation: String,
}

/// The metadata, at the address derived from the API's and at the one without a path: this host has
/// no other API, and not every client appends the path.
pub(crate) fn router(edge: Edge) -> Router {
    let (_, path) = parts(edge.base_url());
    let mcp = format!("{WELL_KNOWN}{path}{MCP_PATH}");
    let mut router = Router::new().route(WELL_KNOWN, get(of_api)).route(&mcp, get(of_mcp));
    if !path.is_empty() {
        router = router.route(&format!("{WELL_KNOWN}{path}"), get(of_api));
    }
    router.with_state(edge)
}

async fn of_api(State(edge): State<Edge>) -> Json<Metadata> {
    metadata(&edge, "", |_| true)
}

/// There are no tools for webhook endpoints; a test compares the rest with the tools.
async fn of_mcp(State(edge): State<Edge>) -> Json<Metadata> {
    metadata(&edge, MCP_PATH, |scope| scope != Scope::WebhooksManage)
}

/// Without an envelope: the RFC defines the form.
fn metadata(edge: &Edge, path: &str, is_used: impl Fn(Scope) -> bool) -> Json<Metadata> {
    let scopes = Scope::ALL.into_iter().filter(|scope| is_used(*scope));
    let issuers = edge.resource_server().into_iter().flat_map(|server| server.issuers());
    Json(Metadata {
        resource: format!("{}{path}", edge.base_url()),
        authorization_servers: issuers.map(ToOwned::to_owned).collect(),
        scopes_supported: scopes.map(Scope::as_str).collect(),
        bearer_methods_supported: ["header"],
        resource_name: "Prompt Workflow Service",
        resource_documentation: format!("{}/openapi.json", edge.base_url()),
    })
}
