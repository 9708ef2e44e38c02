//! `cargo run -- listen`: a webhook receiver for trying out deliveries.

use std::{error::Error, sync::Arc, time::Duration};

use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode},
};
use domain::Clock;
use edge::runtime::SystemClock;
use local::server::{self, Bounds};
use tokio::{net::TcpListener, sync::mpsc};
use webhook_delivery::{secret, signature};

use crate::options::Listen;

/// Tolerated age of a timestamp in both directions, as in the reference libraries.
const TOLERANCE: Duration = Duration::from_secs(300);

/// Why a delivery was rejected.
#[derive(Debug, thiserror::Error)]
pub enum VerificationError {
    /// A required header is missing or cannot be read.
    #[error("the header {0} is missing or cannot be read")]
    Header(&'static str),
    /// It was signed too long ago, or in the future.
    #[error("the timestamp is more than five minutes off")]
    Timestamp,
    /// It was not signed with the secret.
    #[error("the signature does not match the secret")]
    Signature,
}

struct Receiver {
    key: Vec<u8>,
    status: StatusCode,
    refused: mpsc::UnboundedSender<VerificationError>,
}

/// Prints deliveries until one is rejected, which is an error, or `stop` resolves.
///
/// # Errors
///
/// The secret is invalid, the port is in use, or a delivery was not signed with the secret.
pub async fn run(options: &Listen, stop: impl Future<Output = ()>) -> Result<(), Box<dyn Error>> {
    let key = secret::parse(&options.secret).filter(|key| !key.is_empty());
    let key = key.ok_or("The secret must be whsec_ followed by base64.")?;
    let listener = TcpListener::bind(("127.0.0.1", options.port)).await?;
    println!("Listening on http://{}/", listener.local_addr()?);
    let (refused, mut refusals) = mpsc::unbounded_channel();
    let receiver = Receiver { key, status: StatusCode::from_u16(options.answer)?, refused };
    let app = Router::new().fallback(receive).with_state(Arc::new(receiver));
    let (done, finished) = tokio::sync::oneshot::channel::<()>();
    // The sender of a rejected delivery gets the response before this ends.
    let server = tokio::spawn(server::serve(listener, app, Bounds::default(), async {
        drop(finished.await);
    }));
    let outcome = tokio::select! {
        refusal = refusals.recv() => refusal.map_or(Ok(()), Err),
        () = stop => Ok(()),
    };
    drop(done);
    let _ = tokio::time::timeout(Duration::from_millis(500), server).await;
    Ok(outcome?)
}

async fn receive(
    State(receiver): State<Arc<Receiver>>,
    headers: HeaderMap,
    body: Bytes,
) -> StatusCode {
    match verify(&receiver.key, &headers, &body) {
        Ok(id) => {
            println!("{id} {}", String::from_utf8_lossy(&body));
            receiver.status
        }
        Err(error) => {
            let _ = receiver.refused.send(error);
            StatusCode::UNAUTHORIZED
        }
    }
}

/// The identifier of a delivery, if it is signed with the key.
fn verify<'a>(
    key: &[u8],
    headers: &'a HeaderMap,
    body: &[u8],
) -> Result<&'a str, VerificationError> {
    let header = |name| {
        let value = headers.get(name).and_then(|value| value.to_str().ok());
        value.ok_or(VerificationError::Header(name))
    };
    let id = header(signature::ID)?;
    let timestamp = header(signature::TIMESTAMP)?;
    let timestamp: i64 =
        timestamp.parse().map_err(|_| VerificationError::Header(signature::TIMESTAMP))?;
    let off = timestamp.abs_diff(SystemClock.now().seconds());
    if off > TOLERANCE.as_secs() {
        return Err(VerificationError::Timestamp);
    }
    let signed = signature::verify(key, id, timestamp, body, header(signature::SIGNATURE)?);
    if signed { Ok(id) } else { Err(VerificationError::Signature) }
}
