//! The calls of SQS that every queue is sent.

use std::time::Duration;

use crate::{Store, StoreError};

impl Store {
    /// Puts a message into a queue, which hands it out after `delay`.
    pub(crate) async fn send(
        &self,
        queue_url: &str,
        body: String,
        delay: Duration,
    ) -> Result<(), StoreError> {
        self.clients
            .sqs
            .send_message()
            .queue_url(queue_url)
            .message_body(body)
            .delay_seconds(i32::try_from(delay.as_secs()).unwrap_or(i32::MAX).min(900))
            .send()
            .await
            .map_err(|error| StoreError::unavailable("queue", error))?;
        Ok(())
    }

    /// Hides a message that a queue has handed out.
    pub(crate) async fn change_visibility(
        &self,
        queue_url: &str,
        receipt_handle: &str,
        delay: Duration,
    ) -> Result<(), StoreError> {
        self.clients
            .sqs
            .change_message_visibility()
            .queue_url(queue_url)
            .receipt_handle(receipt_handle)
            .visibility_timeout(i32::try_from(delay.as_secs()).unwrap_or(i32::MAX))
            .send()
            .await
            .map_err(|error| StoreError::unavailable("queue", error))?;
        Ok(())
    }
}
