//! The `library` function on AWS Lambda: wiring only.

use edge::{
    router,
    runtime::{self, config::Config, lambda, storage::Resource},
};
use library::Library;
use library_search::LibraryIndex;
use llm::EngineConfig;
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
    let edge = config.connect().await?;
    let (clock, random) = (edge.store().clock().clone(), edge.store().random().clone());
    let moderator = llm::moderator(&engine, clock, random).await?;
    let publisher = Publisher { store: edge.store().clone(), moderator };
    let index = LibraryIndex::new(edge.store().clone(), engine::number_of);
    index.warm_up().await;
    let function = Library { edge: edge.clone(), index, publisher };
    lambda::serve(router::app([function.router()], edge)).await
}
