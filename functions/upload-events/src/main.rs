//! The `upload-events` function on AWS Lambda: wiring only.

use aws_lambda_events::sqs::SqsEvent;
use edge::runtime::{self, config::Config};
use lambda_runtime::{Error, LambdaEvent, service_fn};
use upload_events::UploadEvents;
use upload_lifecycle::UploadLifecycle;

#[tokio::main]
async fn main() -> Result<(), Error> {
    let config = Config::without_oauth(|name| std::env::var(name).ok())?;
    runtime::init_logging(&config.log);
    let edge = config.connect().await;
    let events = &UploadEvents { upload_lifecycle: UploadLifecycle::new(edge.store().clone()) };
    let handle = |event: LambdaEvent<SqsEvent>| async move {
        Ok::<_, Error>(events.handle(event.payload).await)
    };
    lambda_runtime::run(service_fn(handle)).await
}
