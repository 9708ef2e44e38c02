//! The `upload-events` function on AWS Lambda: wiring only.

use edge::runtime::{
    self,
    storage::{Resource, Storage},
};
use lambda_runtime::Error;
use upload_events::UploadEvents;
use upload_lifecycle::UploadLifecycle;

// One thread: see `deliveries`.
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let storage = Storage::read(&[Resource::Bucket], |name| std::env::var(name).ok())?;
    runtime::init_logging(&storage.log);
    let store = storage.connect().await;
    sqs_consumer::run(UploadEvents { upload_lifecycle: UploadLifecycle::new(store) }).await
}
