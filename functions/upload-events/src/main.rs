//! The `upload-events` function on AWS Lambda: wiring only.

use edge::runtime::{self, config::Config};
use lambda_runtime::Error;
use upload_events::UploadEvents;
use upload_lifecycle::UploadLifecycle;

#[tokio::main]
async fn main() -> Result<(), Error> {
    let config = Config::without_oauth(|name| std::env::var(name).ok())?;
    runtime::init_logging(&config.log);
    let edge = config.connect().await;
    sqs_consumer::run(UploadEvents { upload_lifecycle: UploadLifecycle::new(edge.store().clone()) })
        .await
}
