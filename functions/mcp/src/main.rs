//! The `mcp` function on AWS Lambda: wiring only.

mod rest;

use edge::{
    router,
    runtime::{self, config::Config, lambda},
};
use llm::EngineConfig;
use mcp::Mcp;

#[tokio::main]
async fn main() -> Result<(), lambda_http::Error> {
    let config = Config::read(|name| std::env::var(name).ok())?;
    // The SDK logs every message, and the content of some.
    runtime::init_logging(&format!("rmcp=error,{}", config.log));
    let engine = EngineConfig::read(|name| std::env::var(name).ok())?;
    let edge = config.connect().await;
    let api = router::app(rest::routers(&edge, &engine).await?, edge.clone());
    let function = Mcp { edge: edge.clone(), api };
    lambda::serve(router::app([function.router()], edge)).await
}
