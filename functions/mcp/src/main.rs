//! The `mcp` function on AWS Lambda: wiring only.

mod rest;

use edge::{
    router,
    runtime::{self, SystemClock, config::Config, lambda, outbound_ports, storage::Resource},
};
use llm::{EngineConfig, ProviderKeys};
use mcp::Mcp;

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
    // The SDK logs every message, and the content of some.
    runtime::init_logging(&format!("rmcp=error,{}", config.storage.log));
    let engine = EngineConfig::read(|name| std::env::var(name).ok())?;
    let accepts_api_tokens = std::env::var("MCP_ACCEPTS_API_TOKENS").as_deref() == Ok("true");
    let ports = outbound_ports::read(|name| std::env::var(name).ok())?;
    let (edge, keys) = tokio::join!(config.connect(), ProviderKeys::fetch(&engine, &SystemClock));
    let (edge, keys) = (edge?.with_api_tokens_at_mcp(accepts_api_tokens), keys?);
    let api = router::app(rest::routers(&edge, (&engine, &keys), ports).await?, edge.clone());
    let function = Mcp { edge: edge.clone(), api };
    lambda::serve(router::app([function.router()], edge)).await
}
