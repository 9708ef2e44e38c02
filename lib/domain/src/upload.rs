//! Uploads: temporary files on their way to a workflow.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{AccountId, OperationId, Timestamp, UploadId};

/// How long the presigned target of an upload takes a file.
pub const URL_LIFETIME: Duration = Duration::from_secs(15 * 60);
/// How long a file that no workflow has consumed is kept.
pub const RETENTION: Duration = Duration::from_secs(24 * 3_600);
/// How long the record of an upload is kept.
pub const RECORD_RETENTION: Duration = Duration::from_secs(90 * 86_400);
/// Bytes of an image at most.
pub const IMAGE_MAX: u64 = 5 * 1024 * 1024;
/// Bytes of a video at most.
pub const VIDEO_MAX: u64 = 100 * 1024 * 1024;
/// Attachments that one request may name.
pub const ATTACHMENTS_MAX: usize = 5;

/// Content types of images.
pub const IMAGE_TYPES: [&str; 4] = ["image/jpeg", "image/png", "image/webp", "image/gif"];
/// Content types of videos.
pub const VIDEO_TYPES: [&str; 3] = ["video/mp4", "video/quicktime", "video/webm"];

/// What an upload is for: it decides on type, size and the workflows that take it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum UploadScope {
    /// An image that goes with a prompt to analyze or optimize.
    Analysis,
    /// An image that goes with a prompt to refine.
    Refinement,
    /// An image that goes with feedback.
    Feedback,
    /// An image that goes with a goal.
    Generation,
    /// An image to find a prompt for.
    ReverseImage,
    /// A video; no workflow takes one as a whole.
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

/// Where an upload stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum UploadStatus {
    /// Waits for its file.
    Pending,
    /// The file has arrived.
    Uploaded,
    /// The file is being verified.
    Processing,
    /// Verified: workflows may take it.
    Ready,
    /// A workflow has taken it.
    Consumed,
    /// The file is not what it was declared to be.
    Rejected,
    /// No file came in time, or nobody took it in time.
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

/// What was found out about a file, bound to the bytes that it was found in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Verdict {
    /// Entity tag of the file's bytes.
    pub etag: String,
    /// Why it is refused; `None` if it is what it was declared to be.
    pub refusal: Option<String>,
}

/// The record of an upload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Upload {
    /// Its identifier, which also says when it was created.
    pub id: UploadId,
    /// Whose it is.
    pub account: AccountId,
    /// What it is for.
    pub scope: UploadScope,
    /// What its owner calls it.
    pub filename: String,
    /// Declared content type.
    pub content_type: String,
    /// Declared size in bytes.
    pub size: u64,
    /// Where it stood at its last change; see [`Upload::status_at`].
    pub status: UploadStatus,
    /// Until when the present verification may work undisturbed.
    pub lease_until: Option<Timestamp>,
    /// What a verification found.
    pub verdict: Option<Verdict>,
    /// When it became ready.
    pub completed_at: Option<Timestamp>,
    /// The operation that has taken it.
    pub consumed_by: Option<OperationId>,
}

impl Upload {
    /// When it was created.
    pub fn created_at(&self) -> Timestamp {
        self.id.created_at()
    }

    /// When its target stops taking a file.
    pub fn url_expires_at(&self) -> Timestamp {
        self.created_at() + URL_LIFETIME
    }

    /// When its file goes unless a workflow has taken it.
    pub fn expires_at(&self) -> Timestamp {
        self.created_at() + RETENTION
    }

    /// Where it stands at `now`: time passes without anybody writing it down.
    pub fn status_at(&self, now: Timestamp) -> UploadStatus {
        match self.status {
            UploadStatus::Pending if now >= self.url_expires_at() => UploadStatus::Expired,
            UploadStatus::Uploaded | UploadStatus::Processing | UploadStatus::Ready
                if now >= self.expires_at() =>
            {
                UploadStatus::Expired
            }
            // Whoever verified it has died.
            UploadStatus::Processing if self.lease_until.is_none_or(|until| until <= now) => {
                UploadStatus::Uploaded
            }
            status => status,
        }
    }
}
