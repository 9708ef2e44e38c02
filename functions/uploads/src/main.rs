//! The `uploads` function on AWS Lambda: wiring only.

use assets::Assets;
use edge::{config::Config, lambda, runtime, service};

#[tokio::main]
async fn main() -> Result<(), lambda_http::Error> {
    let config = Config::read(|name| std::env::var(name).ok())?;
    runtime::init_logging(&config.log);
    let edge = config.connect().await;
    let assets = Assets::new(edge.store().clone());
    let function = uploads::Uploads { edge: edge.clone(), assets };
    lambda::serve(service::app([function.router()], edge)).await
}
