//! The queues in SQLite: creation, attributes, deletion.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use domain::{Clock, Timestamp};
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};
use tokio::sync::Notify;

use super::{
    attributes::Attributes,
    error::{Result, SqsError},
};
use crate::{credentials::Credentials, folder::Folder};

/// The only account.
pub(crate) const ACCOUNT: &str = "000000000000";

/// Times are in milliseconds since the Unix epoch. A message gets a `receipt` when it is received:
/// until `visible_at` it is then in flight; without a receipt it is delayed.
const SCHEMA: &str = "
CREATE TABLE IF NOT EXISTS queues (
    name TEXT PRIMARY KEY,
    attributes TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    modified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS messages (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    queue TEXT NOT NULL REFERENCES queues (name) ON DELETE CASCADE,
    id TEXT NOT NULL,
    body TEXT NOT NULL,
    attributes TEXT NOT NULL,
    sent_at INTEGER NOT NULL,
    visible_at INTEGER NOT NULL,
    receive_count INTEGER NOT NULL DEFAULT 0,
    first_received_at INTEGER,
    receipt TEXT,
    dead_letter_source TEXT
) STRICT;
CREATE TABLE IF NOT EXISTS message_groups (
    sequence INTEGER PRIMARY KEY REFERENCES messages (sequence) ON DELETE CASCADE,
    id TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS messages_by_visibility ON messages (queue, visible_at, sequence);
CREATE INDEX IF NOT EXISTS messages_by_receives ON messages (queue, receive_count, visible_at);
CREATE INDEX IF NOT EXISTS messages_by_age ON messages (queue, sent_at);
";

/// All queues and their messages.
#[derive(Debug)]
pub(crate) struct Queues {
    connection: Mutex<Connection>,
    clock: Arc<dyn Clock>,
    /// Notified when a message may have become visible, other than by time passing.
    pub(super) changed: Notify,
}

/// A queue's attributes and when they were set.
pub(super) struct Queue {
    pub(super) attributes: Attributes,
    created_at: Timestamp,
    modified_at: Timestamp,
}

impl Queues {
    pub(crate) fn open(folder: &Folder, clock: Arc<dyn Clock>) -> rusqlite::Result<Self> {
        Ok(Self {
            connection: Mutex::new(folder.database("sqs.sqlite", SCHEMA)?),
            clock,
            changed: Notify::new(),
        })
    }

    pub(super) fn shared_clock(&self) -> Arc<dyn Clock> {
        self.clock.clone()
    }

    pub(super) fn clock(&self) -> &dyn Clock {
        &*self.clock
    }

    pub(super) fn connection(&self) -> MutexGuard<'_, Connection> {
        // A panic rolls its transaction back, so the connection stays usable.
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The ARN of the queue `name`.
    pub(super) fn arn(&self, name: &str) -> String {
        format!("arn:aws:sqs:{}:{ACCOUNT}:{name}", Credentials::REGION)
    }

    /// Creates the queue `name`; one that exists with the same attributes is unchanged.
    pub(super) fn create(&self, name: &str, given: &BTreeMap<String, String>) -> Result<()> {
        let characters = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if name.is_empty() || name.len() > 80 || !name.chars().all(characters) {
            let reason = "Can only include alphanumeric characters, hyphens, or underscores. \
                          1 to 80 in length";
            return Err(SqsError::invalid_parameter("QueueName", reason));
        }
        let mut connection = self.connection();
        let transaction = begin(&mut connection)?;
        match find(&transaction, name) {
            Ok(existing) => {
                let mut wanted = existing.attributes.clone();
                wanted.apply(given)?;
                if wanted != existing.attributes {
                    return Err(SqsError::queue_name_exists());
                }
            }
            Err(_) => {
                let mut attributes = Attributes::default();
                attributes.apply(given)?;
                check_redrive(&transaction, &attributes)?;
                let now = self.clock.now().millis();
                transaction.execute(
                    "INSERT INTO queues VALUES (?1, ?2, ?3, ?3)",
                    params![name, encode(&attributes), now],
                )?;
            }
        }
        Ok(transaction.commit()?)
    }

    /// Fails unless the queue `name` exists.
    pub(super) fn require(&self, name: &str) -> Result<()> {
        find(&self.connection(), name).map(drop)
    }

    /// Up to `limit` names that start with `prefix`, in order, after `after`.
    pub(super) fn list(&self, prefix: &str, after: &str, limit: usize) -> Result<Vec<String>> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached(
            "SELECT name FROM queues WHERE substr(name, 1, length(?1)) = ?1 AND name > ?2
             ORDER BY name LIMIT ?3",
        )?;
        let names = statement.query_map(params![prefix, after, limit], |row| row.get(0))?;
        Ok(names.collect::<rusqlite::Result<_>>()?)
    }

    /// The requested attributes of a queue; `All` selects every one.
    pub(super) fn attributes(
        &self,
        name: &str,
        wanted: &[String],
    ) -> Result<BTreeMap<String, String>> {
        let now = self.clock.now();
        let connection = self.connection();
        let queue = find(&connection, name)?;
        expire(&connection, name, &queue.attributes, now)?;
        let count = |condition: &str| -> rusqlite::Result<i64> {
            let query = format!(
                "SELECT count(*) FROM messages WHERE queue = ?1 AND visible_at {condition}"
            );
            connection
                .prepare_cached(&query)?
                .query_row(params![name, now.millis()], |row| row.get(0))
        };
        let mut all = queue.attributes.to_wire();
        for (name, value) in [
            ("ApproximateNumberOfMessages", count("<= ?2")?),
            ("ApproximateNumberOfMessagesNotVisible", count("> ?2 AND receipt IS NOT NULL")?),
            ("ApproximateNumberOfMessagesDelayed", count("> ?2 AND receipt IS NULL")?),
            ("CreatedTimestamp", queue.created_at.seconds()),
            ("LastModifiedTimestamp", queue.modified_at.seconds()),
        ] {
            all.insert(name.into(), value.to_string());
        }
        all.insert("QueueArn".into(), self.arn(name));
        if wanted.iter().any(|name| name == "All") {
            return Ok(all);
        }
        // Valid attributes that this queue may not have.
        let optional = ["KmsMasterKeyId", "Policy", "RedriveAllowPolicy", "RedrivePolicy"];
        if let Some(unknown) = wanted
            .iter()
            .find(|name| !all.contains_key(*name) && !optional.contains(&name.as_str()))
        {
            return Err(SqsError::invalid_attribute_name(unknown));
        }
        all.retain(|name, _| wanted.contains(name));
        Ok(all)
    }

    /// Changes attributes of a queue.
    pub(super) fn set_attributes(
        &self,
        name: &str,
        given: &BTreeMap<String, String>,
    ) -> Result<()> {
        let mut connection = self.connection();
        let transaction = begin(&mut connection)?;
        let mut attributes = find(&transaction, name)?.attributes;
        attributes.apply(given)?;
        check_redrive(&transaction, &attributes)?;
        transaction.execute(
            "UPDATE queues SET attributes = ?2, modified_at = ?3 WHERE name = ?1",
            params![name, encode(&attributes), self.clock.now().millis()],
        )?;
        Ok(transaction.commit()?)
    }

    /// Deletes a queue with its messages.
    pub(super) fn delete(&self, name: &str) -> Result<()> {
        match self.connection().execute("DELETE FROM queues WHERE name = ?1", [name])? {
            0 => Err(SqsError::queue_does_not_exist()),
            _ => Ok(()),
        }
    }

    /// Deletes all messages of a queue.
    pub(super) fn purge(&self, name: &str) -> Result<()> {
        let connection = self.connection();
        find(&connection, name)?;
        connection.execute("DELETE FROM messages WHERE queue = ?1", [name])?;
        Ok(())
    }
}

/// Starts a transaction that writes.
pub(super) fn begin(connection: &mut Connection) -> rusqlite::Result<Transaction<'_>> {
    connection.transaction_with_behavior(TransactionBehavior::Immediate)
}

/// The queue `name`.
pub(super) fn find(connection: &Connection, name: &str) -> Result<Queue> {
    let query = "SELECT attributes, created_at, modified_at FROM queues WHERE name = ?1";
    let row = connection
        .prepare_cached(query)?
        .query_row([name], |row| Ok((row.get::<_, String>(0)?, row.get(1)?, row.get(2)?)));
    let (attributes, created_at, modified_at) =
        row.optional()?.ok_or_else(SqsError::queue_does_not_exist)?;
    Ok(Queue {
        attributes: decode(&attributes)?,
        created_at: Timestamp::from_millis(created_at),
        modified_at: Timestamp::from_millis(modified_at),
    })
}

/// The last part of an ARN or of a queue URL: the name of the queue.
pub(super) fn name_of(address: &str, separator: char) -> &str {
    address.rsplit(separator).next().unwrap_or(address)
}

/// Removes the messages past their retention period.
pub(super) fn expire(
    connection: &Connection,
    name: &str,
    attributes: &Attributes,
    now: Timestamp,
) -> rusqlite::Result<()> {
    let retention = Duration::from_secs(attributes.retention.into()).as_millis() as i64;
    connection
        .prepare_cached("DELETE FROM messages WHERE queue = ?1 AND sent_at <= ?2")?
        .execute(params![name, now.millis() - retention])?;
    Ok(())
}

fn check_redrive(connection: &Connection, attributes: &Attributes) -> Result<()> {
    let Some(redrive) = &attributes.redrive else {
        return Ok(());
    };
    find(connection, name_of(&redrive.target_arn, ':')).map(drop).map_err(|_| {
        SqsError::invalid_parameter("RedrivePolicy", "Dead letter target does not exist.")
    })
}

/// A value in the form that the database stores.
pub(super) fn encode(value: &impl serde::Serialize) -> String {
    // Maps keyed by strings always serialise.
    serde_json::to_string(value).unwrap_or_default()
}

/// The inverse of [`encode`].
pub(super) fn decode<T: serde::de::DeserializeOwned>(text: &str) -> rusqlite::Result<T> {
    serde_json::from_str(text).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, error.into())
    })
}
