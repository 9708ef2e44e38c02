//! `DELETE /uploads/{id}`

use axum::extract::State;
use domain::UploadId;
use edge::{
    ApiError, Call, Code, Data,
    input::PathId,
    openapi::{Errors, code},
    permission::UploadsWrite,
    response::{Deleted, Envelope},
};
use upload_lifecycle::Deletion;

use crate::{Uploads, upload::not_found};

/// Delete an upload and its file.
///
/// An upload that an operation has used cannot be deleted.
#[utoipa::path(
    delete, path = "/uploads/{id}",
    security(("bearer" = ["uploads:write"])),
    params(PathId<UploadId>),
    responses(
        (status = 200, description = "The upload is deleted.", body = Envelope<Deleted>),
        Errors<(code::NotFound, code::UploadConsumed, code::UploadProcessing, code::StorageUnavailable)>,
    ),
)]
pub async fn delete_upload(
    State(Uploads { edge, upload_lifecycle }): State<Uploads>,
    call: Call<UploadsWrite, PathId<UploadId>>,
) -> Result<Data<Deleted>, ApiError> {
    let (caller, PathId(id)) = call.admit().await?;
    match upload_lifecycle.delete(caller.account(), id).await? {
        Deletion::Done => Ok(Data::new(Deleted::of(id))),
        Deletion::Unknown => Err(not_found()),
        Deletion::Consumed => Err(ApiError::new(Code::UploadConsumed)),
        Deletion::Processing(until) => {
            let wait = until.since(edge.clock().now()).as_secs() + 1;
            Err(ApiError::new(Code::UploadProcessing).with_retry_after(wait))
        }
    }
}
