//! The `library-indexer` function on AWS Lambda: wiring only.

use aws_lambda_events::sqs::SqsEvent;
use edge::runtime::{self, config::Config};
use lambda_runtime::{Error, LambdaEvent, service_fn};
use library_indexer::LibraryIndexer;

#[tokio::main]
async fn main() -> Result<(), Error> {
    let config = Config::without_oauth(|name| std::env::var(name).ok())?;
    runtime::init_logging(&config.log);
    let edge = config.connect().await;
    let indexer = &LibraryIndexer { store: edge.store().clone(), numbering: engine::number_of };
    let handle = |event: LambdaEvent<SqsEvent>| async move {
        Ok::<_, Error>(indexer.handle(event.payload).await)
    };
    lambda_runtime::run(service_fn(handle)).await
}
