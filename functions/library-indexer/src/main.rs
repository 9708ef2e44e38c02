//! The `library-indexer` function on AWS Lambda: wiring only.

use edge::runtime::{self, config::Config};
use lambda_runtime::Error;
use library_indexer::LibraryIndexer;

#[tokio::main]
async fn main() -> Result<(), Error> {
    let config = Config::without_oauth(|name| std::env::var(name).ok())?;
    runtime::init_logging(&config.log);
    let edge = config.connect().await;
    sqs_consumer::run(LibraryIndexer { store: edge.store().clone(), numbering: engine::number_of })
        .await
}
