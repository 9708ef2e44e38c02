//! The index in SQLite: the existing objects, and the events still to be delivered.
//!
//! An object exists if it has a row; writing the row commits an upload.

use std::collections::HashSet;

use domain::Timestamp;
use rusqlite::{Connection, OptionalExtension, Result, Row, params, types::Type};

use super::object::Object;

/// Times are in milliseconds since the Unix epoch.
pub(super) const SCHEMA: &str = "
CREATE TABLE IF NOT EXISTS buckets (
    name TEXT PRIMARY KEY,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS objects (
    bucket TEXT NOT NULL REFERENCES buckets (name),
    key TEXT NOT NULL,
    blob TEXT NOT NULL,
    modified_at INTEGER NOT NULL,
    properties TEXT NOT NULL,
    PRIMARY KEY (bucket, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS events (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    queue TEXT NOT NULL,
    body TEXT NOT NULL
) STRICT;
";

/// Creates a bucket; returns whether it is new.
pub(super) fn create_bucket(index: &Connection, name: &str, now: Timestamp) -> Result<bool> {
    let insert = "INSERT OR IGNORE INTO buckets VALUES (?1, ?2)";
    Ok(index.execute(insert, params![name, now.millis()])? == 1)
}

/// Whether a bucket exists.
pub(super) fn has_bucket(index: &Connection, name: &str) -> Result<bool> {
    index.prepare_cached("SELECT 1 FROM buckets WHERE name = ?1")?.exists([name])
}

/// The content files that objects refer to.
pub(super) fn blobs(index: &Connection) -> Result<HashSet<String>> {
    index.prepare("SELECT blob FROM objects")?.query_map([], |row| row.get(0))?.collect()
}

/// The object at `key`.
pub(super) fn find(index: &Connection, bucket: &str, key: &str) -> Result<Option<Object>> {
    index
        .prepare_cached(
            "SELECT blob, modified_at, properties FROM objects WHERE bucket = ?1 AND key = ?2",
        )?
        .query_row([bucket, key], object)
        .optional()
}

/// Writes the object at `key`, replacing any existing one.
pub(super) fn put(index: &Connection, bucket: &str, key: &str, object: &Object) -> Result<()> {
    let properties = serde_json::to_string(&object.properties)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
    index
        .prepare_cached("INSERT OR REPLACE INTO objects VALUES (?1, ?2, ?3, ?4, ?5)")?
        .execute(params![bucket, key, object.blob, object.modified_at.millis(), properties])?;
    Ok(())
}

/// Removes the object at `key`, if it is there.
pub(super) fn delete(index: &Connection, bucket: &str, key: &str) -> Result<()> {
    index
        .prepare_cached("DELETE FROM objects WHERE bucket = ?1 AND key = ?2")?
        .execute([bucket, key])?;
    Ok(())
}

/// Up to `limit` objects of a bucket in the byte order of their keys, from the key `from` or after
/// it.
pub(super) fn page(
    index: &Connection,
    bucket: &str,
    from: &str,
    inclusive: bool,
    limit: usize,
) -> Result<Vec<(String, Object)>> {
    let comparison = if inclusive { ">=" } else { ">" };
    let query = format!(
        "SELECT blob, modified_at, properties, key FROM objects
         WHERE bucket = ?1 AND key {comparison} ?2 ORDER BY key LIMIT ?3"
    );
    index
        .prepare_cached(&query)?
        .query_map(params![bucket, from, limit], |row| Ok((row.get(3)?, object(row)?)))?
        .collect()
}

/// The keys and content files of objects under `prefix` last written at or before `until`.
pub(super) fn older(
    index: &Connection,
    bucket: &str,
    prefix: &str,
    until: Timestamp,
) -> Result<Vec<(String, String)>> {
    index
        .prepare_cached(
            "SELECT key, blob FROM objects WHERE bucket = ?1 AND key >= ?2
             AND substr(key, 1, length(?2)) = ?2 AND modified_at <= ?3",
        )?
        .query_map(params![bucket, prefix, until.millis()], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect()
}

/// Stores an event until it is delivered.
pub(super) fn add_event(index: &Connection, queue: &str, body: &str) -> Result<()> {
    let insert = "INSERT INTO events (queue, body) VALUES (?1, ?2)";
    index.prepare_cached(insert)?.execute([queue, body])?;
    Ok(())
}

/// The events to deliver, oldest first: sequence number, queue, body.
pub(super) fn events(index: &Connection) -> Result<Vec<(i64, String, String)>> {
    index
        .prepare_cached("SELECT sequence, queue, body FROM events ORDER BY sequence")?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
        .collect()
}

/// Deletes an event.
pub(super) fn remove_event(index: &Connection, sequence: i64) -> Result<()> {
    index.prepare_cached("DELETE FROM events WHERE sequence = ?1")?.execute([sequence])?;
    Ok(())
}

fn object(row: &Row<'_>) -> Result<Object> {
    let properties: String = row.get(2)?;
    Ok(Object {
        blob: row.get(0)?,
        modified_at: Timestamp::from_millis(row.get(1)?),
        properties: serde_json::from_str(&properties).map_err(|error| {
            rusqlite::Error::FromSqlConversionFailure(2, Type::Text, error.into())
        })?,
    })
}
