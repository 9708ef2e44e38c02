//! Metadata of objects.

use std::{
    collections::HashMap,
    time::{Duration, UNIX_EPOCH},
};

use domain::Timestamp;
use s3s::dto;
use serde::{Deserialize, Serialize};

/// One object.
#[derive(Clone, Debug)]
pub(super) struct Object {
    /// Name of its content file.
    pub(super) blob: String,
    pub(super) modified_at: Timestamp,
    pub(super) properties: Properties,
}

/// Properties that a copy keeps, unless the request replaces them.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct Properties {
    /// In bytes.
    pub(super) size: u64,
    /// The MD5 of the content in hex, without quotes.
    pub(super) etag: String,
    pub(super) checksums: Checksums,
    pub(super) description: Description,
}

/// Digests of the whole content in base64, those that the uploader requested.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub(super) struct Checksums {
    pub(super) crc32: Option<String>,
    pub(super) crc32c: Option<String>,
    pub(super) crc64nvme: Option<String>,
    pub(super) sha1: Option<String>,
    pub(super) sha256: Option<String>,
}

impl Checksums {
    /// The `x-amz-checksum-type` of all objects here.
    pub(super) fn kind() -> dto::ChecksumType {
        dto::ChecksumType::from_static(dto::ChecksumType::FULL_OBJECT)
    }
}

/// Headers and metadata from the uploader.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(super) struct Description {
    pub(super) content_type: Option<String>,
    pub(super) cache_control: Option<String>,
    pub(super) content_disposition: Option<String>,
    pub(super) content_encoding: Option<String>,
    pub(super) content_language: Option<String>,
    pub(super) metadata: HashMap<String, String>,
}

impl Object {
    pub(super) fn etag(&self) -> dto::ETag {
        dto::ETag::Strong(self.properties.etag.clone())
    }

    pub(super) fn last_modified(&self) -> dto::Timestamp {
        let millis = u64::try_from(self.modified_at.millis()).unwrap_or(0);
        (UNIX_EPOCH + Duration::from_millis(millis)).into()
    }

    /// The size as the protocol's type.
    pub(super) fn length(&self) -> i64 {
        i64::try_from(self.properties.size).unwrap_or(i64::MAX)
    }

    /// The content type, or S3's default.
    pub(super) fn content_type(&self) -> String {
        let given = self.properties.description.content_type.clone();
        given.unwrap_or_else(|| "binary/octet-stream".into())
    }
}
