//! The `presets` function on AWS Lambda: wiring only.

use edge::{config::Config, lambda, runtime, service};

#[tokio::main]
async fn main() -> Result<(), lambda_http::Error> {
    let config = Config::read(|name| std::env::var(name).ok())?;
    runtime::init_logging(&config.log);
    let edge = config.connect().await;
    let function = presets::Presets { edge: edge.clone() };
    lambda::serve(service::app([function.router()], edge)).await
}
