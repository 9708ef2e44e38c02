//! The `library-keeper` function on AWS Lambda: wiring only.

use aws_lambda_events::sqs::SqsEvent;
use edge::{config::Config, runtime};
use lambda_runtime::{Error, LambdaEvent, service_fn};
use library_keeper::LibraryKeeper;

#[tokio::main]
async fn main() -> Result<(), Error> {
    let config = Config::without_oauth(|name| std::env::var(name).ok())?;
    runtime::init_logging(&config.log);
    let edge = config.connect().await;
    let keeper = &LibraryKeeper { store: edge.store().clone(), numbering: engine::number_of };
    let handle = |event: LambdaEvent<SqsEvent>| async move {
        Ok::<_, Error>(keeper.handle(event.payload).await)
    };
    lambda_runtime::run(service_fn(handle)).await
}
