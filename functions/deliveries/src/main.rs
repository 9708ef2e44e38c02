//! The `deliveries` function on AWS Lambda: wiring only.

use std::sync::Arc;

use deliveries::DeliveriesFunction;
use edge::runtime::{
    self, outbound_ports,
    server_secret::ServerSecret,
    storage::{Resource, Storage},
};
use lambda_runtime::Error;
use outbound::{GuardedClient, Loopback, SystemResolver};
use store::admission::Limits;
use webhook_delivery::{Deliveries, EncryptionKey, WebhookSender};

// One thread: all there is to do is waiting, and handing that over to other threads costs more than the work.
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let storage =
        Storage::read(&[Resource::DeliveriesQueue, Resource::SlowDeliveriesQueue], |name| {
            std::env::var(name).ok()
        })?;
    runtime::init_logging(&storage.log);
    let secret = ServerSecret::read(|name| std::env::var(name).ok())?;
    let (store, secrets) = storage.connect_with(secret).await?;
    let ports = outbound_ports::read(|name| std::env::var(name).ok())?;
    let client = GuardedClient::new(Arc::new(SystemResolver), Loopback::Refused, ports)?;
    let deliveries = Deliveries {
        sender: WebhookSender::new(client, store.clock().clone()),
        encryption_key: EncryptionKey::of(secrets.encryption_keys()),
        store,
        limits: Limits::Enforced,
    };
    sqs_consumer::run(DeliveriesFunction { deliveries }).await
}
