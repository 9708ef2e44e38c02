//! The messages of a queue: send, receive, delete, change visibility.

use std::{collections::BTreeMap, time::Duration};

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use domain::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};
use s3s::crypto::{Checksum, Md5};

use super::{
    api::{Batch, BatchResult, Message, NewMessage, ReceiveMessage, Sent},
    attributes::{Attributes, MAX_SIZE},
    batch,
    error::{Result, SqsError},
    message_attributes::MessageAttributes,
    queues::{self, ACCOUNT, Queues},
    redrive,
};
use crate::random;

const MAX_VISIBILITY: i64 = 43_200;
const MAX_GROUP_ID: usize = 128;

/// Result of a receive.
pub(super) struct Found {
    pub(super) messages: Vec<Message>,
    /// When the next message becomes visible without a send, if none is now.
    pub(super) next_at: Option<Timestamp>,
}

impl Queues {
    /// Sends a message from this process.
    pub(crate) fn send_text(&self, queue: &str, body: String) -> Result<()> {
        self.send(queue, NewMessage { message_body: Some(body), ..Default::default() }).map(drop)
    }

    /// Sends one message.
    pub(super) fn send(&self, queue: &str, message: NewMessage) -> Result<Sent> {
        let mut connection = self.connection();
        let transaction = queues::begin(&mut connection)?;
        let attributes = queues::find(&transaction, queue)?.attributes;
        let sent = insert(&transaction, queue, &attributes, self.clock().now(), message)?;
        transaction.commit()?;
        self.changed.notify_waiters();
        Ok(sent)
    }

    /// Sends a batch in one transaction.
    pub(super) fn send_batch(
        &self,
        queue: &str,
        request: Batch<NewMessage>,
    ) -> Result<BatchResult<Sent>> {
        let mut connection = self.connection();
        let transaction = queues::begin(&mut connection)?;
        let attributes = queues::find(&transaction, queue)?.attributes;
        batch::validate(&request.entries)?;
        if request.entries.iter().map(|entry| size(&entry.content)).sum::<usize>() > MAX_SIZE {
            return Err(SqsError::batch_too_long(MAX_SIZE));
        }
        let now = self.clock().now();
        let result = batch::run(request.entries, |message| {
            insert(&transaction, queue, &attributes, now, message)
        })?;
        transaction.commit()?;
        self.changed.notify_waiters();
        Ok(result)
    }

    /// How long a receive on the queue waits for a message.
    pub(super) fn wait(&self, queue: &str, request: &ReceiveMessage) -> Result<Duration> {
        let default = queues::find(&self.connection(), queue)?.attributes.wait;
        let wait = in_range("WaitTimeSeconds", request.wait_time_seconds, 0..=20)?;
        Ok(Duration::from_secs(wait.unwrap_or(default.into())))
    }

    /// Receives visible messages, and moves those received too often to the dead-letter queue.
    pub(super) fn receive(&self, queue: &str, request: &ReceiveMessage) -> Result<Found> {
        let limit = in_range("MaxNumberOfMessages", request.max_number_of_messages, 1..=10)?;
        let limit = usize::try_from(limit.unwrap_or(1)).unwrap_or(1);
        let visibility =
            in_range("VisibilityTimeout", request.visibility_timeout, 0..=MAX_VISIBILITY)?;
        let now = self.clock().now();
        let mut connection = self.connection();
        let transaction = queues::begin(&mut connection)?;
        let attributes = queues::find(&transaction, queue)?.attributes;
        let visibility = Duration::from_secs(visibility.unwrap_or(attributes.visibility.into()));
        queues::expire(&transaction, queue, &attributes, now)?;
        let moved = redrive::move_to_dead_letter_queue(
            &transaction,
            queue,
            &attributes,
            &self.arn(queue),
            now,
        )?;
        let mut messages = Vec::new();
        for candidate in visible(&transaction, queue, now, limit)? {
            messages.push(candidate.receive(&transaction, request, now, now + visibility)?);
        }
        let next_at = match messages.is_empty() {
            true => next_visible_at(&transaction, queue, now)?,
            false => None,
        };
        transaction.commit()?;
        if moved {
            self.changed.notify_waiters();
        }
        Ok(Found { messages, next_at })
    }

    /// Deletes the message of a receipt handle. A stale handle, of an earlier receive, is accepted
    /// without effect, as on AWS.
    pub(super) fn delete_message(&self, queue: &str, handle: &str) -> Result<()> {
        let (sequence, receipt) = parse_handle(handle)?;
        let connection = self.connection();
        queues::find(&connection, queue)?;
        connection
            .prepare_cached(
                "DELETE FROM messages WHERE sequence = ?1 AND queue = ?2 AND receipt = ?3",
            )?
            .execute(params![sequence, queue, receipt])?;
        Ok(())
    }

    /// Hides a message in flight for `seconds` from now; 0 makes it visible.
    pub(super) fn change_visibility(
        &self,
        queue: &str,
        handle: &str,
        seconds: Option<i64>,
    ) -> Result<()> {
        let seconds = in_range("VisibilityTimeout", seconds, 0..=MAX_VISIBILITY)?
            .ok_or_else(|| SqsError::missing_parameter("VisibilityTimeout"))?;
        let (sequence, receipt) = parse_handle(handle)?;
        let now = self.clock().now();
        let connection = self.connection();
        queues::find(&connection, queue)?;
        let visible_at: Option<i64> = connection
            .prepare_cached(
                "SELECT visible_at FROM messages
                 WHERE sequence = ?1 AND queue = ?2 AND receipt = ?3",
            )?
            .query_row(params![sequence, queue, receipt], |row| row.get(0))
            .optional()?;
        match visible_at {
            None => {
                let reason = "Message does not exist or is not available for visibility timeout \
                              change.";
                return Err(SqsError::invalid_parameter("ReceiptHandle", reason));
            }
            Some(visible_at) if visible_at <= now.millis() => {
                return Err(SqsError::message_not_inflight());
            }
            Some(_) => {}
        }
        connection
            .prepare_cached("UPDATE messages SET visible_at = ?2 WHERE sequence = ?1")?
            .execute(params![sequence, (now + Duration::from_secs(seconds)).millis()])?;
        self.changed.notify_waiters();
        Ok(())
    }
}

/// The bytes of a message that count against the limit.
fn size(message: &NewMessage) -> usize {
    message.message_body.as_ref().map_or(0, String::len) + message.message_attributes.size()
}

fn insert(
    connection: &Connection,
    queue: &str,
    attributes: &Attributes,
    now: Timestamp,
    message: NewMessage,
) -> Result<Sent> {
    let delay = in_range("DelaySeconds", message.delay_seconds, 0..=900)?;
    message.message_attributes.validate()?;
    let size = size(&message);
    let body = message.message_body.filter(|body| !body.is_empty());
    let body = body.ok_or_else(|| SqsError::missing_parameter("MessageBody"))?;
    if size > attributes.maximum_size as usize {
        let reason = format!(
            "One or more parameters are invalid. Message must be shorter than {} bytes.",
            attributes.maximum_size
        );
        return Err(SqsError::invalid_parameter("MessageBody", &reason));
    }
    let forbidden = |c: char| match c {
        '\t' | '\n' | '\r' => false,
        c => c < ' ' || c == '\u{fffe}' || c == '\u{ffff}',
    };
    if body.chars().any(forbidden) {
        return Err(SqsError::invalid_message_contents());
    }
    let group = message.message_group_id.as_deref();
    if group.is_some_and(|group| {
        group.is_empty()
            || group.len() > MAX_GROUP_ID
            || !group.bytes().all(|byte| byte.is_ascii_graphic())
    }) {
        let reason = "It has 1 to 128 letters, digits and punctuation marks.";
        return Err(SqsError::invalid_parameter("MessageGroupId", reason));
    }
    let delay = Duration::from_secs(delay.unwrap_or(attributes.delay.into()));
    let id = random::uuid();
    connection
        .prepare_cached(
            "INSERT INTO messages (queue, id, body, attributes, sent_at, visible_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![
            queue,
            id,
            body,
            queues::encode(&message.message_attributes),
            now.millis(),
            (now + delay).millis()
        ])?;
    if let Some(group) = group {
        connection
            .prepare_cached("INSERT INTO message_groups (sequence, id) VALUES (?1, ?2)")?
            .execute(params![connection.last_insert_rowid(), group])?;
    }
    Ok(Sent {
        message_id: id,
        md5_of_message_body: digest(&body),
        md5_of_message_attributes: message.message_attributes.digest(),
    })
}

/// A visible message that may be received.
struct Candidate {
    sequence: i64,
    id: String,
    body: String,
    attributes: String,
    sent_at: i64,
    receive_count: u32,
    first_received_at: Option<i64>,
    dead_letter_source: Option<String>,
    group: Option<String>,
}

impl Candidate {
    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            sequence: row.get("sequence")?,
            id: row.get("id")?,
            body: row.get("body")?,
            attributes: row.get("attributes")?,
            sent_at: row.get("sent_at")?,
            receive_count: row.get("receive_count")?,
            first_received_at: row.get("first_received_at")?,
            dead_letter_source: row.get("dead_letter_source")?,
            group: row.get("message_group")?,
        })
    }

    /// Marks the message as received, hidden until `visible_at`, and converts it to wire form.
    fn receive(
        self,
        connection: &Connection,
        request: &ReceiveMessage,
        now: Timestamp,
        visible_at: Timestamp,
    ) -> rusqlite::Result<Message> {
        let receipt = random::token();
        let first_received_at = self.first_received_at.unwrap_or(now.millis());
        connection
            .prepare_cached(
                "UPDATE messages SET receipt = ?2, visible_at = ?3, first_received_at = ?4,
                 receive_count = receive_count + 1 WHERE sequence = ?1",
            )?
            .execute(params![self.sequence, receipt, visible_at.millis(), first_received_at])?;

        let names = [&request.attribute_names, &request.message_system_attribute_names];
        let wanted =
            |name: &str| names.iter().any(|names| names.iter().any(|n| n == name || n == "All"));
        let attributes: BTreeMap<_, _> = [
            ("SentTimestamp", Some(self.sent_at.to_string())),
            ("ApproximateReceiveCount", Some((self.receive_count + 1).to_string())),
            ("ApproximateFirstReceiveTimestamp", Some(first_received_at.to_string())),
            ("SenderId", Some(ACCOUNT.into())),
            ("DeadLetterQueueSourceArn", self.dead_letter_source),
            ("MessageGroupId", self.group),
        ]
        .into_iter()
        .filter_map(|(name, value)| Some((name, value.filter(|_| wanted(name))?)))
        .collect();
        let message_attributes = queues::decode::<MessageAttributes>(&self.attributes)?
            .select(&request.message_attribute_names);
        Ok(Message {
            message_id: self.id,
            receipt_handle: BASE64_URL_SAFE_NO_PAD.encode(format!("{}.{receipt}", self.sequence)),
            md5_of_body: digest(&self.body),
            body: self.body,
            attributes,
            md5_of_message_attributes: message_attributes.digest(),
            message_attributes,
        })
    }
}

/// Up to `limit` messages that are visible, longest visible first.
fn visible(
    connection: &Connection,
    queue: &str,
    now: Timestamp,
    limit: usize,
) -> rusqlite::Result<Vec<Candidate>> {
    connection
        .prepare_cached(
            "SELECT messages.*, message_groups.id AS message_group
             FROM messages LEFT JOIN message_groups USING (sequence)
             WHERE queue = ?1 AND visible_at <= ?2
             ORDER BY visible_at, sequence LIMIT ?3",
        )?
        .query_map(params![queue, now.millis(), limit], Candidate::from_row)?
        .collect()
}

fn next_visible_at(
    connection: &Connection,
    queue: &str,
    now: Timestamp,
) -> rusqlite::Result<Option<Timestamp>> {
    let next: Option<i64> = connection
        .prepare_cached(
            "SELECT min(visible_at) FROM messages WHERE queue = ?1 AND visible_at > ?2",
        )?
        .query_row(params![queue, now.millis()], |row| row.get(0))?;
    Ok(next.map(Timestamp::from_millis))
}

/// The sequence number and the receipt in a handle.
fn parse_handle(handle: &str) -> Result<(i64, String)> {
    let parse = || {
        let text = String::from_utf8(BASE64_URL_SAFE_NO_PAD.decode(handle).ok()?).ok()?;
        let (sequence, receipt) = text.split_once('.')?;
        Some((sequence.parse().ok()?, receipt.to_owned()))
    };
    parse().ok_or_else(SqsError::invalid_receipt_handle)
}

fn digest(body: &str) -> String {
    random::hex(&Md5::checksum(body.as_bytes()))
}

fn in_range(
    parameter: &str,
    value: Option<i64>,
    range: std::ops::RangeInclusive<i64>,
) -> Result<Option<u64>> {
    let Some(value) = value else { return Ok(None) };
    let checked = u64::try_from(value).ok().filter(|_| range.contains(&value));
    checked.map(Some).ok_or_else(|| {
        let reason = format!("Must be between {} and {}.", range.start(), range.end());
        SqsError::invalid_parameter(parameter, &reason)
    })
}
