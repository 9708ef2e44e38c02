//! Which contents the operator has blocked, exactly and nearly.
//!
//! A blocked content has a record by its fingerprint, which publications check in their transaction, and a record for
//! each band of its MinHash signature: 16 records of some 400 bytes, however long it is. A band that two blocked
//! contents share has the later one; the others of the sixteen still find the earlier one.
//!
//! | attribute | holds |
//! |---|---|
//! | `fp` | fingerprint of the content |
//! | `sg` | its signature |

use aws_sdk_dynamodb::types::{ConditionCheck, Delete, Put, TransactWriteItem};
use domain::{
    library::{Content, Item, Moderation, Visibility},
    minhash::Signature,
};
use sha2::{Digest, Sha256};

use crate::{
    Store, StoreError,
    item::{Attributes, ItemReader, bytes, text},
    keys::{self, Key},
};

/// Letters and digits from which a prompt is distinctive without its title.
const DISTINCTIVE_LENGTH: usize = 40;

impl Store {
    /// Whether the operator has blocked nearly the same content.
    ///
    /// # Errors
    ///
    /// Storage failed.
    pub async fn is_nearly_blocked(&self, content: &Content) -> Result<bool, StoreError> {
        let signature = Signature::of(&letters_of(content));
        let near = |record: &Attributes| {
            let stored = ItemReader(record).bytes("sg").ok().and_then(Signature::from_bytes);
            stored.is_some_and(|stored| stored.is_near(&signature))
        };
        // Half the units: a block of this second may be missed anyway.
        let records = self.batch_get_with(bands(&signature), false).await?;
        Ok(records.iter().any(near))
    }

    /// What a change of an item does to the records of blocked content.
    pub(super) async fn blocklist_writes(
        &self,
        before: &Item,
        after: &Item,
    ) -> Result<Vec<TransactWriteItem>, StoreError> {
        let letters = letters_of(&after.content);
        let fingerprint = fingerprint(&letters);
        let key = keys::library_blocked(&fingerprint);
        let is_blocked = |item: &Item| item.moderation == Moderation::Blocked;
        if is_blocked(after) && !is_blocked(before) {
            let signature = Signature::of(&letters);
            let record = [
                ("fp".to_owned(), text(fingerprint)),
                ("sg".to_owned(), bytes(signature.to_bytes())),
            ];
            let bands = bands(&signature).into_iter().map(|mut band| {
                band.extend(record.clone());
                band
            });
            return Ok(std::iter::once(key).chain(bands).map(|item| self.put_of(item)).collect());
        }
        if is_blocked(before) && !is_blocked(after) {
            let own = |record: &Attributes| {
                ItemReader(record).optional_text("fp") == Some(fingerprint.as_str())
            };
            let records = self.batch_get(bands(&Signature::of(&letters))).await?;
            let records = records.into_iter().filter(own).map(keys::primary);
            return Ok(std::iter::once(key)
                .chain(records)
                .map(|key| self.deletion_of(key))
                .collect());
        }
        let is_public = |item: &Item| item.visibility == Visibility::Community;
        if is_public(after) && !is_public(before) {
            let check = ConditionCheck::builder()
                .table_name(&self.names.table)
                .set_key(Some(key))
                .condition_expression("attribute_not_exists(pk)")
                .build();
            return Ok(vec![TransactWriteItem::builder().set_condition_check(check.ok()).build()]);
        }
        Ok(Vec::new())
    }

    fn put_of(&self, item: Attributes) -> TransactWriteItem {
        let put = Put::builder().table_name(&self.names.table).set_item(Some(item)).build();
        TransactWriteItem::builder().set_put(put.ok()).build()
    }

    fn deletion_of(&self, key: Key) -> TransactWriteItem {
        let delete = Delete::builder().table_name(&self.names.table).set_key(Some(key)).build();
        TransactWriteItem::builder().set_delete(delete.ok()).build()
    }
}

fn bands(signature: &Signature) -> Vec<Key> {
    let bands = signature.bands();
    bands
        .iter()
        .enumerate()
        .map(|(number, band)| keys::library_blocked_band(number, band))
        .collect()
}

/// A prompt without what does not matter for what it says: case, spaces and punctuation. A short prompt is not
/// distinctive, so its title is included.
fn letters_of(content: &Content) -> String {
    let letters = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let mut text = letters(&content.prompt_text);
    if text.chars().count() < DISTINCTIVE_LENGTH {
        text.push_str(&letters(&content.title));
    }
    text
}

/// Identifies a prompt by its letters: SHA-256 in hexadecimal.
fn fingerprint(letters: &str) -> String {
    Sha256::digest(letters).iter().map(|byte| format!("{byte:02x}")).collect()
}
