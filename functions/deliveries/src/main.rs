//! The `deliveries` function on AWS Lambda: wiring only.

use std::sync::Arc;

use deliveries::DeliveriesFunction;
use edge::runtime::{self, config::Config};
use lambda_runtime::Error;
use outbound::{GuardedClient, Loopback, SystemResolver};
use webhook_delivery::{Deliveries, EncryptionKey, WebhookSender};

// One thread: all there is to do is waiting, and handing that over to other threads costs more than the work.
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let config = Config::without_oauth(|name| std::env::var(name).ok())?;
    runtime::init_logging(&config.log);
    let edge = config.connect().await;
    let client = GuardedClient::new(Arc::new(SystemResolver), Loopback::Refused)?;
    let deliveries = Deliveries {
        store: edge.store().clone(),
        sender: WebhookSender::new(client, edge.store().clock().clone()),
        encryption_key: EncryptionKey::of(edge.secrets().encryption_keys()),
        limits: edge.limits(),
    };
    sqs_consumer::run(DeliveriesFunction { deliveries }).await
}
