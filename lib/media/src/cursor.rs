//! Reading forward through bytes in memory.

use crate::MediaError;

/// A position in bytes; reading past the end means that the file is truncated.
#[derive(Clone)]
pub(crate) struct Cursor<'a> {
    data: &'a [u8],
    pub(crate) at: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(data: &'a [u8]) -> Self {
        Self { data, at: 0 }
    }

    pub(crate) fn rest(&self) -> &'a [u8] {
        self.data.get(self.at..).unwrap_or_default()
    }

    pub(crate) fn is_done(&self) -> bool {
        self.at >= self.data.len()
    }

    pub(crate) fn take(&mut self, length: usize) -> Result<&'a [u8], MediaError> {
        let end = self.at.checked_add(length).ok_or(MediaError::Truncated)?;
        let taken = self.data.get(self.at..end).ok_or(MediaError::Truncated)?;
        self.at = end;
        Ok(taken)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], MediaError> {
        self.take(N)?.try_into().map_err(|_| MediaError::Truncated)
    }

    pub(crate) fn u8(&mut self) -> Result<u8, MediaError> {
        self.array().map(|[byte]| byte)
    }

    pub(crate) fn be16(&mut self) -> Result<u16, MediaError> {
        self.array().map(u16::from_be_bytes)
    }

    pub(crate) fn be32(&mut self) -> Result<u32, MediaError> {
        self.array().map(u32::from_be_bytes)
    }

    pub(crate) fn be64(&mut self) -> Result<u64, MediaError> {
        self.array().map(u64::from_be_bytes)
    }

    pub(crate) fn le16(&mut self) -> Result<u16, MediaError> {
        self.array().map(u16::from_le_bytes)
    }

    pub(crate) fn le24(&mut self) -> Result<u32, MediaError> {
        self.array().map(|[a, b, c]| u32::from_le_bytes([a, b, c, 0]))
    }

    pub(crate) fn le32(&mut self) -> Result<u32, MediaError> {
        self.array().map(u32::from_le_bytes)
    }
}
