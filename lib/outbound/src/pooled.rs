//! Connections that are kept, and requests that are lost with them.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock, Mutex, PoisonError},
    time::{Duration, Instant},
};

use futures::future::BoxFuture;
use http::{HeaderMap, Method};
use reqwest::{Client, Response, redirect};

use crate::{
    FetchError, PublicUrl, Unreachable,
    client::{SetupError, Transport, classify},
    resolver::AddressFilter,
};

/// Longest time to connect, TLS included.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a connection is kept without a request. Less than most servers keep theirs: gunicorn two seconds,
/// Node.js and uvicorn five.
const KEPT_IDLE: Duration = Duration::from_secs(1);
/// Connections to one host that are kept: a batch of deliveries has as many.
const MAX_IDLE: usize = 10;
/// How long after an answer its connection may still be kept: its body may take a while.
const MAYBE_KEPT: Duration = Duration::from_secs(2);
/// Number of hosts from which on those that have not answered lately are forgotten.
const MANY_HOSTS: usize = 1_000;

/// Connects where a filter allows, and keeps each connection for the next request.
///
/// A host may close a connection just when a request is sent over it. Then the request is sent once more, over a new
/// connection.
pub(crate) struct PooledClient {
    pooled: OnFirstUse,
    shared: Arc<Shared>,
}

/// A client that is made for its first request; `None` if TLS cannot be initialised.
type OnFirstUse = LazyLock<Option<Client>, Box<dyn FnOnce() -> Option<Client> + Send>>;

struct Shared {
    /// Keeps nothing.
    unpooled: OnFirstUse,
    /// When each host has last answered.
    answered: Mutex<HashMap<String, Instant>>,
}

impl PooledClient {
    pub(crate) fn new(filter: AddressFilter) -> Result<Self, SetupError> {
        let pooled = client(filter.clone(), MAX_IDLE).map_err(SetupError)?;
        Ok(Self::with(filter, || Some(pooled)))
    }

    pub(crate) fn on_first_use(filter: AddressFilter) -> Self {
        let kept = filter.clone();
        Self::with(filter, || client(kept, MAX_IDLE).ok())
    }

    fn with(
        filter: AddressFilter,
        pooled: impl FnOnce() -> Option<Client> + Send + 'static,
    ) -> Self {
        let unpooled = LazyLock::new(Box::new(|| client(filter, 0).ok()) as Box<_>);
        let shared = Shared { unpooled, answered: Mutex::default() };
        Self { pooled: LazyLock::new(Box::new(pooled)), shared: Arc::new(shared) }
    }
}

fn client(filter: AddressFilter, connections_kept: usize) -> reqwest::Result<Client> {
    Client::builder()
        .dns_resolver(Arc::new(filter))
        .redirect(redirect::Policy::none())
        .no_proxy()
        .referer(false)
        .pool_idle_timeout(KEPT_IDLE)
        .pool_max_idle_per_host(connections_kept)
        .connect_timeout(CONNECT_TIMEOUT)
        .build()
}

impl Transport for PooledClient {
    fn send(
        &self,
        method: Method,
        url: &PublicUrl,
        headers: HeaderMap,
        body: Vec<u8>,
    ) -> BoxFuture<'static, Result<Response, FetchError>> {
        let Some(pooled) = &*self.pooled else {
            return Box::pin(async { Err(Unreachable::Connect.into()) });
        };
        let request = pooled.request(method, url.to_url()).headers(headers);
        let request = if body.is_empty() { request } else { request.body(body) };
        let (host, shared) = (url.authority(), self.shared.clone());
        Box::pin(async move {
            let again = request.try_clone();
            let mut sent = request.send().await;
            if sent.as_ref().is_err_and(|error| classify(error) == Unreachable::Protocol.into())
                && shared.may_have_been_kept(&host)
                && let Some(again) = again.and_then(|again| again.build().ok())
                && let Some(unpooled) = &*shared.unpooled
            {
                sent = unpooled.execute(again).await;
            }
            if sent.is_ok() {
                shared.note_answer(host);
            }
            sent.map_err(|error| classify(&error))
        })
    }
}

impl Shared {
    /// Whether a request that is lost may have had a connection that was kept.
    fn may_have_been_kept(&self, host: &str) -> bool {
        let answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        answered.get(host).is_some_and(|at| at.elapsed() < MAYBE_KEPT)
    }

    fn note_answer(&self, host: String) {
        let mut answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        if answered.len() >= MANY_HOSTS {
            answered.retain(|_, at| at.elapsed() < MAYBE_KEPT);
        }
        answered.insert(host, Instant::now());
    }
}
