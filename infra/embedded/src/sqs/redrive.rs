//! Dead-letter queues: move messages that were received too often, and redrive them.

use domain::Timestamp;
use rusqlite::{Connection, params};

use super::{
    attributes::Attributes,
    error::{Result, SqsError},
    queues::{self, Queues},
};
use crate::random;

/// Moves the visible messages of `queue` that have reached its receive limit to its dead-letter
/// queue; returns whether there were any. Without that queue they are not moved.
pub(super) fn move_to_dead_letter_queue(
    connection: &Connection,
    queue: &str,
    attributes: &Attributes,
    queue_arn: &str,
    now: Timestamp,
) -> Result<bool> {
    let Some(redrive) = &attributes.redrive else {
        return Ok(false);
    };
    let target = queues::name_of(&redrive.target_arn, ':');
    if queues::find(connection, target).is_err() {
        return Ok(false);
    }
    // Age and number of receives are kept, as for standard queues on AWS.
    let moved = connection
        .prepare_cached(
            "UPDATE messages SET queue = ?4, receipt = NULL, dead_letter_source = ?5
             WHERE queue = ?1 AND visible_at <= ?2 AND receive_count >= ?3",
        )?
        .execute(params![queue, now.millis(), redrive.max_receive_count, target, queue_arn])?;
    Ok(moved > 0)
}

impl Queues {
    /// Moves all visible messages of a dead-letter queue to `destination`, or each to its source
    /// queue, as new messages. Synchronous; returns the handle of the task.
    pub(super) fn move_messages(
        &self,
        source_arn: &str,
        destination_arn: Option<&str>,
    ) -> Result<String> {
        let missing =
            || SqsError::resource_not_found("The resource that you specified does not exist.");
        let source = queues::name_of(source_arn, ':');
        let mut connection = self.connection();
        let transaction = queues::begin(&mut connection)?;
        let attributes = queues::find(&transaction, source).map_err(|_| missing())?.attributes;
        if let Some(destination) = destination_arn {
            queues::find(&transaction, queues::name_of(destination, ':')).map_err(|_| missing())?;
        }
        let now = self.clock().now();
        queues::expire(&transaction, source, &attributes, now)?;
        let letters: Vec<(i64, Option<String>)> = transaction
            .prepare_cached(
                "SELECT sequence, dead_letter_source FROM messages
                 WHERE queue = ?1 AND visible_at <= ?2 ORDER BY sequence",
            )?
            .query_map(params![source, now.millis()], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<rusqlite::Result<_>>()?;
        for (sequence, came_from) in letters {
            let Some(target) = destination_arn.map(str::to_owned).or(came_from) else {
                continue;
            };
            let target = queues::name_of(&target, ':');
            if queues::find(&transaction, target).is_err() {
                continue;
            }
            transaction.execute(
                "UPDATE messages SET queue = ?2, id = ?3, sent_at = ?4, visible_at = ?4,
                 receive_count = 0, first_received_at = NULL, receipt = NULL,
                 dead_letter_source = NULL WHERE sequence = ?1",
                params![sequence, target, random::uuid(), now.millis()],
            )?;
        }
        transaction.commit()?;
        self.changed.notify_waiters();
        Ok(random::token())
    }
}
