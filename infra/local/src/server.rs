//! The HTTP server of this machine's programs, and how much of it a client may take.

use std::{pin::pin, sync::Arc, time::Duration};

use axum::{
    Router,
    http::{HeaderValue, header},
    middleware::map_response,
    response::Response,
    serve::Listener,
};
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{
    net::TcpListener,
    sync::{Semaphore, watch},
};

/// How much of a server its clients may take.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The longest time from one answer, or from the beginning of a connection, to the end of the next request's
    /// headers.
    pub header_time: Duration,
    /// Most connections at once. Further ones wait until one of these has ended.
    pub connections: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { header_time: Duration::from_secs(10), connections: 1_000 }
    }
}

/// Serves `app` until `stop` resolves, and then until the running requests are answered. No answer's type is to be
/// guessed from its content.
pub async fn serve(
    mut listener: TcpListener,
    app: Router,
    bounds: Bounds,
    stop: impl Future<Output = ()>,
) {
    let app = app.layer(map_response(async |mut response: Response| {
        let nosniff = HeaderValue::from_static("nosniff");
        response.headers_mut().insert(header::X_CONTENT_TYPE_OPTIONS, nosniff);
        response
    }));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(bounds.header_time);
    let slots = Arc::new(Semaphore::new(bounds.connections));
    let (stopping, stopped) = watch::channel(());
    let mut stop = pin!(stop);
    loop {
        let accepted = async {
            let slot = slots.clone().acquire_owned().await;
            (Listener::accept(&mut listener).await.0, slot)
        };
        let (stream, slot) = tokio::select! {
            accepted = accepted => accepted,
            () = &mut stop => break,
        };
        let service = TowerToHyperService::new(app.clone());
        let connection = http.serve_connection(TokioIo::new(stream), service);
        let mut stopped = stopped.clone();
        tokio::spawn(async move {
            let _slot = slot;
            let mut connection = pin!(connection);
            tokio::select! {
                _ = connection.as_mut() => return,
                _ = stopped.changed() => connection.as_mut().graceful_shutdown(),
            }
            let _ = connection.await;
        });
    }
    drop((listener, stopped));
    stopping.send_replace(());
    // The last connection has ended once nobody listens any more.
    stopping.closed().await;
}
