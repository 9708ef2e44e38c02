//! `DELETE /uploads/{id}`

use assets::Deletion;
use axum::extract::State;
use domain::UploadId;
use edge::{
    Call, Code, Data, Failure,
    input::PathId,
    openapi::{Absent, Conflicting, Dependent, Refused},
    permission::UploadsWrite,
    reply::{Deleted, Envelope},
};

use crate::{
    Uploads,
    upload::{away, not_found},
};

/// Delete an upload that no workflow has taken.
///
/// With its file.
#[utoipa::path(
    delete,
    path = "/uploads/{id}",
    operation_id = "deleteUpload",
    tag = "Uploads",
    security(("bearer" = ["uploads:write"])),
    params(PathId<UploadId>),
    responses(
        (status = 200, description = "It is deleted.", body = Envelope<Deleted>),
        Refused, Absent, Conflicting, Dependent,
    ),
)]
pub async fn delete_upload(
    State(Uploads { edge, assets }): State<Uploads>,
    call: Call<UploadsWrite, PathId<UploadId>>,
) -> Result<Data<Deleted>, Failure> {
    let (caller, PathId(id)) = call.admit().await?;
    match assets.delete(caller.account(), id).await.map_err(away)? {
        Deletion::Done => Ok(Data::new(Deleted::of(id))),
        Deletion::Unknown => Err(not_found()),
        Deletion::Consumed => Err(Failure::new(Code::UploadConsumed)),
        Deletion::Processing(until) => {
            let wait = until.since(edge.clock().now()).as_secs() + 1;
            Err(Failure::new(Code::UploadProcessing).retry_in(wait))
        }
    }
}
