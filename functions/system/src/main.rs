//! The `system` function on AWS Lambda: wiring only.

use edge::{
    router,
    routes::Function as _,
    runtime::{self, config::Config, lambda},
};
use system::System;

// One thread: see `deliveries`.
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    let config = Config::read(&[], |name| std::env::var(name).ok())?;
    runtime::init_logging(&config.storage.log);
    let engine = llm::read_identity(|name| std::env::var(name).ok())?;
    let prices = llm::read_prices(|name| std::env::var(name).ok())?;
    let edge = config.connect().await?;
    let function = System::new(edge.clone(), engine, prices);
    lambda::serve(router::app([function.router()], edge)).await
}
