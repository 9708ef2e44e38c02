//! The `library` function on AWS Lambda: wiring only.

use std::time::Duration;

use edge::{config::Config, lambda, runtime, service};
use library::Library;
use llm::EngineConfig;
use shelves::Shelves;

/// Time for reading ahead: a start that takes 10 s is begun anew.
const WARMING: Duration = Duration::from_secs(7);

#[tokio::main]
async fn main() -> Result<(), lambda_http::Error> {
    let config = Config::read(|name| std::env::var(name).ok())?;
    runtime::init_logging(&config.log);
    let engine = EngineConfig::read(|name| std::env::var(name).ok())?;
    let edge = config.connect().await;
    let (clock, random) = (edge.store().clock().clone(), edge.store().random().clone());
    let moderator = llm::moderator(&engine, clock, random).await?;
    let shelves = Shelves::new(edge.store().clone(), engine::number_of);
    match tokio::time::timeout(WARMING, shelves.warm()).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!(%error, "the library was not read ahead"),
        Err(_) => tracing::warn!("the library takes longer to be read than a start may"),
    }
    let function = Library { edge: edge.clone(), shelves, moderator };
    lambda::serve(service::app([function.router()], edge)).await
}
