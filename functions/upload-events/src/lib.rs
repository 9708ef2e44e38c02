//! Verifies files ahead of their completion, when the bucket tells that they have arrived.
//!
//! The bucket tells through a queue, so that no event is lost while this function is away.

use aws_lambda_events::{
    s3::S3Event,
    sqs::{BatchItemFailure, SqsBatchResponse, SqsEvent, SqsMessage},
};
use futures::future::join_all;
use serde::Deserialize;
use store::{StoreError, uploads::files};
use upload_lifecycle::UploadLifecycle;

/// What the function needs.
#[derive(Clone, Debug)]
pub struct UploadEvents {
    /// Verifies files.
    pub upload_lifecycle: UploadLifecycle,
}

/// Why a message stays in the queue.
#[derive(Debug, thiserror::Error)]
enum ProcessingError {
    #[error("the message is not one of the bucket's")]
    Unreadable,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A message of the bucket's.
#[derive(Deserialize)]
#[serde(untagged)]
enum BucketMessage {
    /// Objects were created.
    Created(S3Event),
    /// The bucket tries out whether it can tell; sent once, when it is told to.
    Test {
        #[serde(rename = "Event")]
        event: String,
    },
}

impl UploadEvents {
    /// Works on a batch of messages, each by itself: one that fails does not bring the others back.
    pub async fn handle(&self, event: SqsEvent) -> SqsBatchResponse {
        let worked = join_all(event.records.iter().map(|message| self.work(message))).await;
        let mut response = SqsBatchResponse::default();
        for (message, outcome) in event.records.into_iter().zip(worked) {
            let Err(error) = outcome else { continue };
            let id = message.message_id.unwrap_or_default();
            let cause = std::error::Error::source(&error).map(ToString::to_string);
            tracing::error!(message_id = id, error = %error, cause, "a message failed");
            let mut failure = BatchItemFailure::default();
            failure.item_identifier = id;
            response.batch_item_failures.push(failure);
        }
        response
    }

    async fn work(&self, message: &SqsMessage) -> Result<(), ProcessingError> {
        let body = message.body.as_deref().unwrap_or_default();
        let records = match serde_json::from_str(body) {
            Ok(BucketMessage::Created(event)) => event.records,
            Ok(BucketMessage::Test { event }) if event == "s3:TestEvent" => Vec::new(),
            _ => return Err(ProcessingError::Unreadable),
        };
        for record in records {
            let key = record.s3.object.key.unwrap_or_default();
            // The keys of uploads need no encoding, which events use for all others.
            if let Some((account, id)) = files::upload_of(&key) {
                self.upload_lifecycle.object_created(account, id).await?;
            }
        }
        Ok(())
    }
}
