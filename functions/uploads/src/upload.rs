//! An upload as the API shows it.

use domain::{Timestamp, UploadId, UploadScope, UploadStatus};
use edge::{ApiError, Code};
use serde::Serialize;
use store::StoreError;
use utoipa::ToSchema;

/// An upload.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Upload {
    /// Its identifier: what `attachmentIds` and `uploadId` name.
    pub id: UploadId,
    /// What it is for.
    pub scope: UploadScope,
    /// What its owner calls it.
    pub filename: String,
    /// Its content type.
    pub content_type: String,
    /// Its size in bytes.
    pub size: u64,
    /// Where it stands.
    pub status: UploadStatus,
    /// When it was created.
    pub created_at: Timestamp,
    /// When its file goes, unless a workflow has taken it.
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

/// There is no such upload, or it is another account's.
pub fn not_found() -> ApiError {
    ApiError::new(Code::NotFound)
}

/// Storage cannot be reached, for an operation that declares 503.
pub fn storage_unavailable(error: StoreError) -> ApiError {
    match error {
        StoreError::Unavailable { .. } | StoreError::Refused { .. } => {
            ApiError::new(Code::StorageUnavailable).caused_by(error)
        }
        StoreError::Corrupt { .. } => error.into(),
    }
}
