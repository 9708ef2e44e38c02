//! `GET /uploads/{id}`

use axum::extract::State;
use domain::UploadId;
use edge::{
    Call, Data, Failure,
    input::PathId,
    openapi::{Absent, Refused},
    permission::UploadsWrite,
    reply::Envelope,
};

use crate::{
    Uploads,
    upload::{Upload, not_found},
};

/// Read an upload.
#[utoipa::path(
    get,
    path = "/uploads/{id}",
    operation_id = "getUpload",
    tag = "Uploads",
    security(("bearer" = ["uploads:write"])),
    params(PathId<UploadId>),
    responses(
        (status = 200, description = "The upload.", body = Envelope<Upload>),
        Refused, Absent,
    ),
)]
pub async fn get_upload(
    State(Uploads { assets, .. }): State<Uploads>,
    call: Call<UploadsWrite, PathId<UploadId>>,
) -> Result<Data<Upload>, Failure> {
    let find = |account, PathId(id)| async move { Ok(assets.read(account, id).await?) };
    let (_, found) = call.admit_with(find).await?;
    found.as_ref().map(|upload| Data::new(upload.into())).ok_or_else(not_found)
}
