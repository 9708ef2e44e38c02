//! The `library` function on AWS Lambda: wiring only.

use edge::{
    router,
    routes::Function as _,
    runtime::{self, SystemClock, config::Config, lambda, storage::Resource},
};
use library::Library;
use library_search::LibraryIndex;
use llm::{EngineConfig, ProviderKeys};
use publication::Publisher;

#[tokio::main]
async fn main() -> Result<(), lambda_http::Error> {
    let config = Config::read(
        &[
            Resource::Bucket,
            Resource::OperationsQueue,
            Resource::LibraryQueue,
            Resource::DeliveriesQueue,
        ],
        |name| std::env::var(name).ok(),
    )?;
    runtime::init_logging(&config.storage.log);
    let engine = EngineConfig::read(|name| std::env::var(name).ok())?;
    let (edge, keys) = tokio::join!(config.connect(), ProviderKeys::fetch(&engine, &SystemClock));
    let (edge, keys) = (edge?, keys?);
    let (clock, random) = (edge.store().clock().clone(), edge.store().random().clone());
    let moderator = llm::moderator(&engine, &keys, clock, random)?;
    let publisher = Publisher { store: edge.store().clone(), moderator };
    let index = LibraryIndex::new(edge.store().clone(), engine::number_of);
    index.warm_up().await;
    let function = Library { edge: edge.clone(), index, publisher };
    lambda::serve(router::app([function.router()], edge)).await
}
