//! Uploaded files on their way from the presigned target to a verified asset.
//!
//! The bucket may tell of a file before its owner completes the upload, afterwards, twice or never: each
//! of [`UploadLifecycle::arrived`] and [`UploadLifecycle::complete`] believes only record and bucket, and every change
//! names the state that it leaves, so that all orders end the same.

mod upload_object;

use std::time::Duration;

use domain::{AccountId, Status, Timestamp, Upload, UploadId, UploadStatus, upload::Verdict};
use media::MediaType;
use store::{Store, StoreError, uploads::Changed, uploads::files::Head};
use upload_object::{ReadError, UploadObject};

/// How long a verification may be silent before another one takes over.
const LEASE: Duration = Duration::from_secs(30);
/// How often a state is looked at again that others change at the same time.
const LOOKS: u32 = 6;

/// What became of a completion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Completion {
    /// The file is verified, now or earlier.
    Ready(Upload),
    /// There is no such upload.
    Unknown,
    /// The target has lapsed without a file, or the file is gone.
    Expired,
    /// There is no file yet.
    NotReceived,
    /// Another call is verifying it, at most until then.
    Processing(Timestamp),
    /// It was verified just now and is not what it was declared to be; the reason.
    Refused(String),
    /// It was refused earlier; the reason.
    Rejected(String),
    /// A workflow has taken it.
    Consumed,
}

/// What became of a deletion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deletion {
    /// It is gone.
    Done,
    /// There is no such upload.
    Unknown,
    /// A workflow has taken it.
    Consumed,
    /// It is being verified, at most until then.
    Processing(Timestamp),
}

/// Works on uploaded files.
#[derive(Clone, Debug)]
pub struct UploadLifecycle {
    store: Store,
}

impl UploadLifecycle {
    /// Works on what `store` holds.
    pub fn new(store: Store) -> Self {
        Self { store }
    }

    /// An upload as it stands now; `None` if there is none.
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
        // The file may have come in time without anybody having been told.
        if silent && self.store.upload_head(account, id).await?.is_some() {
            upload = match self.store.record_arrival(&upload).await? {
                Changed::Done(arrived) | Changed::ConditionFailed(Some(arrived)) => arrived,
                Changed::ConditionFailed(None) => return Ok(None),
            };
        }
        upload.status = upload.status_at(now);
        Ok(Some(upload))
    }

    /// Verifies an upload's file and makes it ready.
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
        for _ in 0..LOOKS {
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

    /// Deletes an upload that no workflow has taken.
    ///
    /// # Errors
    ///
    /// Storage failed. The upload may be deleted by then; its file is not kept longer than 24 hours.
    pub async fn delete(&self, account: AccountId, id: UploadId) -> Result<Deletion, StoreError> {
        let mut stands = self.store.upload(account, id).await?;
        for _ in 0..LOOKS {
            let Some(upload) = stands else { return Ok(Deletion::Unknown) };
            match upload.status_at(self.now()) {
                UploadStatus::Deleted => {
                    // Whoever deleted it may have died before the file was gone.
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

    /// Does what can be done ahead when the bucket tells that an upload's file has arrived.
    ///
    /// # Errors
    ///
    /// Storage failed: the bucket's message shall be received again.
    pub async fn object_created(&self, account: AccountId, id: UploadId) -> Result<(), StoreError> {
        let Some(upload) = self.store.upload(account, id).await? else { return Ok(()) };
        let upload = match upload.status {
            UploadStatus::Pending => match self.store.record_arrival(&upload).await? {
                Changed::Done(arrived) => arrived,
                // Whoever was faster does the rest.
                Changed::ConditionFailed(_) => return Ok(()),
            },
            UploadStatus::Uploaded if upload.verdict.is_none() => upload,
            // The target outlived its upload.
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
                // Its lease would lapse as well, but later.
                if let Err(second) = self.store.abandon_verification(&begun).await {
                    tracing::warn!(upload = %begun.id, error = %second, "a verification was left");
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
                    tracing::warn!(upload = %id, %error, "a refused file is left to the lifecycle");
                }
                Ok(Completion::Refused(refusal_of(&rejected)))
            }
            // Another verification has taken over.
            Changed::ConditionFailed(_) => Ok(Completion::Processing(self.now() + LEASE)),
        }
    }

    /// Compares a file with what was declared; `None` if it is gone or was replaced meanwhile.
    async fn verify(&self, upload: &Upload, head: &Head) -> Result<Option<Verdict>, StoreError> {
        let verdict = |refusal| Some(Verdict { etag: head.etag.clone(), refusal });
        if head.size != upload.size {
            let reason =
                format!("The file has {} bytes, not the declared {}.", head.size, upload.size);
            return Ok(verdict(Some(reason)));
        }
        if head.content_type != upload.content_type {
            let reason = format!("The file was stored as {:?}.", head.content_type);
            return Ok(verdict(Some(reason)));
        }
        let Some(declared) = MediaType::of(&upload.content_type) else {
            return Ok(verdict(Some("The content type is none that uploads may have.".to_owned())));
        };
        match media::verify(declared, &UploadObject::new(&self.store, upload, head)).await {
            Ok(Ok(_)) => Ok(verdict(None)),
            Ok(Err(refusal)) => Ok(verdict(Some(refusal.to_string()))),
            Err(ReadError::Gone) => Ok(None),
            Err(ReadError::Store(error)) => Err(error),
        }
    }

    /// Whether the operation that took an upload has come to its result, so that nobody reads the file.
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
    refusal.unwrap_or_else(|| "The file is not what it was declared to be.".to_owned())
}
