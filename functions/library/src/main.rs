//! The `library` function on AWS Lambda: wiring only.

use edge::{config::Config, lambda, runtime, service};
use library::Library;
use llm::EngineConfig;
use shelves::Shelves;

#[tokio::main]
async fn main() -> Result<(), lambda_http::Error> {
    let config = Config::read(|name| std::env::var(name).ok())?;
    runtime::init_logging(&config.log);
    let engine = EngineConfig::read(|name| std::env::var(name).ok())?;
    let edge = config.connect().await;
    let (clock, random) = (edge.store().clock().clone(), edge.store().random().clone());
    let moderator = llm::moderator(&engine, clock, random).await?;
    let shelves = Shelves::new(edge.store().clone(), engine::number_of);
    shelves.read_ahead().await;
    let function = Library { edge: edge.clone(), shelves, moderator };
    lambda::serve(service::app([function.router()], edge)).await
}
