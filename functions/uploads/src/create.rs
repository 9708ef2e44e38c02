//! `POST /uploads`

use std::collections::BTreeMap;

use axum::extract::State;
use domain::{AccountId, Timestamp, UploadId, UploadScope, UploadStatus};
use edge::{
    ApiError, Call, Code, Data, Edge, Sent,
    input::Body,
    openapi::{Errors, code},
    permission::UploadsWrite,
    response::Envelope,
};
use serde::{Deserialize, Serialize};
use store::{uploads::Created, uploads::files::Presigned};
use utoipa::ToSchema;

use crate::upload::Upload;

/// A file to be uploaded.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateUpload {
    /// What it is for: decides its content types, its maximum size and the operations that accept
    /// it.
    scope: UploadScope,
    /// Its filename.
    #[schema(min_length = 1, max_length = 255, example = "sketch.png")]
    filename: String,
    /// Its content type: `image/jpeg`, `image/png`, `image/webp` or `image/gif`; for the scope
    /// `reverse_video`, `video/mp4`, `video/quicktime` or `video/webm`.
    #[schema(min_length = 1, max_length = 100, example = "image/png")]
    content_type: String,
    /// Its exact size in bytes: at most 5 MiB; for the scope `reverse_video`, 100 MiB.
    #[schema(minimum = 1, example = 20480)]
    size: u64,
}

/// An upload, and the request that sends its file.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatedUpload {
    /// The upload.
    #[serde(flatten)]
    created: Upload,
    /// The request that sends the file.
    upload: Target,
}

/// The request that sends a file, without the API's credential.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Target {
    /// Its HTTP method.
    #[schema(example = "PUT")]
    method: &'static str,
    /// Its URL.
    url: String,
    /// The headers that it must have, exactly. Its body is the file.
    headers: BTreeMap<String, String>,
    /// When the URL expires.
    expires_at: Timestamp,
}

impl CreateUpload {
    /// Why the scope of the upload does not accept it.
    fn check(sent: &Sent) -> Vec<ApiError> {
        let content = &sent.content;
        let Ok(scope) = UploadScope::deserialize(&content["scope"]) else { return Vec::new() };
        let (types, most, name) = (scope.content_types(), scope.max_bytes(), scope.as_str());
        let content_type = content["contentType"].as_str().filter(|given| !types.contains(given));
        let content_type = content_type.map(|_| {
            let message = format!("must be one of {} for the scope {name}", types.join(", "));
            ApiError::problem(Code::UnsupportedMediaType, "/contentType", message)
        });
        let size = content["size"].as_f64().filter(|size| *size > most as f64).map(|_| {
            let message = format!("must be at most {most} for the scope {name}");
            ApiError::problem(Code::FileTooLarge, "/size", message)
        });
        content_type.into_iter().chain(size).collect()
    }

    fn into_upload(self, account: AccountId, edge: &Edge) -> domain::Upload {
        domain::Upload {
            id: UploadId::new(edge.clock(), &**edge.store().random()),
            account,
            scope: self.scope,
            filename: self.filename,
            content_type: self.content_type,
            size: self.size,
            status: UploadStatus::Pending,
            lease_until: None,
            verdict: None,
            completed_at: None,
            consumed_by: None,
        }
    }
}

/// Create an upload.
///
/// Send the file to the returned URL within 15 minutes, then complete the upload.
#[utoipa::path(
    post, path = "/uploads",
    security(("bearer" = ["uploads:write"])),
    request_body = CreateUpload,
    responses(
        (status = 200, description = "The upload, and the request that sends its file.", body = Envelope<CreatedUpload>),
        Errors<(
            (code::FileTooLarge, code::UnsupportedMediaType),
            (code::PlanRequired, code::UploadAllowanceExceeded, code::StorageUnavailable),
        )>,
    ),
)]
pub async fn create_upload(
    State(edge): State<Edge>,
    call: Call<UploadsWrite, Body<CreateUpload>>,
) -> Result<Data<CreatedUpload>, ApiError> {
    let store = edge.store();
    let prepare = |account, body: Body<CreateUpload>| {
        let upload = body.value.into_upload(account, &edge);
        async move { Ok((upload, store.upload_ledger(account).await?)) }
    };
    let call = call.check(CreateUpload::check);
    let (caller, (upload, ledger)) = call.admit_with(prepare).await?;
    let allowance = caller.admission.allowance;
    if upload.size > allowance.active_upload_bytes {
        return Err(ApiError::new(Code::PlanRequired).with_message(format!(
            "The plan allows {} bytes of active uploads in total.",
            allowance.active_upload_bytes,
        )));
    }
    let target = store.presign_upload(&upload).await?;
    match store.create_upload(&upload, ledger, &allowance).await? {
        Created::Done => Ok(Data::new(CreatedUpload::new(&upload, target))),
        Created::OverAllowance(active) => {
            let now = edge.clock().now();
            let wait = active.next_end.map_or(0, |end| end.since(now).as_secs() + 1);
            Err(ApiError::new(Code::UploadAllowanceExceeded)
                .with_message(format!(
                    "The plan allows {} active uploads of {} bytes in all; {} of {} bytes are \
                     active.",
                    allowance.active_uploads,
                    allowance.active_upload_bytes,
                    active.count,
                    active.bytes,
                ))
                .with_retry_after(wait))
        }
    }
}

impl CreatedUpload {
    fn new(upload: &domain::Upload, target: Presigned) -> Self {
        Self {
            created: upload.into(),
            upload: Target {
                method: "PUT",
                url: target.url,
                headers: target.headers,
                expires_at: upload.url_expires_at(),
            },
        }
    }
}
