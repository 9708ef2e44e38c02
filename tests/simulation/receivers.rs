//! Who receives webhooks.

use std::{
    collections::BTreeMap,
    io,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use axum::http::{self, HeaderMap, Method};
use futures::future::BoxFuture;
use outbound::{FetchError, PublicUrl, Resolve, Transport, Unreachable};
use serde_json::Value;

use crate::{processes::Process, simulation::Simulation};

/// Every name is a public host.
pub struct Names;

impl Resolve for Names {
    fn resolve(&self, _: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        Box::pin(async { Ok(vec![IpAddr::from([93, 184, 216, 34])]) })
    }
}

/// All receivers.
#[derive(Debug, Default)]
pub struct Receivers(Mutex<BTreeMap<String, Receiver>>);

/// A receiver.
#[derive(Clone, Debug, Default)]
pub struct Receiver {
    /// It fails until then.
    pub down_until: Duration,
    /// What it has accepted: identifiers and bodies.
    pub accepted: Vec<(String, Value)>,
}

impl Receivers {
    /// The receivers by their addresses.
    pub fn all(&self) -> MutexGuard<'_, BTreeMap<String, Receiver>> {
        self.0.lock().expect("nothing panics with it")
    }
}

/// What carries a process's requests to receivers.
pub struct FaultyTransport {
    /// What goes on around it.
    pub simulation: Arc<Simulation>,
    /// The process.
    pub process: Process,
}

impl Transport for FaultyTransport {
    fn send(
        &self,
        _: Method,
        url: &PublicUrl,
        headers: HeaderMap,
        body: Vec<u8>,
    ) -> BoxFuture<'static, Result<reqwest::Response, FetchError>> {
        let (simulation, process) = (self.simulation.clone(), self.process.clone());
        let url = url.to_string();
        Box::pin(async move {
            process.until_running().await;
            let random = &simulation.random;
            let longest =
                if simulation.are_faults_off() || random.chance(0.8) { 50 } else { 15_000 };
            let [there, back] = [(); 2]
                .map(|()| random.time(Duration::from_millis(1), Duration::from_millis(longest)));
            simulation.time.sleep(there).await;
            let id = headers.get("webhook-id").and_then(|id| id.to_str().ok()).unwrap_or_default();
            let status = {
                let mut all = simulation.receivers.all();
                let receiver = all.entry(url.clone()).or_default();
                if receiver.down_until > simulation.time.now() {
                    503
                } else {
                    let event = serde_json::from_slice(&body).unwrap_or_default();
                    receiver.accepted.push((id.to_owned(), event));
                    200
                }
            };
            simulation.log(&format!("{process:?} posts {id} to {url}: {status}"));
            simulation.time.sleep(back).await;
            process.until_running().await;
            let response = http::Response::builder().status(status).body(Vec::new());
            let response = response.map_err(|_| FetchError::from(Unreachable::Protocol))?;
            Ok(reqwest::Response::from(response))
        })
    }
}
