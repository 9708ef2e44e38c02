//! Objects of the bucket: bodies that are too large for an item.

use std::time::Duration;

use aws_sdk_s3::{
    Config, config::timeout::TimeoutConfig, error::SdkError, operation::get_object::GetObjectError,
    primitives::ByteStream,
};
use bytes::{Bytes, BytesMut};
use futures::{StreamExt, TryStreamExt, stream};

use crate::{Store, StoreError};

/// Bytes of a ranged request for a large object, and the number of such requests at once. A single
/// request reads about 80 MB a second.
const PART: u64 = 8 << 20;
const PARTS_AT_ONCE: usize = 8;
/// Time limit for writing a large object: 300 MB at 2.5 MB a second.
const LARGE_TIMEOUT: Duration = Duration::from_secs(120);

impl Store {
    /// Writes an object that may be large. Takes up to two minutes.
    pub(crate) async fn put_large_object(&self, key: &str, bytes: Bytes) -> Result<(), StoreError> {
        let timeouts = TimeoutConfig::builder().operation_timeout(LARGE_TIMEOUT).build();
        self.clients
            .s3
            .put_object()
            .bucket(&self.names.bucket)
            .key(key)
            .body(ByteStream::from(bytes))
            .customize()
            .config_override(Config::builder().timeout_config(timeouts))
            .send()
            .await
            .map_err(|error| StoreError::unavailable("bucket", error))?;
        Ok(())
    }

    /// Reads an object of `size` bytes in parallel ranges, with one copy in memory.
    pub(crate) async fn get_large_object(
        &self,
        key: &str,
        size: u64,
    ) -> Result<Option<Bytes>, StoreError> {
        let ranges = (0..size).step_by(PART as usize).map(|from| {
            let to = size.min(from + PART);
            self.get_range(key, from, to)
        });
        let mut parts = stream::iter(ranges).buffered(PARTS_AT_ONCE);
        let mut bytes = BytesMut::with_capacity(usize::try_from(size).unwrap_or(0));
        while let Some(part) = parts.try_next().await? {
            match part {
                Some(part) => bytes.extend_from_slice(&part),
                None => return Ok(None),
            }
        }
        Ok(Some(bytes.freeze()))
    }

    /// Bytes `from..to` of an object; the range must not be empty.
    async fn get_range(&self, key: &str, from: u64, to: u64) -> Result<Option<Bytes>, StoreError> {
        let request = self
            .clients
            .s3
            .get_object()
            .bucket(&self.names.bucket)
            .key(key)
            .range(format!("bytes={from}-{}", to - 1));
        let object = match request.send().await {
            Ok(object) => object,
            Err(SdkError::ServiceError(error))
                if matches!(error.err(), GetObjectError::NoSuchKey(_)) =>
            {
                return Ok(None);
            }
            Err(error) => return Err(StoreError::unavailable("bucket", error)),
        };
        let collected = object.body.collect().await;
        let bytes = collected.map_err(|error| StoreError::unavailable("bucket", error))?;
        Ok(Some(bytes.into_bytes()))
    }

    pub(crate) async fn put_object(&self, key: &str, bytes: Vec<u8>) -> Result<(), StoreError> {
        self.clients
            .s3
            .put_object()
            .bucket(&self.names.bucket)
            .key(key)
            .body(ByteStream::from(bytes))
            .send()
            .await
            .map_err(|error| StoreError::unavailable("bucket", error))?;
        Ok(())
    }

    /// The keys that begin with a prefix.
    pub(crate) async fn list_objects(&self, prefix: &str) -> Result<Vec<String>, StoreError> {
        let mut pages = self
            .clients
            .s3
            .list_objects_v2()
            .bucket(&self.names.bucket)
            .prefix(prefix)
            .into_paginator()
            .send();
        let mut keys = Vec::new();
        while let Some(page) =
            pages.try_next().await.map_err(|error| StoreError::unavailable("bucket", error))?
        {
            keys.extend(page.contents.into_iter().flatten().filter_map(|object| object.key));
        }
        Ok(keys)
    }

    pub(crate) async fn delete_object(&self, key: &str) -> Result<(), StoreError> {
        self.clients
            .s3
            .delete_object()
            .bucket(&self.names.bucket)
            .key(key)
            .send()
            .await
            .map_err(|error| StoreError::unavailable("bucket", error))?;
        Ok(())
    }

    pub(crate) async fn get_object(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let request = self.clients.s3.get_object().bucket(&self.names.bucket).key(key);
        let object = match request.send().await {
            Ok(object) => object,
            Err(SdkError::ServiceError(error))
                if matches!(error.err(), GetObjectError::NoSuchKey(_)) =>
            {
                return Ok(None);
            }
            Err(error) => return Err(StoreError::unavailable("bucket", error)),
        };
        let bytes = object
            .body
            .collect()
            .await
            .map_err(|error| StoreError::unavailable("bucket", error))?;
        Ok(Some(bytes.to_vec()))
    }
}
