//! Where a file is read from, in pieces and within limits.

use crate::MediaError;
use bytes::Bytes;
use std::convert::Infallible;
use std::future::{Future, ready};

/// Something that can be read in pieces: an object in a bucket, bytes in memory.
pub trait Source {
    /// What can go wrong in reading.
    type Error;

    /// How many bytes there are.
    fn size(&self) -> u64;

    /// The `length` bytes from `start`. The range is never empty and lies within [`Source::size`]; an answer of
    /// fewer bytes is taken as a file that is cut off.
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

/// What one read asks for at least, so that neighbouring headers cost one request.
pub(crate) const BLOCK: u64 = 32 * 1024;
/// All requests of one verification of a video, and all bytes of them.
const READS: u32 = 200;
const BYTES: u64 = 8 * 1024 * 1024;
/// The part of both that walking leaves for looking at the end of the file.
const RESERVED_READS: u32 = 10;
const RESERVED_BYTES: u64 = 1536 * 1024;
/// How many parts are looked at. Bounds the work on a file of nothing but tiny ones.
const PARTS: u32 = 200_000;

/// Reads a source through one block that is kept, and counts what it costs.
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

    /// Counts one part, and says whether there is room to look at it and then still at the end of the file.
    pub(crate) fn room(&mut self) -> bool {
        self.parts = self.parts.saturating_sub(1);
        self.parts > 0 && self.reads > RESERVED_READS && self.bytes > RESERVED_BYTES + BLOCK
    }

    /// The `length` bytes from `start`; it is a truncated file if there are fewer.
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

    /// The bytes from `start`, at most `length`, fewer only at the end of the file.
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
