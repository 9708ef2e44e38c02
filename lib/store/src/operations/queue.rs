//! The queue that carries operations to the processor.

use std::time::Duration;

use domain::{AccountId, HistoryId, OperationId, PresetId};
use serde::{Deserialize, Serialize};

use crate::{Store, StoreError};

/// An operation to run. It says only where to look: whether the operation exists, and its status,
/// only its record shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OperationMessage {
    /// Whose operation.
    pub account_id: AccountId,
    /// Which operation.
    pub operation_id: OperationId,
}

/// A history item that may have been deleted: if so, delete the rest of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeletionMessage {
    /// Whose item.
    pub account_id: AccountId,
    /// Which item.
    pub history_id: HistoryId,
}

/// A preset's body in the bucket that may be unused: delete it unless the preset has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PresetBodyMessage {
    /// Whose preset.
    pub account_id: AccountId,
    /// Which preset.
    pub preset_id: PresetId,
    /// Which of the preset's bodies.
    pub revision: u64,
}

/// A message of the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Message {
    /// An operation to run.
    Operation(OperationMessage),
    /// A history item to delete.
    Deletion(DeletionMessage),
    /// A preset's body to check.
    PresetBody(PresetBodyMessage),
}

impl Message {
    fn account(&self) -> AccountId {
        match self {
            Self::Operation(message) => message.account_id,
            Self::Deletion(message) => message.account_id,
            Self::PresetBody(message) => message.account_id,
        }
    }
}

impl From<OperationMessage> for Message {
    fn from(message: OperationMessage) -> Self {
        Self::Operation(message)
    }
}

impl From<PresetBodyMessage> for Message {
    fn from(message: PresetBodyMessage) -> Self {
        Self::PresetBody(message)
    }
}

impl From<DeletionMessage> for Message {
    fn from(message: DeletionMessage) -> Self {
        Self::Deletion(message)
    }
}

impl Store {
    /// Enqueues a message that the processor receives after `delay` (at most 15 minutes). Returns
    /// once the queue has it.
    pub async fn enqueue(
        &self,
        message: impl Into<Message>,
        delay: Duration,
    ) -> Result<(), StoreError> {
        let message = message.into();
        let body = serde_json::to_string(&message).map_err(|_| StoreError::corrupt("message"))?;
        let account = Some(message.account());
        self.send(&self.names.operations_queue_url, body, delay, account).await
    }

    /// Sets the visibility timeout of a received message: it is received again after `delay`.
    pub async fn postpone(&self, receipt_handle: &str, delay: Duration) -> Result<(), StoreError> {
        self.change_visibility(&self.names.operations_queue_url, receipt_handle, delay).await
    }
}
