//! The `processor` function on AWS Lambda: wiring only.

use std::sync::Arc;

use edge::runtime::{
    self, SystemClock, outbound_ports,
    storage::{Resource, Storage},
};
use lambda_runtime::Error;
use llm::{EngineConfig, ProviderKeys};
use outbound::{Fetcher, Loopback};
use processor::Processor;
use publication::Publisher;
use rules::Rules;
use workflow::{Deadlines, Workflow};

#[tokio::main]
async fn main() -> Result<(), Error> {
    let storage = Storage::read(
        &[Resource::Bucket, Resource::OperationsQueue, Resource::DeliveriesQueue],
        |name| std::env::var(name).ok(),
    )?;
    runtime::init_logging(&storage.log);
    let engine = EngineConfig::read(|name| std::env::var(name).ok())?;
    let (store, keys) = tokio::join!(storage.connect(), ProviderKeys::fetch(&engine, &SystemClock));
    let keys = keys?;
    Rules::warm_up();
    let (clock, random) = (store.clock().clone(), store.random().clone());
    let ports = outbound_ports::read(|name| std::env::var(name).ok())?;
    let fetcher = Fetcher::system(clock.clone(), Loopback::Refused, ports);
    let moderator = llm::moderator(&engine, &keys, clock.clone(), random.clone())?;
    let publisher = Publisher { store: store.clone(), moderator };
    let budget = engine.budget.clone();
    let engine = llm::connect(&engine, &keys, Arc::new(Rules), clock, random)?;
    let workflow = Workflow::new(store, engine, fetcher, Deadlines::default(), budget);
    sqs_consumer::run(Processor { workflow, publisher }).await
}
