//! The lifecycle of uploaded files, from the presigned URL to a verified file.
//!
//! The bucket's event may arrive before the owner completes the upload, later, twice or never. So
//! [`UploadLifecycle::object_created`] and [`UploadLifecycle::complete`] trust only record and
//! bucket, and every change is conditional on the previous status: all orders end the same.

mod upload_object;

use std::time::Duration;

use domain::{AccountId, Status, Timestamp, Upload, UploadId, UploadStatus, upload::Verdict};
use media::MediaType;
use store::{Store, StoreError, uploads::Changed, uploads::files::Head};
use upload_object::{ReadError, UploadObject};

/// Lease of a verification; afterwards another one may take over.
const LEASE: Duration = Duration::from_secs(30);
/// Tries of a change that conflicts with others.
const MAX_TRIES: u32 = 6;

/// The outcome of a completion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Completion {
    /// The file is verified, now or earlier.
    Ready(Upload),
    /// There is no such upload.
    Unknown,
    /// No file arrived in time, or the file is gone.
    Expired,
    /// The file has not arrived yet.
    NotReceived,
    /// Another call is verifying it; its lease ends then.
    Processing(Timestamp),
    /// This verification rejected the file, for this reason.
    Refused(String),
    /// An earlier verification rejected the file, for this reason.
    Rejected(String),
    /// An operation has consumed it.
    Consumed,
}

/// The outcome of a deletion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deletion {
    /// It is deleted.
    Done,
    /// There is no such upload.
    Unknown,
    /// An operation has consumed it.
    Consumed,
    /// It is being verified; the lease ends then.
    Processing(Timestamp),
}

/// Manages uploaded files.
#[derive(Clone, Debug)]
pub struct UploadLifecycle {
    store: Store,
}

impl UploadLifecycle {
    /// Manages the uploads in `store`.
    pub fn new(store: Store) -> Self {
        Self { store }
    }

    /// The store of all durable state.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// An upload with its present status; `None` if there is none.
    ///
    /// # Errors
    ///
    /// Storage failed.
    pub async fn read(
        &self,
        account: AccountId,
        id: UploadId,
    ) -> Result<Option<Upload>, StoreError> {
        let now = self.now();
        let Some(mut upload) = self.known(account, id).await? else { return Ok(None) };
        let silent = upload.status == UploadStatus::Pending
            && upload.status_at(now) == UploadStatus::Expired
            && now < upload.expires_at();
        // The file may have arrived in time although the bucket's event was lost.
        if silent && self.store.upload_head(account, id).await?.is_some() {
            upload = match self.store.record_arrival(&upload).await? {
                Changed::Done(arrived) | Changed::ConditionFailed(Some(arrived)) => arrived,
                Changed::ConditionFailed(None) => return Ok(None),
            };
        }
        upload.status = upload.status_at(now);
        Ok(Some(upload))
    }

    /// Verifies an upload's file and makes the upload ready.
    ///
    /// # Errors
    ///
    /// Storage failed: the upload can be completed later.
    pub async fn complete(
        &self,
        account: AccountId,
        id: UploadId,
    ) -> Result<Completion, StoreError> {
        let mut stands = self.known(account, id).await?;
        for _ in 0..MAX_TRIES {
            let Some(upload) = stands else { return Ok(Completion::Unknown) };
            let now = self.now();
            match upload.status_at(now) {
                UploadStatus::Deleted => return Ok(Completion::Unknown),
                UploadStatus::Ready => return Ok(Completion::Ready(upload)),
                UploadStatus::Consumed => return Ok(Completion::Consumed),
                UploadStatus::Rejected => return Ok(Completion::Rejected(refusal_of(&upload))),
                UploadStatus::Processing => {
                    return Ok(Completion::Processing(upload.lease_until.unwrap_or(now)));
                }
                UploadStatus::Expired if now >= upload.expires_at() => {
                    return Ok(Completion::Expired);
                }
                UploadStatus::Pending | UploadStatus::Uploaded | UploadStatus::Expired => {}
            }
            let Some(head) = self.store.upload_head(account, id).await? else {
                return Ok(match now < upload.url_expires_at() {
                    true => Completion::NotReceived,
                    false => Completion::Expired,
                });
            };
            stands = match self.store.begin_verification(&upload, LEASE).await? {
                Changed::Done(begun) => return self.finish(begun, &head).await,
                Changed::ConditionFailed(other) => other,
            };
        }
        Ok(Completion::Processing(self.now() + LEASE))
    }

    /// Deletes an upload that no operation has consumed.
    ///
    /// # Errors
    ///
    /// Storage failed. The upload may be deleted by then; its file is kept for at most 24 hours.
    pub async fn delete(&self, account: AccountId, id: UploadId) -> Result<Deletion, StoreError> {
        let mut stands = self.store.upload(account, id).await?;
        for _ in 0..MAX_TRIES {
            let Some(upload) = stands else { return Ok(Deletion::Unknown) };
            match upload.status_at(self.now()) {
                UploadStatus::Deleted => {
                    // The process that deleted it may have crashed before it removed the file.
                    self.store.remove_upload(account, id).await?;
                    return Ok(Deletion::Unknown);
                }
                UploadStatus::Consumed => return Ok(Deletion::Consumed),
                UploadStatus::Processing => {
                    let until = upload.lease_until.unwrap_or(self.now());
                    return Ok(Deletion::Processing(until));
                }
                _ => {}
            }
            stands = match self.store.delete_upload(&upload).await? {
                Changed::Done(_) => {
                    self.store.remove_upload(account, id).await?;
                    return Ok(Deletion::Done);
                }
                Changed::ConditionFailed(other) => other,
            };
        }
        Ok(Deletion::Processing(self.now() + LEASE))
    }

    /// Handles the bucket's event that a file has arrived: verifies it ahead of the completion.
    ///
    /// # Errors
    ///
    /// Storage failed: the event has to be received again.
    pub async fn object_created(&self, account: AccountId, id: UploadId) -> Result<(), StoreError> {
        let Some(upload) = self.store.upload(account, id).await? else { return Ok(()) };
        let upload = match upload.status {
            UploadStatus::Pending => match self.store.record_arrival(&upload).await? {
                Changed::Done(arrived) => arrived,
                // The change that was faster does the rest.
                Changed::ConditionFailed(_) => return Ok(()),
            },
            UploadStatus::Uploaded if upload.verdict.is_none() => upload,
            // The file arrived after the upload had ended.
            UploadStatus::Deleted | UploadStatus::Rejected => {
                return self.store.remove_upload(account, id).await;
            }
            UploadStatus::Consumed if self.is_consumed(&upload).await? => {
                return self.store.remove_upload(account, id).await;
            }
            _ => return Ok(()),
        };
        let Some(head) = self.store.upload_head(account, id).await? else { return Ok(()) };
        if let Some(verdict) = self.verify(&upload, &head).await? {
            self.store.record_verdict(&upload, &verdict).await?;
        }
        Ok(())
    }

    async fn finish(&self, begun: Upload, head: &Head) -> Result<Completion, StoreError> {
        let known = begun.verdict.clone().filter(|verdict| verdict.etag == head.etag);
        let verified = match known {
            Some(verdict) => Ok(Some(verdict)),
            None => self.verify(&begun, head).await,
        };
        let verdict = match verified {
            Ok(Some(verdict)) => verdict,
            Ok(None) => {
                self.store.abandon_verification(&begun).await?;
                return Ok(Completion::NotReceived);
            }
            Err(error) => {
                // Without this, others would wait until the lease ends.
                if let Err(second) = self.store.abandon_verification(&begun).await {
                    tracing::warn!(upload = %begun.id, error = %second, "a verification keeps its lease");
                }
                return Err(error);
            }
        };
        match self.store.end_verification(&begun, verdict).await? {
            Changed::Done(ready) if ready.status == UploadStatus::Ready => {
                Ok(Completion::Ready(ready))
            }
            Changed::Done(rejected) => {
                let (account, id) = (rejected.account, rejected.id);
                if let Err(error) = self.store.remove_upload(account, id).await {
                    tracing::warn!(upload = %id, %error, "the lifecycle rule will remove a rejected file");
                }
                Ok(Completion::Refused(refusal_of(&rejected)))
            }
            // Another verification has taken over.
            Changed::ConditionFailed(_) => Ok(Completion::Processing(self.now() + LEASE)),
        }
    }

    /// Compares a file with its declaration; `None` if it is gone or was replaced meanwhile.
    async fn verify(&self, upload: &Upload, head: &Head) -> Result<Option<Verdict>, StoreError> {
        let verdict = |refusal| Some(Verdict { etag: head.etag.clone(), refusal });
        if head.size != upload.size {
            let reason =
                format!("The file has {} bytes, not the declared {}.", head.size, upload.size);
            return Ok(verdict(Some(reason)));
        }
        if head.content_type != upload.content_type {
            let reason = format!("The file was sent with the type {:?}.", head.content_type);
            return Ok(verdict(Some(reason)));
        }
        let Some(declared) = MediaType::of(&upload.content_type) else {
            return Ok(verdict(Some("Uploads may not have this content type.".to_owned())));
        };
        match media::verify(declared, &UploadObject::new(&self.store, upload, head)).await {
            Ok(Ok(_)) => Ok(verdict(None)),
            Ok(Err(refusal)) => Ok(verdict(Some(refusal.to_string()))),
            Err(ReadError::Gone) => Ok(None),
            Err(ReadError::Store(error)) => Err(error),
        }
    }

    /// Whether the operation that consumed an upload has succeeded, so that the file is not needed.
    async fn is_consumed(&self, upload: &Upload) -> Result<bool, StoreError> {
        let Some(consumed_by) = upload.consumed_by else { return Ok(false) };
        let operation = self.store.operation_record(upload.account, consumed_by).await?;
        Ok(operation.is_none_or(|operation| operation.status == Status::Succeeded))
    }

    async fn known(&self, account: AccountId, id: UploadId) -> Result<Option<Upload>, StoreError> {
        let upload = self.store.upload(account, id).await?;
        Ok(upload.filter(|upload| upload.status != UploadStatus::Deleted))
    }

    fn now(&self) -> Timestamp {
        self.store.clock().now()
    }
}

fn refusal_of(upload: &Upload) -> String {
    let refusal = upload.verdict.as_ref().and_then(|verdict| verdict.refusal.clone());
    refusal.unwrap_or_else(|| "The file is not what was declared.".to_owned())
}
