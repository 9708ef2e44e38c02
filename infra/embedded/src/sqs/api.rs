//! Requests and responses in wire form, as in the
//! [SQS API reference](https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::message_attributes::MessageAttributes;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct CreateQueue {
    pub queue_name: String,
    #[serde(default)]
    pub attributes: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct GetQueueUrl {
    pub queue_name: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct QueueUrl {
    pub queue_url: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct ListQueues {
    #[serde(default)]
    pub queue_name_prefix: String,
    pub max_results: Option<usize>,
    pub next_token: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct QueueUrls {
    pub queue_urls: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_token: Option<String>,
}

/// Requests with only a queue URL: DeleteQueue, PurgeQueue.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct QueueRequest {
    pub queue_url: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct GetQueueAttributes {
    pub queue_url: String,
    #[serde(default)]
    pub attribute_names: Vec<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct QueueAttributes {
    pub attributes: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct SetQueueAttributes {
    pub queue_url: String,
    pub attributes: BTreeMap<String, String>,
}

/// Common parameters of SendMessage and an entry of SendMessageBatch.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct NewMessage {
    pub message_body: Option<String>,
    pub delay_seconds: Option<i64>,
    pub message_group_id: Option<String>,
    #[serde(default)]
    pub message_attributes: MessageAttributes,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct SendMessage {
    pub queue_url: String,
    #[serde(flatten)]
    pub message: NewMessage,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Sent {
    pub message_id: String,
    #[serde(rename = "MD5OfMessageBody")]
    pub md5_of_message_body: String,
    #[serde(rename = "MD5OfMessageAttributes", skip_serializing_if = "Option::is_none")]
    pub md5_of_message_attributes: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct ReceiveMessage {
    pub queue_url: String,
    pub max_number_of_messages: Option<i64>,
    pub visibility_timeout: Option<i64>,
    pub wait_time_seconds: Option<i64>,
    #[serde(default)]
    pub attribute_names: Vec<String>,
    #[serde(default)]
    pub message_system_attribute_names: Vec<String>,
    #[serde(default)]
    pub message_attribute_names: Vec<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Received {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<Message>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Message {
    pub message_id: String,
    pub receipt_handle: String,
    pub body: String,
    #[serde(rename = "MD5OfBody")]
    pub md5_of_body: String,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub attributes: BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "MessageAttributes::is_empty")]
    pub message_attributes: MessageAttributes,
    #[serde(rename = "MD5OfMessageAttributes", skip_serializing_if = "Option::is_none")]
    pub md5_of_message_attributes: Option<String>,
}

/// Common parameters of DeleteMessage and an entry of DeleteMessageBatch.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Receipt {
    pub receipt_handle: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct DeleteMessage {
    pub queue_url: String,
    #[serde(flatten)]
    pub receipt: Receipt,
}

/// Common parameters of ChangeMessageVisibility and an entry of its batch.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Visibility {
    pub receipt_handle: String,
    pub visibility_timeout: Option<i64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct ChangeMessageVisibility {
    pub queue_url: String,
    #[serde(flatten)]
    pub visibility: Visibility,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Batch<T> {
    pub queue_url: String,
    #[serde(default = "Vec::new")]
    pub entries: Vec<Entry<T>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Entry<T> {
    pub id: String,
    #[serde(flatten)]
    pub content: T,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct BatchResult<T> {
    pub successful: Vec<Succeeded<T>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<Failed>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Succeeded<T> {
    pub id: String,
    #[serde(flatten)]
    pub content: T,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Failed {
    pub id: String,
    pub sender_fault: bool,
    pub code: &'static str,
    pub message: String,
}

/// An empty response.
#[derive(Debug, Serialize)]
pub(crate) struct Empty {}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct StartMessageMoveTask {
    pub source_arn: String,
    pub destination_arn: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct MessageMoveTask {
    pub task_handle: String,
}
