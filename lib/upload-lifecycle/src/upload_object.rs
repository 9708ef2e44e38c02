//! An upload's file as a source to verify.

use bytes::Bytes;
use domain::{AccountId, Upload, UploadId};
use media::Source;
use store::{Store, StoreError, uploads::files::Head};

/// Why reading a file failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReadError {
    /// It is gone, or was replaced.
    #[error("the file is gone")]
    Gone,
    /// Storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The file of an upload with one entity tag: all reads return the same bytes.
pub(crate) struct UploadObject<'a> {
    store: &'a Store,
    account: AccountId,
    id: UploadId,
    etag: &'a str,
    size: u64,
}

impl<'a> UploadObject<'a> {
    pub(crate) fn new(store: &'a Store, upload: &Upload, head: &'a Head) -> Self {
        let Upload { account, id, .. } = *upload;
        Self { store, account, id, etag: &head.etag, size: head.size }
    }
}

impl Source for UploadObject<'_> {
    type Error = ReadError;

    fn size(&self) -> u64 {
        self.size
    }

    async fn read(&self, start: u64, length: u64) -> Result<Bytes, ReadError> {
        let end = start.saturating_add(length).min(self.size);
        let read = self.store.upload_range(self.account, self.id, self.etag, start, end).await?;
        read.ok_or(ReadError::Gone)
    }
}
