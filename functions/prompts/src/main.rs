//! The `prompts` function on AWS Lambda: wiring only.

use std::sync::Arc;

use edge::{
    router,
    routes::Function as _,
    runtime::{self, SystemClock, config::Config, lambda, outbound_ports, storage::Resource},
};
use llm::{EngineConfig, ProviderKeys};
use outbound::{Fetcher, Loopback};
use prompts::Prompts;
use rules::Rules;
use workflow::{Deadlines, Workflow};

#[tokio::main]
async fn main() -> Result<(), lambda_http::Error> {
    let config = Config::read(
        &[Resource::Bucket, Resource::OperationsQueue, Resource::DeliveriesQueue],
        |name| std::env::var(name).ok(),
    )?;
    runtime::init_logging(&config.storage.log);
    let engine = EngineConfig::read(|name| std::env::var(name).ok())?;
    let (edge, keys) = tokio::join!(config.connect(), ProviderKeys::fetch(&engine, &SystemClock));
    let (edge, keys) = (edge?, keys?);
    Rules::warm_up();
    let (clock, random) = (edge.store().clock().clone(), edge.store().random().clone());
    let ports = outbound_ports::read(|name| std::env::var(name).ok())?;
    let fetcher = Fetcher::system(clock.clone(), Loopback::Refused, ports);
    let budget = engine.budget.clone();
    let engine = llm::connect(&engine, &keys, Arc::new(Rules), clock, random)?;
    let store = edge.store().clone();
    let workflow = Workflow::new(store, engine, fetcher, Deadlines::default(), budget);
    let function = Prompts { edge: edge.clone(), workflow };
    lambda::serve(router::app([function.router()], edge)).await
}
