//! SQS calls that all queues share.

use std::time::Duration;

use domain::AccountId;

use crate::{Store, StoreError};

impl Store {
    /// Sends a message that becomes visible after `delay`; at most 15 minutes. The account is the
    /// tenant of SQS fair queues: a burst of one account does not delay others.
    pub(crate) async fn send(
        &self,
        queue_url: &str,
        body: String,
        delay: Duration,
        account: Option<AccountId>,
    ) -> Result<(), StoreError> {
        self.clients
            .sqs
            .send_message()
            .queue_url(queue_url)
            .message_body(body)
            .set_message_group_id(account.map(AccountId::unique))
            .delay_seconds(i32::try_from(delay.as_secs()).unwrap_or(i32::MAX).min(900))
            .send()
            .await
            .map_err(|error| StoreError::unavailable("queue", error))?;
        Ok(())
    }

    /// Sets the visibility timeout of a received message.
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
