//! Files of operations: read for the engine, kept with history, removed when no longer needed.

use domain::{Operation, Status};
use engine::Image;
use futures::future::{join_all, try_join_all};
use store::{StoreError, operations::settlement::Settled, uploads::files::AttachmentKey};

use crate::{
    Workflow, data_url,
    run::Abort,
    task::{Assignment, Attachment},
};

impl Workflow {
    /// The images of an operation: its uploads, or the frames of its video.
    pub(crate) async fn images(
        &self,
        operation: &Operation,
        assignment: &Assignment,
    ) -> Result<Vec<Image>, Abort> {
        let uploads = assignment.attachments.iter().map(|attachment| async move {
            let Attachment { id, etag, size, .. } = attachment;
            let read = self.store.upload_range(operation.account, *id, etag, 0, *size);
            let bytes = read.await?.ok_or(Abort::FileGone)?;
            let media_type = attachment.content_type.clone();
            Ok::<_, Abort>(Image { media_type, bytes: bytes.to_vec() })
        });
        let mut images = try_join_all(uploads).await?;
        for frame in &assignment.frames {
            images.push(data_url::decode(frame).map_err(|_| Abort::Malformed)?);
        }
        for image in &images {
            compute::received(image.bytes.len());
        }
        Ok(images)
    }

    /// Copies files to the history that the operation is about to write.
    pub(crate) async fn keep_attachments(
        &self,
        operation: &Operation,
        attachments: &[Attachment],
    ) -> Result<(), Abort> {
        // `join_all` waits for every copy, so that none is still running when a failure cleans up.
        let copies = join_all(attachments.iter().map(|attachment| {
            self.store.keep_attachment(key(operation, attachment.id), &attachment.etag)
        }));
        for kept in copies.await {
            if !kept? {
                return Err(Abort::FileGone);
            }
        }
        Ok(())
    }

    /// Cleans up after an attempt: after its own settlement, or after another one's if it was
    /// fenced.
    pub(crate) async fn clean_up_after(
        &self,
        operation: &Operation,
        settled: &Settled,
    ) -> Result<(), StoreError> {
        match settled {
            Settled::Done(ended) => self.clean_up(ended).await,
            Settled::Fenced if !operation.uploads.is_empty() => {
                let stands = self.store.operation_record(operation.account, operation.id).await?;
                match stands.filter(|stands| stands.status.is_final()) {
                    Some(ended) => self.clean_up(&ended).await,
                    None => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    /// Removes the files that are not needed once an operation has ended: the uploads of a success,
    /// the copies of a failure. May be repeated.
    ///
    /// # Errors
    ///
    /// A file is left. The operation's message is still in the queue, and its receiver retries.
    pub(crate) async fn clean_up(&self, ended: &Operation) -> Result<(), StoreError> {
        let removals = ended.uploads.iter().map(|upload| async move {
            match ended.status {
                Status::Succeeded => self.store.remove_upload(ended.account, *upload).await,
                _ => self.store.remove_attachment(key(ended, *upload)).await,
            }
        });
        join_all(removals).await.into_iter().collect()
    }
}

/// The key of a file that history keeps for an operation.
pub(crate) fn key(operation: &Operation, upload: domain::UploadId) -> AttachmentKey {
    AttachmentKey { account: operation.account, operation: operation.id, upload }
}
