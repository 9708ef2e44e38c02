//! Verifies files ahead of their completion, when the bucket tells that they have arrived.
//!
//! The bucket tells through a queue, so that no event is lost while this function is away.

use assets::Assets;
use aws_lambda_events::{
    s3::S3Event,
    sqs::{BatchItemFailure, SqsBatchResponse, SqsEvent, SqsMessage},
};
use futures::future::join_all;
use serde::Deserialize;
use store::{StoreError, objects};

/// What the function needs.
#[derive(Clone, Debug)]
pub struct UploadEvents {
    /// Verifies files.
    pub assets: Assets,
}

/// Why a message stays in the queue.
#[derive(Debug, thiserror::Error)]
enum Stays {
    #[error("the message is not one of the bucket's")]
    Unreadable,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A message of the bucket's.
#[derive(Deserialize)]
#[serde(untagged)]
enum Notice {
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
            let Err(stays) = outcome else { continue };
            let id = message.message_id.unwrap_or_default();
            let cause = std::error::Error::source(&stays).map(ToString::to_string);
            tracing::error!(message_id = id, error = %stays, cause, "a message failed");
            let mut failure = BatchItemFailure::default();
            failure.item_identifier = id;
            response.batch_item_failures.push(failure);
        }
        response
    }

    async fn work(&self, message: &SqsMessage) -> Result<(), Stays> {
        let body = message.body.as_deref().unwrap_or_default();
        let records = match serde_json::from_str(body) {
            Ok(Notice::Created(event)) => event.records,
            Ok(Notice::Test { event }) if event == "s3:TestEvent" => Vec::new(),
            _ => return Err(Stays::Unreadable),
        };
        for record in records {
            let key = record.s3.object.key.unwrap_or_default();
            // The keys of uploads need no encoding, which events use for all others.
            if let Some((account, id)) = objects::upload_of(&key) {
                self.assets.arrived(account, id).await?;
            }
        }
        Ok(())
    }
}
