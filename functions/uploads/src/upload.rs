//! An upload in the API.

use domain::{Timestamp, UploadId, UploadScope, UploadStatus};
use edge::{ApiError, Code};
use serde::Serialize;
use utoipa::ToSchema;

/// An upload.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Upload {
    /// Its identifier, for `attachmentIds` and `uploadId`.
    pub id: UploadId,
    /// What it is for.
    pub scope: UploadScope,
    /// Its filename.
    pub filename: String,
    /// Its content type.
    pub content_type: String,
    /// Its size in bytes.
    pub size: u64,
    /// Its status.
    pub status: UploadStatus,
    /// When it was created.
    pub created_at: Timestamp,
    /// When its file expires, unless an operation uses it before.
    pub expires_at: Timestamp,
    /// When it became ready.
    #[schema(required = true)]
    pub completed_at: Option<Timestamp>,
}

impl From<&domain::Upload> for Upload {
    fn from(upload: &domain::Upload) -> Self {
        Self {
            id: upload.id,
            scope: upload.scope,
            filename: upload.filename.clone(),
            content_type: upload.content_type.clone(),
            size: upload.size,
            status: upload.status,
            created_at: upload.created_at(),
            expires_at: upload.expires_at(),
            completed_at: upload.completed_at,
        }
    }
}

/// There is no such upload, or it belongs to another account.
pub fn not_found() -> ApiError {
    ApiError::new(Code::NotFound)
}
