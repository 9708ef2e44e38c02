//! The `webhooks` function on AWS Lambda: wiring only.

use std::sync::Arc;

use edge::{
    router,
    routes::Function as _,
    runtime::{self, config::Config, lambda, outbound_ports, storage::Resource},
};
use outbound::{GuardedClient, Loopback, SystemResolver};
use webhook_delivery::WebhookSender;

// One thread: see `deliveries`.
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    let config = Config::read(&[Resource::DeliveriesQueue], |name| std::env::var(name).ok())?;
    runtime::init_logging(&config.storage.log);
    let edge = config.connect().await?;
    let ports = outbound_ports::read(|name| std::env::var(name).ok())?;
    let client = GuardedClient::on_first_use(Arc::new(SystemResolver), Loopback::Refused, ports);
    let sender = WebhookSender::new(client, edge.store().clock().clone());
    let function = webhooks::Webhooks { edge: edge.clone(), sender };
    lambda::serve(router::app([function.router()], edge)).await
}
