//! The queue that carries operations to the processor.

use std::time::Duration;

use domain::{AccountId, HistoryId, OperationId, PresetId};
use serde::{Deserialize, Serialize};

use crate::{Store, StoreError};

/// What the queue carries: where to look, never what to believe.
///
/// A message says only that there may be an operation; whether there is one, and where it stands,
/// its record alone tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OperationMessage {
    /// Whose operation.
    pub account_id: AccountId,
    /// Which operation.
    pub operation_id: OperationId,
}

/// A history item that may have been deleted: what is left of it shall go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeletionMessage {
    /// Whose item.
    pub account_id: AccountId,
    /// Which item.
    pub history_id: HistoryId,
}

/// A preset's body in the bucket that may be nobody's: unless the preset has it, it shall go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PresetBodyMessage {
    /// Whose preset.
    pub account_id: AccountId,
    /// Which preset.
    pub preset_id: PresetId,
    /// Which of the bodies that it ever had.
    pub revision: u64,
}

/// Everything that the queue carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Message {
    /// An operation to run.
    Operation(OperationMessage),
    /// A history item to remove.
    Deletion(DeletionMessage),
    /// A preset's body to look at.
    PresetBody(PresetBodyMessage),
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
    /// Tells the processor to look at an operation or item after `delay` (at most 15 minutes). Returns
    /// once the queue has the message.
    pub async fn enqueue(
        &self,
        message: impl Into<Message>,
        delay: Duration,
    ) -> Result<(), StoreError> {
        let body =
            serde_json::to_string(&message.into()).map_err(|_| StoreError::corrupt("message"))?;
        self.send(&self.names.operations_queue_url, body, delay).await
    }

    /// Hides a received message for `delay`, after which the queue hands it out again.
    pub async fn postpone(&self, receipt_handle: &str, delay: Duration) -> Result<(), StoreError> {
        self.change_visibility(&self.names.operations_queue_url, receipt_handle, delay).await
    }
}
