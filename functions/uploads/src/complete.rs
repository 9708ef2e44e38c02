//! `POST /uploads/{id}/complete`

use axum::extract::State;
use domain::UploadId;
use edge::{
    ApiError, Call, Code, Data,
    input::PathId,
    openapi::{Errors, code},
    permission::UploadsWrite,
    response::Envelope,
};
use upload_lifecycle::Completion;

use crate::{
    Uploads,
    upload::{Upload, not_found},
};

/// Complete an upload.
///
/// Verifies the file and makes it ready for AI operations. Completing a ready upload changes
/// nothing.
#[utoipa::path(
    post, path = "/uploads/{id}/complete",
    security(("bearer" = ["uploads:write"])),
    params(PathId<UploadId>),
    responses(
        (status = 200, description = "The ready upload.", body = Envelope<Upload>),
        Errors<(
            (code::MediaMismatch, code::NotFound),
            (code::UploadConsumed, code::UploadProcessing, code::UploadNotReceived, code::UploadRejected),
            (code::UploadExpired, code::StorageUnavailable),
        )>,
    ),
)]
pub async fn complete_upload(
    State(Uploads { edge, upload_lifecycle }): State<Uploads>,
    call: Call<UploadsWrite, PathId<UploadId>>,
) -> Result<Data<Upload>, ApiError> {
    let (caller, PathId(id)) = call.admit().await?;
    match upload_lifecycle.complete(caller.account(), id).await? {
        Completion::Ready(upload) => Ok(Data::new((&upload).into())),
        Completion::Unknown => Err(not_found()),
        Completion::Expired => Err(ApiError::new(Code::UploadExpired)),
        Completion::NotReceived => Err(ApiError::new(Code::UploadNotReceived)),
        Completion::Processing(until) => {
            let wait = until.since(edge.clock().now()).as_secs() + 1;
            Err(ApiError::new(Code::UploadProcessing).with_retry_after(wait))
        }
        Completion::Refused(reason) => Err(ApiError::new(Code::MediaMismatch).with_message(reason)),
        Completion::Rejected(reason) => {
            Err(ApiError::new(Code::UploadRejected).with_message(reason))
        }
        Completion::Consumed => Err(ApiError::new(Code::UploadConsumed)),
    }
}
