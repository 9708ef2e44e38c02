//! The uploads that a request refers to.

use std::collections::HashMap;

use domain::{AccountId, Timestamp, Upload, UploadId, UploadScope, UploadStatus};
use edge::{ApiError, Code};
use serde_json::Value;
use store::Store;
use workflow::Attachment;

use crate::fields;

/// Most references to look into: no request may have more.
const REFERENCES: usize = 5;

/// Uploads with the positions in the body that name them.
type Named = Vec<(UploadId, String)>;

/// Everything in a body that refers to an upload, with its position.
fn references(content: &Value) -> impl Iterator<Item = (String, &str)> {
    let attached = content["attachmentIds"].as_array().into_iter().flatten().enumerate();
    let attached = attached.map(|(position, id)| (format!("/attachmentIds/{position}"), id));
    let all = attached.take(REFERENCES).chain([("/uploadId".to_owned(), &content["uploadId"])]);
    all.filter_map(|(path, id)| Some((path, id.as_str()?)))
}

/// A problem for each reference in a body that cannot be an upload.
pub fn malformed(content: &Value) -> impl Iterator<Item = ApiError> {
    let malformed = references(content).filter(|(_, text)| text.parse::<UploadId>().is_err());
    malformed.map(|(path, _)| unknown(path))
}

/// The uploads that a body may refer to.
pub fn of_body(content: &Value) -> Named {
    named(references(content))
}

/// The uploads in references. One that is named twice counts once.
fn named<'a>(references: impl Iterator<Item = (String, &'a str)>) -> Named {
    let mut named = Named::new();
    for (path, text) in references {
        match text.parse() {
            Ok(id) if named.iter().all(|(known, _)| *known != id) => named.push((id, path)),
            _ => {}
        }
    }
    named
}

fn unknown(path: String) -> ApiError {
    fields::unknown(path, "is not one of your uploads")
}

/// The attachments of references, by their positions in the body.
///
/// # Errors
///
/// An upload is not there, has none of `scopes` or is not ready: all problems.
pub async fn find(
    references: impl Iterator<Item = (String, &str)>,
    scopes: &[UploadScope],
    store: &Store,
    account: AccountId,
) -> Result<Vec<Attachment>, ApiError> {
    let named = named(references);
    let ids: Vec<_> = named.iter().map(|(id, _)| *id).collect();
    let found = store.uploads(account, &ids).await?;
    let mut found: HashMap<_, _> = found.into_iter().map(|upload| (upload.id, upload)).collect();
    let (mut attachments, mut problems) = (Vec::new(), Vec::new());
    for (id, path) in named {
        match found.remove(&id) {
            None => problems.push(unknown(path)),
            Some(upload) => match problem(&upload, path, scopes, store.clock().now()) {
                None => attachments.extend(Attachment::of(upload)),
                Some(found) => problems.push(found),
            },
        }
    }
    ApiError::all(problems).map_or(Ok(attachments), Err)
}

/// What stood in the way when an operation was to consume uploads of a body, as they were then.
pub fn taken(named: &Named, stand: &[Upload], now: Timestamp) -> ApiError {
    let problems = named.iter().filter_map(|(id, path)| {
        let upload = stand.iter().find(|upload| upload.id == *id)?;
        problem(upload, path.clone(), &[upload.scope], now)
    });
    ApiError::all(problems).unwrap_or_else(|| ApiError::new(Code::UploadConsumed))
}

/// Why an operation that takes `scopes` cannot use an upload.
fn problem(
    upload: &Upload,
    path: String,
    scopes: &[UploadScope],
    now: Timestamp,
) -> Option<ApiError> {
    if upload.status == UploadStatus::Deleted {
        return Some(unknown(path));
    }
    if !scopes.contains(&upload.scope) {
        let wanted = scopes.iter().map(|scope| scope.as_str()).collect::<Vec<_>>().join(" or ");
        let message = format!("has the scope {}, not {wanted}", upload.scope.as_str());
        return Some(ApiError::problem(Code::AttachmentScopeMismatch, path, message));
    }
    let (code, message) = match upload.status_at(now) {
        UploadStatus::Ready => return None,
        UploadStatus::Consumed => (Code::UploadConsumed, "is already used by another operation"),
        UploadStatus::Pending | UploadStatus::Uploaded => {
            (Code::AttachmentNotReady, "is not completed")
        }
        UploadStatus::Processing => (Code::AttachmentNotReady, "is being verified"),
        UploadStatus::Rejected => (Code::AttachmentNotReady, "was rejected"),
        UploadStatus::Expired | UploadStatus::Deleted => (Code::AttachmentNotReady, "has expired"),
    };
    Some(ApiError::problem(code, path, message))
}
