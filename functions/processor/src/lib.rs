//! Runs queued operations.

use std::time::Duration;

use aws_lambda_events::sqs::{BatchItemFailure, SqsBatchResponse, SqsEvent, SqsMessage};
use domain::Timestamp;
use futures::future::join_all;
use store::{StoreError, queue::OperationMessage};
use workflow::{Verdict, Workflow};

/// What the processor needs.
#[derive(Clone)]
pub struct Processor {
    /// Claims, runs and ends operations.
    pub workflow: Workflow,
}

/// Why a message stays in the queue.
#[derive(Debug, thiserror::Error)]
enum Stays {
    #[error("the message is not one of ours")]
    Unreadable,
    #[error("it is to be looked at again in {0:?}")]
    LookAgain(Duration),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Processor {
    /// Works on a batch of messages, each by itself: one that fails does not bring the others back.
    pub async fn handle(&self, event: SqsEvent) -> SqsBatchResponse {
        let worked = join_all(event.records.iter().map(|message| self.work(message))).await;
        let mut response = SqsBatchResponse::default();
        for (message, outcome) in event.records.into_iter().zip(worked) {
            let Err(stays) = outcome else { continue };
            if !matches!(stays, Stays::LookAgain(_)) {
                let id = message.message_id.as_deref();
                let cause = std::error::Error::source(&stays).map(ToString::to_string);
                tracing::error!(message = id, error = %stays, cause, "a message failed");
            }
            let mut failure = BatchItemFailure::default();
            failure.item_identifier = message.message_id.unwrap_or_default();
            response.batch_item_failures.push(failure);
        }
        response
    }

    async fn work(&self, message: &SqsMessage) -> Result<(), Stays> {
        let body = message.body.as_deref().unwrap_or_default();
        let operation: OperationMessage =
            serde_json::from_str(body).map_err(|_| Stays::Unreadable)?;
        let attribute = |name: &str| message.attributes.get(name)?.parse::<i64>().ok();
        let sent_at = Timestamp::from_millis(attribute("SentTimestamp").unwrap_or_default());
        let receives = attribute("ApproximateReceiveCount").unwrap_or(1);
        let receives = u32::try_from(receives).unwrap_or(u32::MAX);
        match self.workflow.process(operation, sent_at, receives).await? {
            Verdict::Done => Ok(()),
            Verdict::LookAgain(wait) => {
                if let Some(receipt) = &message.receipt_handle {
                    self.workflow.store().postpone(receipt, wait).await?;
                }
                Err(Stays::LookAgain(wait))
            }
        }
    }
}
