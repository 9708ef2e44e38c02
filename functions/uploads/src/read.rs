//! `GET /uploads/{id}`

use axum::extract::State;
use domain::UploadId;
use edge::{
    ApiError, Call, Data,
    input::PathId,
    openapi::{Errors, code},
    permission::UploadsWrite,
    response::Envelope,
};

use crate::{
    Uploads,
    upload::{Upload, not_found},
};

/// Read an upload.
#[utoipa::path(
    get, path = "/uploads/{id}",
    security(("bearer" = ["uploads:write"])),
    params(PathId<UploadId>),
    responses((status = 200, description = "The upload.", body = Envelope<Upload>), Errors<code::NotFound>),
)]
pub async fn get_upload(
    State(Uploads { upload_lifecycle, .. }): State<Uploads>,
    call: Call<UploadsWrite, PathId<UploadId>>,
) -> Result<Data<Upload>, ApiError> {
    let find = |account, PathId(id)| async move { Ok(upload_lifecycle.read(account, id).await?) };
    let (_, found) = call.admit_with(find).await?;
    found.as_ref().map(|upload| Data::new(upload.into())).ok_or_else(not_found)
}
