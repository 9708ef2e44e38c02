//! Reads a file in pieces and within limits.

use crate::MediaError;
use bytes::Bytes;
use std::convert::Infallible;
use std::future::{Future, ready};

/// A file that can be read in pieces: an object in a bucket, or bytes in memory.
pub trait Source {
    /// Why reading failed.
    type Error;

    /// Size in bytes.
    fn size(&self) -> u64;

    /// Reads `length` bytes from `start`. The range is never empty and lies within
    /// [`Source::size`]; if fewer bytes are returned, the file counts as truncated.
    fn read(
        &self,
        start: u64,
        length: u64,
    ) -> impl Future<Output = Result<Bytes, Self::Error>> + Send;
}

impl Source for Bytes {
    type Error = Infallible;

    fn size(&self) -> u64 {
        self.len() as u64
    }

    fn read(
        &self,
        start: u64,
        length: u64,
    ) -> impl Future<Output = Result<Bytes, Infallible>> + Send {
        let start = (start as usize).min(self.len());
        let end = start.saturating_add(length as usize).min(self.len());
        ready(Ok(self.slice(start..end)))
    }
}

/// Why reading stops early.
pub(crate) enum Stop<E> {
    Source(E),
    Refused(MediaError),
}

impl<E> From<MediaError> for Stop<E> {
    fn from(refusal: MediaError) -> Self {
        Self::Refused(refusal)
    }
}

/// Least bytes of one read, so that neighbouring headers cost one request.
pub(crate) const BLOCK: u64 = 32 * 1024;
/// Most requests, and most bytes, to verify one video.
const READS: u32 = 200;
const BYTES: u64 = 8 * 1024 * 1024;
/// The part of both that the walk leaves for the end of the file.
const RESERVED_READS: u32 = 10;
const RESERVED_BYTES: u64 = 1536 * 1024;
/// Most parts that are walked. Bounds the work on a file of tiny parts.
const PARTS: u32 = 200_000;

/// Reads a source through one cached block, and counts requests and bytes.
pub(crate) struct Reader<'a, S> {
    source: &'a S,
    pub(crate) size: u64,
    block_start: u64,
    block: Bytes,
    reads: u32,
    bytes: u64,
    parts: u32,
}

impl<'a, S: Source> Reader<'a, S> {
    pub(crate) fn new(source: &'a S) -> Self {
        let size = source.size();
        Self {
            source,
            size,
            block_start: 0,
            block: Bytes::new(),
            reads: READS,
            bytes: BYTES,
            parts: PARTS,
        }
    }

    /// Counts one part; `false` if the limits do not allow reading it and then the end of the file.
    pub(crate) fn room(&mut self) -> bool {
        self.parts = self.parts.saturating_sub(1);
        self.parts > 0 && self.reads > RESERVED_READS && self.bytes > RESERVED_BYTES + BLOCK
    }

    /// The `length` bytes from `start`; the file is truncated if there are fewer.
    pub(crate) async fn bytes(&mut self, start: u64, length: u64) -> Result<Bytes, Stop<S::Error>> {
        let end = start
            .checked_add(length)
            .filter(|end| *end <= self.size)
            .ok_or(MediaError::Truncated)?;
        let block_end = self.block_start + self.block.len() as u64;
        if start < self.block_start || end > block_end {
            let asked = length.max(BLOCK).min(self.size - start);
            if self.reads == 0 || asked > self.bytes {
                return Err(MediaError::TooComplex.into());
            }
            self.reads -= 1;
            self.bytes -= asked;
            let mut block = self.source.read(start, asked).await.map_err(Stop::Source)?;
            block.truncate(asked as usize);
            if (block.len() as u64) < asked {
                return Err(MediaError::Truncated.into());
            }
            self.block_start = start;
            self.block = block;
        }
        let from = (start - self.block_start) as usize;
        Ok(self.block.slice(from..from + length as usize))
    }

    /// At most `length` bytes from `start`; fewer only at the end of the file.
    pub(crate) async fn some(&mut self, start: u64, length: u64) -> Result<Bytes, Stop<S::Error>> {
        let length = length.min(self.size.saturating_sub(start));
        if length == 0 { Ok(Bytes::new()) } else { self.bytes(start, length).await }
    }

    /// The last bytes of the file, at most `length`.
    pub(crate) async fn tail(&mut self, length: u64) -> Result<Bytes, Stop<S::Error>> {
        let length = length.min(self.size);
        self.some(self.size - length, length).await
    }
}
