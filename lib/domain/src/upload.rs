//! Uploads: temporary files for workflows.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{AccountId, OperationId, Timestamp, UploadId};

/// How long the presigned URL of an upload accepts a file.
pub const URL_LIFETIME: Duration = Duration::from_secs(15 * 60);
/// How long a file that no workflow has consumed is kept.
pub const RETENTION: Duration = Duration::from_secs(24 * 3_600);
/// How long the record of an upload is kept.
pub const RECORD_RETENTION: Duration = Duration::from_secs(90 * 86_400);
/// Bytes of an image at most.
pub const IMAGE_MAX: u64 = 5 * 1024 * 1024;
/// Bytes of a video at most.
pub const VIDEO_MAX: u64 = 100 * 1024 * 1024;
/// Attachments that one request may have.
pub const ATTACHMENTS_MAX: usize = 5;

/// Content types of images.
pub const IMAGE_TYPES: [&str; 4] = ["image/jpeg", "image/png", "image/webp", "image/gif"];
/// Content types of videos.
pub const VIDEO_TYPES: [&str; 3] = ["video/mp4", "video/quicktime", "video/webm"];

/// What an upload is for: decides its content types, its maximum size and the operations that
/// accept it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum UploadScope {
    /// An image for a prompt to analyze or optimize.
    Analysis,
    /// An image for a prompt to refine.
    Refinement,
    /// An image for feedback.
    Feedback,
    /// An image for a goal.
    Generation,
    /// An image to find a prompt for.
    ReverseImage,
    /// A video; no operation accepts one yet.
    ReverseVideo,
}

impl UploadScope {
    /// Every scope.
    pub const ALL: [UploadScope; 6] = [
        UploadScope::Analysis,
        UploadScope::Refinement,
        UploadScope::Feedback,
        UploadScope::Generation,
        UploadScope::ReverseImage,
        UploadScope::ReverseVideo,
    ];

    /// The scope's name in the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            UploadScope::Analysis => "analysis",
            UploadScope::Refinement => "refinement",
            UploadScope::Feedback => "feedback",
            UploadScope::Generation => "generation",
            UploadScope::ReverseImage => "reverse_image",
            UploadScope::ReverseVideo => "reverse_video",
        }
    }

    /// Bytes that a file may have.
    pub const fn max_bytes(self) -> u64 {
        match self {
            UploadScope::ReverseVideo => VIDEO_MAX,
            _ => IMAGE_MAX,
        }
    }

    /// Content types that a file may have.
    pub const fn content_types(self) -> &'static [&'static str] {
        match self {
            UploadScope::ReverseVideo => &VIDEO_TYPES,
            _ => &IMAGE_TYPES,
        }
    }
}

/// The status of an upload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum UploadStatus {
    /// Waiting for its file.
    Pending,
    /// The file has arrived.
    Uploaded,
    /// The file is being verified.
    Processing,
    /// Verified: operations can use it.
    Ready,
    /// Used by an operation.
    Consumed,
    /// The file is not what was declared.
    Rejected,
    /// The file did not arrive in time, or was not used in time.
    Expired,
    /// Its owner deleted it.
    Deleted,
}

impl UploadStatus {
    /// Every status.
    pub const ALL: [UploadStatus; 8] = [
        UploadStatus::Pending,
        UploadStatus::Uploaded,
        UploadStatus::Processing,
        UploadStatus::Ready,
        UploadStatus::Consumed,
        UploadStatus::Rejected,
        UploadStatus::Expired,
        UploadStatus::Deleted,
    ];
}

/// The result of a verification, bound to the bytes that it read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Verdict {
    /// Entity tag of the verified bytes.
    pub etag: String,
    /// Why the file is rejected; `None` if it is what was declared.
    pub refusal: Option<String>,
}

/// The record of an upload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Upload {
    /// Its identifier, which includes when it was created.
    pub id: UploadId,
    /// The account that it belongs to.
    pub account: AccountId,
    /// What it is for.
    pub scope: UploadScope,
    /// The filename that its owner gave it.
    pub filename: String,
    /// Declared content type.
    pub content_type: String,
    /// Declared size in bytes.
    pub size: u64,
    /// The status at its last change; see [`Upload::status_at`].
    pub status: UploadStatus,
    /// The end of the present verification's lease.
    pub lease_until: Option<Timestamp>,
    /// The result of the verification.
    pub verdict: Option<Verdict>,
    /// When it became ready.
    pub completed_at: Option<Timestamp>,
    /// The operation that consumed it.
    pub consumed_by: Option<OperationId>,
}

impl Upload {
    /// When it was created.
    pub fn created_at(&self) -> Timestamp {
        self.id.created_at()
    }

    /// When its URL stops accepting a file.
    pub fn url_expires_at(&self) -> Timestamp {
        self.created_at() + URL_LIFETIME
    }

    /// When its file expires unless an operation has consumed it.
    pub fn expires_at(&self) -> Timestamp {
        self.created_at() + RETENTION
    }

    /// The status at `now`: expiry is not written to the record.
    pub fn status_at(&self, now: Timestamp) -> UploadStatus {
        match self.status {
            UploadStatus::Pending if now >= self.url_expires_at() => UploadStatus::Expired,
            UploadStatus::Uploaded | UploadStatus::Processing | UploadStatus::Ready
                if now >= self.expires_at() =>
            {
                UploadStatus::Expired
            }
            // The verification crashed.
            UploadStatus::Processing if self.lease_until.is_none_or(|until| until <= now) => {
                UploadStatus::Uploaded
            }
            status => status,
        }
    }
}
