//! From socket to handler: everything that all operations share.
//!
//! A handler names its needs as parameter types: [`Call`] carries the authority that it requires
//! and the input that it reads, and opens only when the account's gate has admitted the request.
//! What a handler returns, [`Data`] or [`Failure`], is put into the envelope in one place,
//! [`exchange`].

pub mod auth;
pub mod call;
pub mod config;
pub mod cursor;
pub mod exchange;
pub mod failure;
mod flood;
pub mod idempotency;
pub mod input;
pub mod lambda;
pub mod openapi;
pub mod permission;
pub mod reply;
pub mod resource;
pub mod runtime;
pub mod secrets;
pub mod service;
pub mod within;

use std::sync::Arc;

use domain::Clock;
use oauth::ResourceServer;
use store::{Store, gate::Caps};

pub use call::{Call, Caller};
pub use failure::{Code, Detail, Failure};
pub use reply::Data;
pub use secrets::Secrets;

/// What the edge is wired with.
#[derive(Clone, Debug)]
pub struct Edge(Arc<Parts>);

#[derive(Clone, Debug)]
struct Parts {
    store: Store,
    secrets: Secrets,
    base_url: String,
    caps: Caps,
    flood: Arc<flood::Flood>,
    resource_server: Option<ResourceServer>,
}

impl Edge {
    /// An edge that authenticates against `store` and names itself by `base_url`, the address of
    /// the API with its version and without a slash at the end.
    pub fn new(store: Store, secrets: Secrets, base_url: impl Into<String>, caps: Caps) -> Self {
        let base_url = base_url.into().trim_end_matches('/').to_owned();
        let (flood, resource_server) = (Arc::default(), None);
        Self(Arc::new(Parts { store, secrets, base_url, caps, flood, resource_server }))
    }

    /// The same, which also accepts the access tokens that `server` does. Without one, none is accepted.
    pub fn accepting(self, server: Option<ResourceServer>) -> Self {
        let parts = Arc::unwrap_or_clone(self.0);
        Self(Arc::new(Parts { resource_server: server, ..parts }))
    }

    /// Everything durable.
    pub fn store(&self) -> &Store {
        &self.0.store
    }

    /// The server's keys.
    pub fn secrets(&self) -> &Secrets {
        &self.0.secrets
    }

    /// Address of the API, its version included.
    pub fn base_url(&self) -> &str {
        &self.0.base_url
    }

    /// Whether plans are enforced.
    pub fn caps(&self) -> Caps {
        self.0.caps
    }

    /// The clock.
    pub fn clock(&self) -> &dyn Clock {
        &**self.0.store.clock()
    }

    /// Who accepts access tokens.
    pub fn resource_server(&self) -> Option<&ResourceServer> {
        self.0.resource_server.as_ref()
    }

    pub(crate) fn flood(&self) -> &flood::Flood {
        &self.0.flood
    }
}
