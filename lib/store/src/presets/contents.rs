//! Contents of presets: in their items, or, past what an item holds, in the bucket.

use std::time::Duration;

use domain::{
    AccountId, PresetId,
    preset::{Content, variables},
    random,
    response_size::escaped_len,
};

use crate::{
    Store, StoreError,
    body::{Lifetime, Packed, StoredBody, pack},
    item::{Attributes, ItemReader},
    keys,
    operations::queue::PresetBodyMessage,
};

/// Bytes of a content that the index holds as well, so that a page is one query.
const SMALL: usize = 768;
/// Bytes of a preset in an answer that are neither content nor variables, at most: its name, its
/// identifier, its times and the names of its properties.
const FRAME_BYTES: u64 = 1_500;
/// When a content that may be nobody's is looked at: long after whoever wrote it has ended.
const CLEANUP_DELAY: Duration = Duration::from_secs(60);

/// A content as an item holds it.
pub(super) struct Kept {
    /// Itself, or where it is in the bucket.
    pub body: StoredBody,
    /// Bytes of the preset in an answer: see [`escaped_len`].
    pub answer_bytes: i64,
}

impl Kept {
    /// The attribute that holds it, and the one that does not.
    pub fn attributes(&self) -> (&'static str, &'static str) {
        let is_inline = self.body.object().is_none();
        if is_inline && self.body.len() <= SMALL { ("bs", "b") } else { ("b", "bs") }
    }

    /// Its revision in the bucket, if it is there.
    pub fn revision(&self) -> Option<u64> {
        revision_of(self.body.bytes())
    }
}

/// The content that an item holds, in the form in which it does; `None` in the index for one that it
/// does not have.
pub(super) fn stored(item: &Attributes) -> Option<&[u8]> {
    let reader = ItemReader(item);
    reader.bytes("bs").or_else(|_| reader.bytes("b")).ok()
}

/// The revision of an item's content, if that is in the bucket.
pub(super) fn stored_revision(item: &Attributes) -> Option<u64> {
    stored(item).and_then(revision_of)
}

fn revision_of(stored: &[u8]) -> Option<u64> {
    let (_, revision) = StoredBody::name(stored)?.rsplit_once('/')?;
    u64::from_str_radix(revision, 16).ok()
}

fn name_of(account: AccountId, id: PresetId, revision: u64) -> String {
    format!("{account}/{id}/{revision:016x}")
}

/// Bytes of a preset in an answer, at most.
fn answer_bytes(content: &Content, json: &[u8]) -> Result<i64, StoreError> {
    let variables = serde_json::to_vec(&variables(&content.prompt_text))
        .map_err(|_| StoreError::corrupt("preset"))?;
    let bytes = escaped_len(json) + escaped_len(&variables) + FRAME_BYTES;
    Ok(i64::try_from(bytes).unwrap_or(i64::MAX))
}

impl Store {
    /// Makes a content ready for its item: one that goes to the bucket is announced first, and has a
    /// revision that no other has.
    pub(super) async fn stage_content(
        &self,
        account: AccountId,
        id: PresetId,
        content: &Content,
    ) -> Result<Kept, StoreError> {
        let json = serde_json::to_vec(content).map_err(|_| StoreError::corrupt("preset"))?;
        let answer_bytes = answer_bytes(content, &json)?;
        let body = match pack(&json) {
            Packed::Inline(body) => body,
            Packed::Object(object) => {
                let revision = u64::from_be_bytes(random::bytes(&*self.random));
                self.enqueue_content_check(account, id, Some(revision)).await?;
                self.spill(object, Lifetime::Durable, &name_of(account, id, revision)).await?
            }
        };
        Ok(Kept { body, answer_bytes })
    }

    /// Tells the queue of a content that may soon be nobody's.
    pub(super) async fn enqueue_content_check(
        &self,
        account_id: AccountId,
        preset_id: PresetId,
        revision: Option<u64>,
    ) -> Result<(), StoreError> {
        let Some(revision) = revision else { return Ok(()) };
        let message = PresetBodyMessage { account_id, preset_id, revision };
        self.enqueue(message, CLEANUP_DELAY).await
    }

    /// Removes a content that is nobody's any more, if it is in the bucket. If that fails, the message
    /// that was sent before sees to it.
    pub(super) async fn remove_content(
        &self,
        account: AccountId,
        id: PresetId,
        revision: Option<u64>,
    ) {
        if let Some(revision) = revision {
            let _ = self.remove_durable(&name_of(account, id, revision)).await;
        }
    }

    /// Removes a content that its preset does not have. To be called when whoever wrote or replaced it
    /// has long ended.
    pub async fn discard_preset_body(&self, message: PresetBodyMessage) -> Result<(), StoreError> {
        let PresetBodyMessage { account_id, preset_id, revision } = message;
        let item = self.get_item(keys::preset(account_id, preset_id)).await?;
        if item.as_ref().and_then(stored_revision) == Some(revision) {
            return Ok(());
        }
        self.remove_durable(&name_of(account_id, preset_id, revision)).await
    }
}
