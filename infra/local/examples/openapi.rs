//! Prints the OpenAPI document of all functions: `cargo run -p local --example openapi`.

use std::{error::Error, sync::Arc};

use edge::{
    Edge,
    runtime::{SystemClock, SystemRandom},
};
use embedded::{Embedded, Options};
use llm::moderation::Moderator;
use local::{
    application::Application, identity::Identity, resources, service_endpoints::ServiceEndpoints,
};
use outbound::{GuardedClient, Loopback, Ports, SystemResolver};
use store::{Store, admission::Limits};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let embedded = Embedded::start(Options::ephemeral(Arc::new(SystemClock))).await?;
    let addresses = ServiceEndpoints::of(&embedded);
    let names = resources::named(&addresses).names;
    let clients = resources::clients(addresses, |shared| shared);
    let store = Store::new(clients, names, Arc::new(SystemClock), Arc::new(SystemRandom));
    let secrets = Identity::new().secrets()?;
    let engine = Arc::new(rules::Rules);
    let client = GuardedClient::new(Arc::new(SystemResolver), Loopback::Refused, Ports::All)?;
    let moderator = Moderator::of_rules(Arc::new(SystemClock));
    let edge = Edge::new(store, secrets, "http://localhost/v1", Limits::Enforced);
    let application = Application::new(|_| edge.clone(), engine, client, moderator);
    println!("{}", application.document());
    embedded.shutdown().await;
    Ok(())
}
