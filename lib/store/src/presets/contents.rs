//! Contents of presets: in their items, or in the bucket if an item is too small.

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

/// Bytes up to which the index also holds a content, so that a page of such presets is one query.
const SMALL: usize = 768;
/// Upper bound for the bytes of a preset in a response beside content and variables: its name, its
/// identifier, its times and the names of its properties.
const FRAME_BYTES: u64 = 1_500;
/// Delay before a content that may be unused is checked: long after its writer has ended.
const CLEANUP_DELAY: Duration = Duration::from_secs(60);

/// A content as JSON.
pub(super) struct Measured {
    json: Vec<u8>,
    /// Upper bound for the bytes of the preset in a response: see [`escaped_len`].
    pub answer_bytes: i64,
}

impl Measured {
    pub fn new(content: &Content) -> Result<Self, StoreError> {
        let corrupt = |_| StoreError::corrupt("preset");
        let variables = serde_json::to_vec(&variables(&content.prompt_text)).map_err(corrupt)?;
        let json = serde_json::to_vec(content).map_err(corrupt)?;
        let bytes = escaped_len(&json) + escaped_len(&variables) + FRAME_BYTES;
        Ok(Self { json, answer_bytes: bytes.cast_signed() })
    }
}

/// A content in its stored form.
pub(super) struct Kept {
    /// The content, or the key of its object in the bucket.
    pub body: StoredBody,
    /// Upper bound for the bytes of the preset in a response.
    pub answer_bytes: i64,
}

impl Kept {
    /// The attribute that holds it, and the one to remove.
    pub fn attributes(&self) -> (&'static str, &'static str) {
        let is_inline = self.body.object().is_none();
        if is_inline && self.body.len() <= SMALL { ("bs", "b") } else { ("b", "bs") }
    }

    /// Its revision, if it is in the bucket.
    pub fn revision(&self) -> Option<u64> {
        revision_of(self.body.bytes())
    }
}

/// The stored content of an item; `None` for an index entry without it.
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

impl Store {
    /// Prepares a content for its item. One that goes to the bucket gets a unique revision, and the
    /// job that checks it is enqueued first.
    pub(super) async fn stage_content(
        &self,
        account: AccountId,
        id: PresetId,
        content: Measured,
    ) -> Result<Kept, StoreError> {
        let Measured { json, answer_bytes } = content;
        let body = match pack(&json) {
            Packed::Inline(body) => body,
            Packed::Object(object) => {
                let revision = random::number(&*self.random);
                self.enqueue_content_check(account, id, Some(revision)).await?;
                self.spill(object, Lifetime::Durable, &name_of(account, id, revision)).await?
            }
        };
        Ok(Kept { body, answer_bytes })
    }

    /// Enqueues the check of a content that may soon be unused.
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

    /// Removes a content from the bucket that its preset no longer has. A failure is ignored: the
    /// check that was enqueued before removes it later.
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

    /// Removes a content that its preset does not have. To be called long after the request that
    /// wrote or replaced it has ended.
    pub async fn discard_preset_body(&self, message: PresetBodyMessage) -> Result<(), StoreError> {
        let PresetBodyMessage { account_id, preset_id, revision } = message;
        let item = self.get_item(keys::preset(account_id, preset_id)).await?;
        if item.as_ref().and_then(stored_revision) == Some(revision) {
            return Ok(());
        }
        self.remove_durable(&name_of(account_id, preset_id, revision)).await
    }
}
