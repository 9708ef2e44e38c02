//! Files of uploads in the bucket: presigned requests, verified reads, and attachments.

use std::{
    collections::BTreeMap,
    time::{Duration, UNIX_EPOCH},
};

use aws_sdk_s3::{
    error::SdkError,
    presigning::{PresignedRequest, PresigningConfig},
};
use aws_smithy_runtime_api::http::Response;
use bytes::Bytes;
use domain::{AccountId, OperationId, Timestamp, Upload, UploadId, upload::URL_LIFETIME};

use crate::{Store, StoreError};

/// Prefix of the keys of uploaded files. The bucket's lifecycle rule removes them.
pub const UPLOADS_PREFIX: &str = "uploads/";

/// Lifetime of the read URL of an attachment.
pub const READ_LIFETIME: Duration = Duration::from_secs(15 * 60);

/// The bucket's metadata of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Its entity tag.
    pub etag: String,
    /// Its size in bytes.
    pub size: u64,
    /// Its content type.
    pub content_type: String,
}

/// A presigned request; any bearer may send it to the bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Presigned {
    /// Its URL.
    pub url: String,
    /// The headers that it must have, exactly.
    pub headers: BTreeMap<String, String>,
}

/// A file that history keeps as an attachment of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttachmentKey {
    /// Its account.
    pub account: AccountId,
    /// The operation that consumed the upload.
    pub operation: OperationId,
    /// The upload.
    pub upload: UploadId,
}

impl AttachmentKey {
    pub(crate) fn object(self) -> String {
        let Self { account, operation, upload } = self;
        format!("durable/{account}/{operation}/attachments/{}", upload.unique())
    }
}

/// Key of an upload's file.
fn object(account: AccountId, id: UploadId) -> String {
    format!("{UPLOADS_PREFIX}{}/{}", account.unique(), id.unique())
}

/// The upload whose file has this key; `None` for any other key.
pub fn upload_of(key: &str) -> Option<(AccountId, UploadId)> {
    let (account, id) = key.strip_prefix(UPLOADS_PREFIX)?.split_once('/')?;
    Some((AccountId::from_unique(account).ok()?, UploadId::from_unique(id).ok()?))
}

impl Store {
    /// A presigned request that uploads the file, exactly as declared and only once. It is signed
    /// locally, without a call.
    pub async fn presign_upload(&self, upload: &Upload) -> Result<Presigned, StoreError> {
        let put = self
            .clients
            .s3
            .put_object()
            .bucket(&self.names.bucket)
            .key(object(upload.account, upload.id))
            .content_type(&upload.content_type)
            .content_length(i64::try_from(upload.size).unwrap_or(i64::MAX))
            .if_none_match("*");
        put.presigned(self.lasting(URL_LIFETIME)?)
            .await
            .map(|request| self.presigned(request))
            .map_err(|error| StoreError::unavailable("bucket", error))
    }

    /// A presigned request that reads an attachment under the filename that its owner gave it.
    pub async fn presign_attachment(
        &self,
        key: AttachmentKey,
        filename: &str,
        content_type: &str,
    ) -> Result<Presigned, StoreError> {
        let get = self
            .clients
            .s3
            .get_object()
            .bucket(&self.names.bucket)
            .key(key.object())
            .response_content_type(content_type)
            .response_content_disposition(disposition(filename));
        get.presigned(self.lasting(READ_LIFETIME)?)
            .await
            .map(|request| self.presigned(request))
            .map_err(|error| StoreError::unavailable("bucket", error))
    }

    /// The metadata of an upload's file; `None` if there is none.
    pub async fn upload_head(
        &self,
        account: AccountId,
        id: UploadId,
    ) -> Result<Option<Head>, StoreError> {
        let key = object(account, id);
        let request = self.clients.s3.head_object().bucket(&self.names.bucket).key(key);
        match request.send().await {
            Ok(head) => Ok(Some(Head {
                etag: head.e_tag().unwrap_or_default().to_owned(),
                size: head.content_length().unwrap_or_default().unsigned_abs(),
                content_type: head.content_type().unwrap_or_default().to_owned(),
            })),
            Err(error) if status_of(&error) == Some(404) => Ok(None),
            Err(error) => Err(StoreError::unavailable("bucket", error)),
        }
    }

    /// Bytes `from..to` of an upload's file; `None` if its entity tag no longer is `etag`.
    pub async fn upload_range(
        &self,
        account: AccountId,
        id: UploadId,
        etag: &str,
        from: u64,
        to: u64,
    ) -> Result<Option<Bytes>, StoreError> {
        if from >= to {
            return Ok(Some(Bytes::new()));
        }
        let request = self
            .clients
            .s3
            .get_object()
            .bucket(&self.names.bucket)
            .key(object(account, id))
            .if_match(etag)
            .range(format!("bytes={from}-{}", to - 1));
        let found = match request.send().await {
            Ok(found) => found,
            Err(error) if matches!(status_of(&error), Some(404 | 412)) => return Ok(None),
            Err(error) => return Err(StoreError::unavailable("bucket", error)),
        };
        let collected = found.body.collect().await;
        let bytes = collected.map_err(|error| StoreError::unavailable("bucket", error))?;
        Ok(Some(bytes.into_bytes()))
    }

    /// Copies an upload's file to an attachment of an operation. `false` if the file is gone or its
    /// entity tag no longer is `etag`. May be repeated.
    pub async fn keep_attachment(
        &self,
        key: AttachmentKey,
        etag: &str,
    ) -> Result<bool, StoreError> {
        let source = format!("{}/{}", self.names.bucket, object(key.account, key.upload));
        let request = self
            .clients
            .s3
            .copy_object()
            .bucket(&self.names.bucket)
            .key(key.object())
            .copy_source(source)
            .copy_source_if_match(etag);
        match request.send().await {
            Ok(_) => Ok(true),
            Err(error) if matches!(status_of(&error), Some(404 | 412)) => Ok(false),
            Err(error) => Err(StoreError::unavailable("bucket", error)),
        }
    }

    /// Removes an attachment. A missing one is no error.
    pub async fn remove_attachment(&self, key: AttachmentKey) -> Result<(), StoreError> {
        self.delete_object(&key.object()).await
    }

    /// Removes an upload's file. A missing one is no error.
    pub async fn remove_upload(&self, account: AccountId, id: UploadId) -> Result<(), StoreError> {
        self.delete_object(&object(account, id)).await
    }

    /// A lifetime from now on.
    fn lasting(&self, lifetime: Duration) -> Result<PresigningConfig, StoreError> {
        let since_epoch = self.clock.now().since(Timestamp::from_millis(0));
        let lasting = PresigningConfig::builder().start_time(UNIX_EPOCH + since_epoch);
        let lasting = lasting.expires_in(lifetime).build();
        lasting.map_err(|error| StoreError::unavailable("bucket", error))
    }

    fn presigned(&self, request: PresignedRequest) -> Presigned {
        let headers = request.headers().map(|(name, value)| (name.to_owned(), value.to_owned()));
        let url = match &self.reach {
            Some(reach) => reach.address(request.uri()),
            None => request.uri().to_owned(),
        };
        Presigned { url, headers: headers.collect() }
    }
}

fn status_of<E>(error: &SdkError<E, Response>) -> Option<u16> {
    error.raw_response().map(|response| response.status().as_u16())
}

/// `Content-Disposition` of a download (RFC 6266, with the encoding of RFC 8187).
fn disposition(filename: &str) -> String {
    let mut encoded = String::new();
    for byte in filename.bytes() {
        match byte {
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'-' | b'.' | b'_' | b'~' => {
                encoded.push(char::from(byte));
            }
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    format!("inline; filename*=UTF-8''{encoded}")
}
