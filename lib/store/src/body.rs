//! Bodies of any size: compressed into the item, or written to the bucket if an item is too small.

use std::io::{Read, Write};

use domain::Operation;
use flate2::{Compression, read::DeflateDecoder, write::DeflateEncoder};

use crate::{Store, StoreError};

/// Bytes of a body that an item holds. An item could hold 400 KB, but a partition, which holds the account item as well, allows 1,000 units a
/// second.
const INLINE_LIMIT: usize = 48 * 1024;
/// Below this many bytes compression gains nothing.
const COMPRESSION_FLOOR: usize = 256;

const RAW: u8 = 0;
const DEFLATED: u8 = 1;
const IN_BUCKET: u8 = 2;

/// How long the object of a body in the bucket lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifetime {
    /// As long as its operation's input or result. The bucket's lifecycle rule removes it.
    Temporary,
    /// Until its history item is deleted.
    Durable,
}

impl Lifetime {
    pub(crate) const fn prefix(self) -> &'static str {
        match self {
            Lifetime::Temporary => "temporary",
            Lifetime::Durable => "durable",
        }
    }
}

/// A body as an item holds it: a tag byte, then the bytes or an object's key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredBody(Vec<u8>);

impl StoredBody {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The name under which [`Store::spill`] wrote its object, if it has one.
    pub(crate) fn name(stored: &[u8]) -> Option<&str> {
        object_of(stored).and_then(|key| key.split_once('/')).map(|(_, name)| name)
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Its object's key, if it is in the bucket.
    pub(crate) fn object(&self) -> Option<&str> {
        object_of(&self.0)
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    /// The keys, under both lifetimes, that the object of a stored body may have in the bucket.
    pub(crate) fn objects(stored: &[u8]) -> Vec<String> {
        match object_of(stored).and_then(|key| key.split_once('/')) {
            Some((_, name)) => [Lifetime::Temporary, Lifetime::Durable]
                .map(|lifetime| object_key(lifetime, name))
                .to_vec(),
            None => Vec::new(),
        }
    }
}

fn object_of(stored: &[u8]) -> Option<&str> {
    match stored.split_first() {
        Some((&IN_BUCKET, key)) => std::str::from_utf8(key).ok(),
        _ => None,
    }
}

fn tagged(tag: u8, bytes: &[u8]) -> StoredBody {
    let mut tagged = Vec::with_capacity(bytes.len() + 1);
    tagged.push(tag);
    tagged.extend_from_slice(bytes);
    StoredBody(tagged)
}

fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    // Writing into memory does not fail. If it ever does, the raw bytes serve as well.
    match encoder.write_all(bytes).and_then(|()| encoder.finish()) {
        Ok(deflated) => deflated,
        Err(_) => bytes.to_vec(),
    }
}

/// A compressed body.
pub(crate) enum Packed {
    /// It fits into an item.
    Inline(StoredBody),
    /// It is too large for an item: the bytes of its object in the bucket.
    Object(Vec<u8>),
}

/// Compresses a body, unless it is too short to gain.
pub(crate) fn pack(bytes: &[u8]) -> Packed {
    if bytes.len() < COMPRESSION_FLOOR {
        return Packed::Inline(tagged(RAW, bytes));
    }
    let deflated = deflate(bytes);
    if deflated.len() <= INLINE_LIMIT {
        return Packed::Inline(tagged(DEFLATED, &deflated));
    }
    Packed::Object(deflated)
}

/// Compresses a body of at most 300 KB, which an item always holds.
pub(crate) fn pack_small(bytes: &[u8]) -> StoredBody {
    match pack(bytes) {
        Packed::Inline(body) => body,
        Packed::Object(deflated) => tagged(DEFLATED, &deflated),
    }
}

/// The bytes of a body that its item holds.
pub(crate) fn unpack(stored: &[u8]) -> Result<Vec<u8>, StoreError> {
    match stored.split_first() {
        Some((&RAW, bytes)) => Ok(bytes.to_vec()),
        Some((&DEFLATED, deflated)) => inflate(deflated),
        _ => Err(StoreError::corrupt("body")),
    }
}

fn inflate(deflated: &[u8]) -> Result<Vec<u8>, StoreError> {
    let mut bytes = Vec::new();
    let read = DeflateDecoder::new(deflated).read_to_end(&mut bytes);
    read.map(|_| bytes).map_err(|_| StoreError::corrupt("body"))
}

fn object_key(lifetime: Lifetime, name: &str) -> String {
    format!("{}/{name}", lifetime.prefix())
}

/// Name for the body of an attempt at an operation. Each attempt has its own, so that it never
/// overwrites what another one may have recorded.
pub fn attempt_name(operation: &Operation, attempt: u32) -> String {
    format!("{}/{}/{attempt}", operation.account, operation.id)
}

impl Store {
    /// Removes a durable body. A missing one is no error.
    pub(crate) async fn remove_durable(&self, name: &str) -> Result<(), StoreError> {
        self.delete_object(&object_key(Lifetime::Durable, name)).await
    }

    /// Removes durable bodies that attempts left in the bucket without recording them. Attempts
    /// without a body are skipped.
    pub async fn discard_bodies(
        &self,
        operation: &Operation,
        attempts: impl Iterator<Item = u32>,
    ) -> Result<(), StoreError> {
        for attempt in attempts {
            self.remove_durable(&attempt_name(operation, attempt)).await?;
        }
        Ok(())
    }

    /// Prepares `bytes` for an item. A body too large for an item is first written to the bucket
    /// under `name`, so that the item never points to a missing object.
    pub async fn stage_body(
        &self,
        bytes: Vec<u8>,
        lifetime: Lifetime,
        name: &str,
    ) -> Result<StoredBody, StoreError> {
        match pack(&bytes) {
            Packed::Inline(body) => Ok(body),
            Packed::Object(object) => self.spill(object, lifetime, name).await,
        }
    }

    /// Writes a body that is too large for an item to the bucket under `name`.
    pub(crate) async fn spill(
        &self,
        object: Vec<u8>,
        lifetime: Lifetime,
        name: &str,
    ) -> Result<StoredBody, StoreError> {
        let key = object_key(lifetime, name);
        self.put_object(&key, object).await?;
        Ok(tagged(IN_BUCKET, key.as_bytes()))
    }

    /// Moves a body's object, if it has one, to another lifetime. Also returns the key of the old
    /// object, which the caller deletes once nothing points to it.
    pub(crate) async fn move_body(
        &self,
        stored: &[u8],
        lifetime: Lifetime,
    ) -> Result<(StoredBody, Option<String>), StoreError> {
        let unmoved = StoredBody(stored.to_vec());
        let Some(key) = object_of(stored) else { return Ok((unmoved, None)) };
        let (_, name) = key.split_once('/').ok_or_else(|| StoreError::corrupt("body"))?;
        let target = object_key(lifetime, name);
        if target == key {
            let other = StoredBody::objects(stored).into_iter().find(|object| *object != target);
            return Ok((unmoved, other));
        }
        let Some(bytes) = self.get_object(key).await? else { return Ok((unmoved, None)) };
        self.put_object(&target, bytes).await?;
        Ok((tagged(IN_BUCKET, target.as_bytes()), Some(key.to_owned())))
    }

    /// The bytes of a stored body; `None` if its object is gone from the bucket.
    pub async fn read_body(&self, stored: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        match object_of(stored) {
            Some(key) => match self.get_object(key).await? {
                Some(object) => inflate(&object).map(Some),
                None => Ok(None),
            },
            None => unpack(stored).map(Some),
        }
    }
}
