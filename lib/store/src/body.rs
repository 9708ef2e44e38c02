//! Bodies of any size: compressed into the item, or, past what an item holds, into the bucket.

use std::io::{Read, Write};

use flate2::{Compression, read::DeflateDecoder, write::DeflateEncoder};

use crate::{Store, StoreError};

/// Bytes of a body that an item holds; the rest of its 400 KB are for keys and attributes.
const INLINE_LIMIT: usize = 320 * 1024;
/// Below this many bytes compression gains nothing.
const COMPRESSION_FLOOR: usize = 256;

const RAW: u8 = 0;
const DEFLATED: u8 = 1;
const IN_BUCKET: u8 = 2;

/// How long the object of a spilled body lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifetime {
    /// As long as its operation's input or result: the bucket's lifecycle removes it.
    Temporary,
    /// Until its history item is deleted.
    Durable,
}

impl Lifetime {
    const fn prefix(self) -> &'static str {
        match self {
            Lifetime::Temporary => "temporary",
            Lifetime::Durable => "durable",
        }
    }
}

/// A body in the form in which an item holds it: a tag byte, then the bytes or an object's key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredBody(Vec<u8>);

impl StoredBody {
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.0
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
    // Writing into memory cannot fail; were it to, the raw bytes are as good.
    match encoder.write_all(bytes).and_then(|()| encoder.finish()) {
        Ok(deflated) => deflated,
        Err(_) => bytes.to_vec(),
    }
}

impl Store {
    /// Makes `bytes` ready for an item. A body too large for one is first written to the bucket
    /// under `name`, so that the item never points at nothing.
    pub async fn keep_body(
        &self,
        bytes: Vec<u8>,
        lifetime: Lifetime,
        name: &str,
    ) -> Result<StoredBody, StoreError> {
        if bytes.len() < COMPRESSION_FLOOR {
            return Ok(tagged(RAW, &bytes));
        }
        let deflated = deflate(&bytes);
        if deflated.len() <= INLINE_LIMIT {
            return Ok(tagged(DEFLATED, &deflated));
        }
        let key = format!("{}/{name}", lifetime.prefix());
        self.put_object(&key, deflated).await?;
        Ok(tagged(IN_BUCKET, key.as_bytes()))
    }

    /// The bytes of a body that an item holds; `None` if its object is gone from the bucket.
    pub async fn read_body(&self, stored: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        let corrupt = || StoreError::corrupt("body");
        let (tag, rest) = stored.split_first().ok_or_else(corrupt)?;
        let inflate = |deflated: &[u8]| {
            let mut bytes = Vec::new();
            DeflateDecoder::new(deflated).read_to_end(&mut bytes).map_err(|_| corrupt())?;
            Ok(bytes)
        };
        match *tag {
            RAW => Ok(Some(rest.to_vec())),
            DEFLATED => inflate(rest).map(Some),
            IN_BUCKET => {
                let key = std::str::from_utf8(rest).map_err(|_| corrupt())?;
                self.get_object(key).await?.map(|object| inflate(&object)).transpose()
            }
            _ => Err(corrupt()),
        }
    }
}
