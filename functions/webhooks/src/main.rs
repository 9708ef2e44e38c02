//! The `webhooks` function on AWS Lambda: wiring only.

use std::sync::Arc;

use delivery::Courier;
use edge::{config::Config, lambda, runtime, service};
use outbound::{GuardedClient, Loopback, SystemResolver};

#[tokio::main]
async fn main() -> Result<(), lambda_http::Error> {
    let config = Config::read(|name| std::env::var(name).ok())?;
    runtime::init_logging(&config.log);
    let edge = config.connect().await;
    let client = GuardedClient::new(Arc::new(SystemResolver), Loopback::Refused)?;
    let courier = Courier::new(client, edge.store().clock().clone());
    let function = webhooks::Webhooks { edge: edge.clone(), courier };
    lambda::serve(service::app([function.router()], edge)).await
}
