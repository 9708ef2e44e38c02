//! The `library-indexer` function on AWS Lambda: wiring only.

use edge::runtime::{
    self,
    storage::{Resource, Storage},
};
use lambda_runtime::Error;
use library_indexer::LibraryIndexer;

#[tokio::main]
async fn main() -> Result<(), Error> {
    let storage = Storage::read(&[Resource::Bucket, Resource::LibraryQueue], |name| {
        std::env::var(name).ok()
    })?;
    runtime::init_logging(&storage.log);
    let store = storage.connect().await;
    sqs_consumer::run(LibraryIndexer { store, numbering: engine::number_of }).await
}
