//! A server on a loopback port with its own thread and event loop, so that a slow service never
//! blocks another one or the program that embeds it.

use std::{
    io,
    net::{Ipv4Addr, TcpListener},
    sync::Arc,
    thread::{self, JoinHandle},
    time::Duration,
};

use axum::{
    Router,
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use domain::Clock;
use http::{HeaderValue, header::DATE};
use time::{OffsetDateTime, macros::format_description};
use tokio::{runtime, sync::watch};

use crate::error::StartError;

/// Time for running requests to finish after a stop request.
const GRACE: Duration = Duration::from_millis(500);
/// Time for blocking work to finish after that.
const ABANDON: Duration = Duration::from_millis(250);

/// The stop signal of a service.
#[derive(Clone, Debug)]
pub(crate) struct Stop(watch::Receiver<()>);

impl Stop {
    /// The signal that comes when the sender of `alive` is dropped.
    pub(crate) fn when_dropped(alive: watch::Receiver<()>) -> Self {
        Self(alive)
    }

    /// Resolves when the service must stop.
    pub(crate) async fn requested(self) {
        let Self(mut sender_alive) = self;
        while sender_alive.changed().await.is_ok() {}
    }
}

/// A running service; dropping it stops it and waits for its thread.
#[derive(Debug)]
pub(crate) struct Service {
    url: String,
    router: Router,
    stop: Option<watch::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Service {
    /// Listens on `port` of 127.0.0.1 (0: any free one), then answers by the router for its URL until it is stopped,
    /// with `background` on the same threads. Connections are accepted as soon as this returns.
    pub(crate) fn start(
        name: &'static str,
        port: u16,
        router: impl FnOnce(&str, Stop) -> Router,
        background: impl FnOnce() + Send + 'static,
    ) -> Result<Self, StartError> {
        let listen_failed = |reason: io::Error| match reason.kind() {
            io::ErrorKind::AddrInUse => StartError::PortInUse { service: name, port },
            _ => StartError::Listen { service: name, port, reason },
        };
        let thread_failed = |reason| StartError::Thread { service: name, reason };

        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(listen_failed)?;
        listener.set_nonblocking(true).map_err(listen_failed)?;
        let url = format!("http://{}", listener.local_addr().map_err(listen_failed)?);
        let runtime = runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name(name)
            .enable_all()
            .build()
            .map_err(thread_failed)?;
        let (sender, receiver) = watch::channel(());
        let stop = Stop(receiver);
        let router = router(&url, stop.clone());
        let served = router.clone();
        let thread = thread::Builder::new()
            .name(name.into())
            .spawn(move || {
                let overdue = stop.clone();
                let overdue = async {
                    overdue.requested().await;
                    tokio::time::sleep(GRACE).await;
                };
                runtime.block_on(async {
                    background();
                    let serve = async {
                        let listener = tokio::net::TcpListener::from_std(listener)?;
                        let server = axum::serve(listener, served);
                        server.with_graceful_shutdown(stop.requested()).await
                    };
                    tokio::select! {
                        ended = serve => if let Err(error) = ended {
                            tracing::error!(%error, service = name, "ended");
                        },
                        () = overdue => {}
                    }
                });
                runtime.shutdown_timeout(ABANDON);
            })
            .map_err(thread_failed)?;
        Ok(Self { url, router, stop: Some(sender), thread: Some(thread) })
    }

    /// URL of the service, e.g. `http://127.0.0.1:4566`.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// What answers requests to it.
    pub(crate) fn router(&self) -> Router {
        self.router.clone()
    }

    /// Asks the service to stop, without waiting for it.
    pub(crate) fn stop(&mut self) {
        self.stop = None;
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.stop();
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!(url = self.url, "service ended with a panic");
        }
    }
}

/// Dates answers by the clock of the services: SDKs sign their next requests by what they learn from it.
pub(crate) async fn date(
    State(clock): State<Arc<dyn Clock>>,
    request: Request,
    next: Next,
) -> Response {
    let format = format_description!(
        "[weekday repr:short], [day] [month repr:short] [year] [hour]:[minute]:[second] GMT"
    );
    let now = OffsetDateTime::from_unix_timestamp(clock.now().seconds());
    let now = now.ok().and_then(|now| HeaderValue::from_str(&now.format(&format).ok()?).ok());
    let mut response = next.run(request).await;
    if let Some(now) = now {
        response.headers_mut().insert(DATE, now);
    }
    response
}

/// Runs `work` every `period` on the blocking threads of this event loop, for as long as it runs.
pub(crate) fn repeat(period: Duration, work: impl Fn() + Clone + Send + 'static) {
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(period).await;
            // A panic ends only this round; the runtime has reported it.
            let _ = tokio::task::spawn_blocking(work.clone()).await;
        }
    });
}
