//! The `upload-events` function on AWS Lambda: wiring only.

use assets::Assets;
use aws_lambda_events::sqs::SqsEvent;
use edge::{config::Config, runtime};
use lambda_runtime::{Error, LambdaEvent, service_fn};
use upload_events::UploadEvents;

#[tokio::main]
async fn main() -> Result<(), Error> {
    let config = Config::without_oauth(|name| std::env::var(name).ok())?;
    runtime::init_logging(&config.log);
    let edge = config.connect().await;
    let events = &UploadEvents { assets: Assets::new(edge.store().clone()) };
    let handle = |event: LambdaEvent<SqsEvent>| async move {
        Ok::<_, Error>(events.handle(event.payload).await)
    };
    lambda_runtime::run(service_fn(handle)).await
}
