//! The `presets` function on AWS Lambda: wiring only.

use edge::{
    router,
    routes::Function as _,
    runtime::{self, config::Config, lambda, storage::Resource},
};

// One thread: see `deliveries`.
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    let config = Config::read(&[Resource::Bucket, Resource::OperationsQueue], |name| {
        std::env::var(name).ok()
    })?;
    runtime::init_logging(&config.storage.log);
    let edge = config.connect().await?;
    let function = presets::Presets { edge: edge.clone() };
    lambda::serve(router::app([function.router()], edge)).await
}
