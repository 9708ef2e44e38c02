//! The uploads that a request refers to.

use std::collections::BTreeMap;

use domain::{AccountId, Timestamp, Upload, UploadId, UploadScope, UploadStatus};
use edge::{ApiError, Code, Detail};
use store::Store;
use workflow::Attachment;

/// The uploads that a request refers to, as they were found.
#[derive(Debug)]
pub struct ReferencedUploads {
    unknown: Vec<Detail>,
    /// Each with its position in the body.
    found: Vec<(String, Upload)>,
    now: Timestamp,
}

/// Looks up uploads by their positions in the body. One that is named twice counts once.
pub async fn find(
    named: impl Iterator<Item = (String, &str)>,
    store: &Store,
    account: AccountId,
) -> Result<ReferencedUploads, ApiError> {
    let unknown = |path: &str| Detail::new(path, "is not one of your uploads");
    let mut missing = Vec::new();
    let mut paths: BTreeMap<UploadId, String> = BTreeMap::new();
    let mut order = Vec::new();
    for (path, text) in named {
        match text.parse::<UploadId>() {
            Ok(id) if paths.contains_key(&id) => {}
            Ok(id) => {
                paths.insert(id, path);
                order.push(id);
            }
            Err(_) => missing.push(unknown(&path)),
        }
    }
    let mut uploads: BTreeMap<_, _> = store
        .uploads(account, &order)
        .await?
        .into_iter()
        .map(|upload| (upload.id, upload))
        .collect();
    let mut found = Vec::new();
    for id in order {
        let path = paths.remove(&id).unwrap_or_default();
        match uploads.remove(&id).filter(|upload| upload.status != UploadStatus::Deleted) {
            Some(upload) => found.push((path, upload)),
            None => missing.push(unknown(&path)),
        }
    }
    Ok(ReferencedUploads { unknown: missing, found, now: store.clock().now() })
}

impl ReferencedUploads {
    /// A problem for each reference that is not an upload of the account.
    pub fn unknown(&self) -> Vec<Detail> {
        self.unknown.clone()
    }

    /// The attachments, if all uploads have one of `scopes` and are ready.
    pub fn require_ready(self, scopes: &[UploadScope]) -> Result<Vec<Attachment>, ApiError> {
        let (now, found) = (self.now, self.found);
        let wanted = scopes.iter().map(|scope| scope.as_str()).collect::<Vec<_>>().join(" or ");
        refuse(Code::AttachmentScopeMismatch, &found, |upload| {
            let scope = upload.scope;
            (!scopes.contains(&scope))
                .then(|| format!("has the scope {}, not {wanted}", scope.as_str()))
        })?;
        refuse(Code::UploadConsumed, &found, |upload| {
            let taken = upload.status == UploadStatus::Consumed;
            taken.then(|| "is already used by another operation".to_owned())
        })?;
        refuse(Code::AttachmentNotReady, &found, |upload| match upload.status_at(now) {
            UploadStatus::Ready => None,
            UploadStatus::Pending | UploadStatus::Uploaded => Some("is not completed".to_owned()),
            UploadStatus::Processing => Some("is being verified".to_owned()),
            UploadStatus::Rejected => Some("was rejected".to_owned()),
            _ => Some("has expired".to_owned()),
        })?;
        Ok(found.into_iter().filter_map(|(_, upload)| Attachment::of(upload)).collect())
    }
}

/// Refuses the request if any upload has a `problem`.
fn refuse(
    code: Code,
    found: &[(String, Upload)],
    problem: impl Fn(&Upload) -> Option<String>,
) -> Result<(), ApiError> {
    let details: Vec<_> = found
        .iter()
        .filter_map(|(path, upload)| Some(Detail::new(path.as_str(), problem(upload)?)))
        .collect();
    if details.is_empty() { Ok(()) } else { Err(ApiError::new(code).with_details(details)) }
}
