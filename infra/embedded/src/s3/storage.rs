//! The objects: content files and index together, with the rules applied.

use std::{
    fs::File,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use domain::{Clock, Timestamp};
use rusqlite::Connection;
use s3s::{S3Error, S3ErrorCode, S3Result, s3_error};

use super::{
    NAME,
    blobs::{Blobs, Upload},
    conditions::Conditions,
    index,
    object::{Object, Properties},
    rules::{self, Rules},
};
use crate::{credentials::Credentials, error::StartError, folder::Folder, sqs::Queues};

/// All buckets and objects.
#[derive(Debug)]
pub(crate) struct Storage {
    index: Mutex<Connection>,
    pub(super) blobs: Blobs,
    clock: Arc<dyn Clock>,
    rules: Rules,
    queues: Arc<Queues>,
    /// Held during delivery, so that no event is delivered twice concurrently.
    delivery: Mutex<()>,
}

/// A page of a bucket's objects.
pub(super) struct Page {
    pub(super) objects: Vec<(String, Object)>,
    /// The key to continue after, if there may be more.
    pub(super) next: Option<String>,
}

impl Storage {
    pub(crate) fn open(
        folder: &Folder,
        clock: Arc<dyn Clock>,
        queues: Arc<Queues>,
    ) -> Result<Self, StartError> {
        let failed = |reason: String| StartError::Storage { service: NAME, reason };
        let contents = folder.subfolder("objects")?;
        let index = folder
            .database("s3.sqlite", index::SCHEMA)
            .map_err(|error| failed(error.to_string()))?;
        let known = index::blobs(&index).map_err(|error| failed(error.to_string()))?;
        let blobs = Blobs::open(contents.clone(), &known)
            .map_err(|reason| StartError::DataDir { path: contents, reason })?;
        Ok(Self {
            index: Mutex::new(index),
            blobs,
            clock,
            rules: Rules::default(),
            queues,
            delivery: Mutex::new(()),
        })
    }

    pub(crate) fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Notifies queues from now on, each under a prefix. With `tested`, each gets a message first.
    pub(super) fn notify(
        &self,
        bucket: &str,
        queues: Vec<(String, String)>,
        tested: bool,
    ) -> S3Result<()> {
        self.require_bucket(bucket)?;
        for (_, queue) in queues.iter().filter(|_| tested) {
            let message = rules::test_message(bucket, self.clock.now());
            self.queues.send_text(queue, message).map_err(|error| {
                tracing::debug!(%error, queue, "no such destination");
                s3_error!(
                    InvalidArgument,
                    "Unable to validate the following destination configurations"
                )
            })?;
        }
        self.rules.notify(bucket, queues);
        Ok(())
    }

    /// Removes objects under a prefix at an age, from now on.
    pub(super) fn expire(&self, bucket: &str, ages: Vec<(String, Duration)>) -> S3Result<()> {
        self.require_bucket(bucket)?;
        self.rules.expire(bucket, ages);
        Ok(())
    }

    pub(super) fn region(&self) -> &str {
        Credentials::REGION
    }

    fn index(&self) -> MutexGuard<'_, Connection> {
        // A panic rolls its transaction back, so the connection stays usable.
        self.index.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn add_bucket(&self, name: &str) -> S3Result<()> {
        match index::create_bucket(&self.index(), name, self.clock.now()).map_err(internal)? {
            true => Ok(()),
            false => Err(s3_error!(BucketAlreadyOwnedByYou)),
        }
    }

    /// Fails unless the bucket exists.
    pub(super) fn require_bucket(&self, name: &str) -> S3Result<()> {
        require_bucket(&self.index(), name)
    }

    /// The object at `key`, if `conditions` hold, opened for reading.
    pub(super) fn open_object(
        &self,
        bucket: &str,
        key: &str,
        conditions: Conditions<'_>,
    ) -> S3Result<(Object, File)> {
        let index = self.index();
        let object = self.live(&index, bucket, key)?.ok_or_else(|| s3_error!(NoSuchKey))?;
        conditions.check_read(&object)?;
        // Opened while the index is locked, so that no replacement can remove it before.
        let content = self.blobs.read(&object.blob).map_err(internal)?;
        Ok((object, content))
    }

    /// Makes an upload the object at `key`, if `conditions` hold, and stores the message of
    /// `event`.
    pub(super) fn commit(
        &self,
        bucket: &str,
        key: &str,
        upload: Upload,
        properties: Properties,
        conditions: Conditions<'_>,
        event: &str,
    ) -> S3Result<Object> {
        let object =
            Object { blob: upload.name().into(), modified_at: self.clock.now(), properties };
        let mut index = self.index();
        require_bucket(&index, bucket)?;
        conditions.check_write(self.live(&index, bucket, key)?.as_ref())?;
        let replaced = index::find(&index, bucket, key).map_err(internal)?;
        let transaction = index.transaction().map_err(internal)?;
        index::put(&transaction, bucket, key, &object).map_err(internal)?;
        for queue in self.rules.queues_for(bucket, key) {
            let message = rules::message(event, bucket, key, &object);
            index::add_event(&transaction, &queue, &message).map_err(internal)?;
        }
        transaction.commit().map_err(internal)?;
        upload.keep();
        if let Some(replaced) = replaced {
            self.blobs.remove(&replaced.blob);
        }
        drop(index);
        if let Err(error) = self.deliver() {
            tracing::warn!(%error, "events will be delivered later");
        }
        Ok(object)
    }

    /// Removes the object at `key`, if `conditions` hold; a missing one is no error.
    pub(super) fn delete(
        &self,
        bucket: &str,
        key: &str,
        conditions: Conditions<'_>,
    ) -> S3Result<()> {
        let index = self.index();
        require_bucket(&index, bucket)?;
        conditions.check_write(self.live(&index, bucket, key)?.as_ref())?;
        let removed = index::find(&index, bucket, key).map_err(internal)?;
        index::delete(&index, bucket, key).map_err(internal)?;
        if let Some(removed) = removed {
            self.blobs.remove(&removed.blob);
        }
        Ok(())
    }

    /// Up to `limit` objects in the order of their keys, from the key `from` or after it.
    pub(super) fn page(
        &self,
        bucket: &str,
        from: &str,
        inclusive: bool,
        limit: usize,
    ) -> S3Result<Page> {
        let index = self.index();
        require_bucket(&index, bucket)?;
        let mut objects = index::page(&index, bucket, from, inclusive, limit).map_err(internal)?;
        let next = objects.last().filter(|_| objects.len() == limit).map(|(key, _)| key.clone());
        let now = self.clock.now();
        objects
            .retain(|(key, object)| !self.rules.has_expired(bucket, key, object.modified_at, now));
        Ok(Page { objects, next })
    }

    /// Removes expired objects, and delivers events that could not be delivered before.
    pub(crate) fn sweep_expired(&self) -> rusqlite::Result<()> {
        for (bucket, prefix, after) in self.rules.expirations() {
            let age = i64::try_from(after.as_millis()).unwrap_or(i64::MAX);
            let until = Timestamp::from_millis(self.clock.now().millis().saturating_sub(age));
            let index = self.index();
            for (key, blob) in index::older(&index, &bucket, &prefix, until)? {
                index::delete(&index, &bucket, &key)?;
                self.blobs.remove(&blob);
            }
        }
        self.deliver()
    }

    /// Sends the pending events. An event is deleted only after it is sent, so that it may be sent
    /// again after a crash but is never lost.
    fn deliver(&self) -> rusqlite::Result<()> {
        let _one_at_a_time = self.delivery.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = index::events(&self.index())?;
        for (sequence, queue, body) in waiting {
            match self.queues.send_text(&queue, body) {
                Ok(()) => index::remove_event(&self.index(), sequence)?,
                Err(error) => tracing::warn!(%error, queue, "event not delivered"),
            }
        }
        Ok(())
    }

    fn live(&self, index: &Connection, bucket: &str, key: &str) -> S3Result<Option<Object>> {
        require_bucket(index, bucket)?;
        let now = self.clock.now();
        let object = index::find(index, bucket, key).map_err(internal)?;
        Ok(object.filter(|object| !self.rules.has_expired(bucket, key, object.modified_at, now)))
    }
}

fn require_bucket(index: &Connection, name: &str) -> S3Result<()> {
    match index::has_bucket(index, name).map_err(internal)? {
        true => Ok(()),
        false => Err(s3_error!(NoSuchBucket)),
    }
}

/// A failure of the storage, as reported to the client.
pub(super) fn internal(error: impl std::error::Error + Send + Sync + 'static) -> S3Error {
    tracing::error!(%error, "S3 storage failed");
    S3Error::with_source(S3ErrorCode::InternalError, Box::new(error))
}
