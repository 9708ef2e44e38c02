//! Verifies files ahead of their completion, when the bucket reports that they have arrived.
//!
//! The bucket reports through a queue, so that no event is lost while this function is away.

use aws_lambda_events::{
    s3::S3Event,
    sqs::{SqsBatchResponse, SqsEvent, SqsMessage},
};
use futures::{FutureExt, future::BoxFuture};
use serde::Deserialize;
use sqs_consumer::{Batch, Consumer, ProcessingError, SqsHandler, bodies};
use store::uploads::files;
use upload_lifecycle::UploadLifecycle;

/// What the function needs.
#[derive(Clone, Debug)]
pub struct UploadEvents {
    /// Verifies files.
    pub upload_lifecycle: UploadLifecycle,
}

/// A message of the bucket.
#[derive(Deserialize)]
#[serde(untagged)]
pub enum BucketMessage {
    /// Objects were created.
    Created(S3Event),
    /// The bucket tests its permission to send, once, when it is configured.
    Test {
        /// Always `s3:TestEvent`.
        #[serde(rename = "Event")]
        event: String,
    },
}

impl SqsHandler for UploadEvents {
    fn handle(&self, event: SqsEvent) -> BoxFuture<'_, SqsBatchResponse> {
        let batch = Batch::new(self.upload_lifecycle.store().clock().clone(), None);
        async move {
            let bodies = bodies(&event.records);
            batch.process(self, event.records, &bodies).await
        }
        .boxed()
    }
}

/// A message that failed comes back after the queue's visibility timeout: the function does not know the queue's
/// address, and a completion verifies the file by itself.
impl Consumer for UploadEvents {
    type Body = BucketMessage;

    async fn process(&self, _: &SqsMessage, body: &BucketMessage) -> Result<(), ProcessingError> {
        let records = match body {
            BucketMessage::Created(event) => &event.records[..],
            BucketMessage::Test { event } if event == "s3:TestEvent" => &[],
            BucketMessage::Test { .. } => return Err(ProcessingError::Unreadable),
        };
        for record in records {
            let key = record.s3.object.key.as_deref().unwrap_or_default();
            // The keys of uploads need no encoding, which events use for all others.
            if let Some((account, id)) = files::upload_of(key) {
                self.upload_lifecycle.object_created(account, id).await?;
            }
        }
        Ok(())
    }
}
