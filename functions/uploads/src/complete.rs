//! `POST /uploads/{id}/complete`

use assets::Completion;
use axum::extract::State;
use domain::UploadId;
use edge::{
    Call, Code, Data, Failure,
    input::PathId,
    openapi::{Absent, Conflicting, Dependent, Lapsed, Refused},
    permission::UploadsWrite,
    reply::Envelope,
};

use crate::{
    Uploads,
    upload::{Upload, away, not_found},
};

/// Complete an upload.
///
/// Verifies the file and makes it ready for workflows. Completing a ready upload changes nothing.
#[utoipa::path(
    post,
    path = "/uploads/{id}/complete",
    operation_id = "completeUpload",
    tag = "Uploads",
    security(("bearer" = ["uploads:write"])),
    params(PathId<UploadId>),
    responses(
        (status = 200, description = "The upload, ready.", body = Envelope<Upload>),
        Refused, Absent, Conflicting, Lapsed, Dependent,
    ),
)]
pub async fn complete_upload(
    State(Uploads { edge, assets }): State<Uploads>,
    call: Call<UploadsWrite, PathId<UploadId>>,
) -> Result<Data<Upload>, Failure> {
    let (caller, PathId(id)) = call.admit().await?;
    match assets.complete(caller.account(), id).await.map_err(away)? {
        Completion::Ready(upload) => Ok(Data::new((&upload).into())),
        Completion::Unknown => Err(not_found()),
        Completion::Expired => Err(Failure::new(Code::UploadExpired)),
        Completion::NotReceived => Err(Failure::new(Code::UploadNotReceived)),
        Completion::Processing(until) => {
            let wait = until.since(edge.clock().now()).as_secs() + 1;
            Err(Failure::new(Code::UploadProcessing).retry_in(wait))
        }
        Completion::Refused(reason) => Err(Failure::new(Code::MediaMismatch).saying(reason)),
        Completion::Rejected(reason) => Err(Failure::new(Code::UploadRejected).saying(reason)),
        Completion::Consumed => Err(Failure::new(Code::UploadConsumed)),
    }
}
