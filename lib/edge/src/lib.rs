//! From socket to handler: everything that all operations share.
//!
//! A handler names its needs as parameter types: [`Call`] carries the required scopes and the
//! input, and releases the input only after the account item has admitted the request. [`Data`] or
//! [`ApiError`], which a handler returns, is put into the envelope in one place, [`middleware`].

pub mod admission;
pub mod authentication;
mod context;
pub mod input;
pub mod middleware;
pub mod openapi;
pub mod permission;
pub mod response;
pub mod router;
pub mod routes;
pub mod runtime;
pub mod secrets;

use std::sync::Arc;

use domain::Clock;
use oauth::ResourceServer;
use store::{Store, admission::Limits};

use admission::refusal_cache::RefusalCache;

pub use admission::{Call, Caller, Sent};
pub use response::{
    Data,
    error::{ApiError, Code, Detail},
};
pub use secrets::Secrets;

/// Shared state of all routers.
#[derive(Clone, Debug)]
pub struct Edge(Arc<Parts>);

#[derive(Clone, Debug)]
struct Parts {
    store: Store,
    secrets: Secrets,
    base_url: String,
    limits: Limits,
    refusals: Arc<RefusalCache>,
    resource_server: Option<ResourceServer>,
    mcp_accepts_api_tokens: bool,
}

impl Edge {
    /// Authenticates against `store`. `base_url` is the address of the API with its version and
    /// without a trailing slash.
    pub fn new(
        store: Store,
        secrets: Secrets,
        base_url: impl Into<String>,
        limits: Limits,
    ) -> Self {
        let base_url = base_url.into().trim_end_matches('/').to_owned();
        let (refusals, resource_server) = (Arc::default(), None);
        let mcp_accepts_api_tokens = false;
        Self(Arc::new(Parts {
            store,
            secrets,
            base_url,
            limits,
            refusals,
            resource_server,
            mcp_accepts_api_tokens,
        }))
    }

    /// Also accepts the access tokens that `server` verifies; `None` accepts none.
    pub fn with_resource_server(self, server: Option<ResourceServer>) -> Self {
        let parts = Arc::unwrap_or_clone(self.0);
        Self(Arc::new(Parts { resource_server: server, ..parts }))
    }

    /// Whether the MCP endpoint also accepts tokens for the API. It is a resource of its own, so by
    /// default it does not.
    pub fn with_api_tokens_at_mcp(self, accepted: bool) -> Self {
        let parts = Arc::unwrap_or_clone(self.0);
        Self(Arc::new(Parts { mcp_accepts_api_tokens: accepted, ..parts }))
    }

    /// The same over another handle on the storage.
    pub fn with_store(self, store: Store) -> Self {
        let parts = Arc::unwrap_or_clone(self.0);
        Self(Arc::new(Parts { store, ..parts }))
    }

    /// The durable storage.
    pub fn store(&self) -> &Store {
        &self.0.store
    }

    /// The server's keys.
    pub fn secrets(&self) -> &Secrets {
        &self.0.secrets
    }

    /// Address of the API, including its version.
    pub fn base_url(&self) -> &str {
        &self.0.base_url
    }

    /// Whether plans are enforced.
    pub fn limits(&self) -> Limits {
        self.0.limits
    }

    /// The clock.
    pub fn clock(&self) -> &dyn Clock {
        &**self.0.store.clock()
    }

    /// Verifies access tokens.
    pub fn resource_server(&self) -> Option<&ResourceServer> {
        self.0.resource_server.as_ref()
    }

    pub(crate) fn mcp_accepts_api_tokens(&self) -> bool {
        self.0.mcp_accepts_api_tokens
    }

    pub(crate) fn refusals(&self) -> &RefusalCache {
        &self.0.refusals
    }
}
