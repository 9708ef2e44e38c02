//! Prints the OpenAPI document of all functions: `cargo run -p local --example openapi`.

use std::{error::Error, sync::Arc};

use edge::runtime::{SystemClock, SystemRandom};
use embedded::{Embedded, Options};
use llm::moderation::Moderator;
use local::{assembly::Assembly, identity::Identity, resources};
use outbound::{Fetcher, Loopback};
use store::{Store, gate::Caps};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let embedded = Embedded::start(Options::ephemeral(Arc::new(SystemClock))).await?;
    let clients = resources::clients(&embedded, |shared| shared);
    let names = resources::create(&embedded, &clients).await?.names;
    let store = Store::new(clients, names, Arc::new(SystemClock), Arc::new(SystemRandom));
    let secrets = Identity::new().secrets()?;
    let engine = Arc::new(engine::Rules);
    let fetcher = Fetcher::system(Arc::new(SystemClock), Loopback::Refused)?;
    let moderator = Moderator::new(Vec::new(), true, Arc::new(SystemClock));
    let (base_url, caps) = ("http://localhost/v1", Caps::Enforced);
    let assembly = Assembly::new(store, secrets, base_url, caps, engine, fetcher, moderator);
    println!("{}", assembly.document());
    embedded.shutdown().await;
    Ok(())
}
