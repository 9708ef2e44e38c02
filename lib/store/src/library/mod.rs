//! The Prompt Library: one item per record. Its changes are logged for the listings that it is in.
//!
//! | attribute | holds |
//! |---|---|
//! | `ow`, `au` | owner, and the author name that is shown; official items have neither |
//! | `vi`, `mo`, `pa` | visibility, moderation, and since when it is published |
//! | `b` | what its author wrote; at most 200 KB, so that an item holds it |
//! | `v`, `up` | how often it was written, and when last |
//! | `kb` | bytes of `b` in a response, if the owner's account counts them |
//! | `hot` | whether its counts are in all shards |

mod blocklist;
mod official;
pub mod queue;
mod reactions;
mod summaries;
mod visibility;

use std::time::Duration;

use aws_sdk_dynamodb::types::{
    Delete, Put, ReturnValuesOnConditionCheckFailure, TransactWriteItem, Update,
};
use domain::{
    AccountId, LibraryId,
    library::{Content, Item, Listing, Moderation, Visibility},
    plan::Allowance,
    response_size::escaped_len,
};

use crate::{
    Store, StoreError,
    accounts::storage::{COUNTED_BYTES, QuotaError, StorageChange, counted_bytes},
    body::{pack_small, unpack},
    item::{Attributes, ItemReader, bytes, instant, number, text},
    keys,
    listings::ListingChange,
    transaction::Outcome,
};

pub use official::Imports;
pub use reactions::{ReactionKind, Seen, Toggled};
pub(crate) use summaries::SHARDS;
pub use summaries::{CountedItem, ItemSummary, Precision};
pub use visibility::VisibilityChange;

/// How long a change is tried while others conflict with it.
const BUDGET: Duration = Duration::from_secs(5);

/// The outcome of a change of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replaced {
    /// It is written.
    Done,
    /// The item was changed meanwhile: its present state, `None` if it is gone.
    Outdated(Option<Box<Item>>),
    /// The item was to be published, but the operator has blocked this content, in this item or
    /// another one.
    Blocked,
}

/// What a change of an item adds to what its owner keeps, or takes away.
struct Counted<'a> {
    owner: Option<AccountId>,
    change: StorageChange,
    allowance: Option<&'a Allowance>,
}

/// Bytes of a content in a response.
fn bytes_of(content: &Content) -> Result<i64, StoreError> {
    let json = serde_json::to_vec(content).map_err(|_| StoreError::corrupt("b"))?;
    Ok(escaped_len(&json).cast_signed())
}

pub(crate) fn id_of(item: &Attributes) -> Result<LibraryId, StoreError> {
    let unique = ItemReader(item).text(keys::PK)?.split('#').nth(1).unwrap_or_default();
    LibraryId::from_unique(unique).map_err(|_| StoreError::corrupt(keys::PK))
}

fn owner_of(item: &Attributes) -> Result<Option<AccountId>, StoreError> {
    let owner = ItemReader(item).optional_text("ow").map(AccountId::from_unique).transpose();
    owner.map_err(|_| StoreError::corrupt("ow"))
}

fn visibility_of(item: &Attributes) -> Result<Option<Visibility>, StoreError> {
    let Some(code) = ItemReader(item).optional_text("vi") else { return Ok(None) };
    let known = [Visibility::Private, Visibility::Community, Visibility::Official]
        .into_iter()
        .find(|visibility| keys::visibility_code(*visibility) == code);
    known.map(Some).ok_or_else(|| StoreError::corrupt("vi"))
}

fn read(item: &Attributes) -> Result<Item, StoreError> {
    let reader = ItemReader(item);
    let content = unpack(reader.bytes("b")?)?;
    Ok(Item {
        id: id_of(item)?,
        owner: owner_of(item)?,
        author: reader.optional_text("au").map(ToOwned::to_owned),
        content: serde_json::from_slice(&content).map_err(|_| StoreError::corrupt("b"))?,
        visibility: visibility_of(item)?.ok_or_else(|| StoreError::corrupt("vi"))?,
        moderation: [
            Moderation::None,
            Moderation::Pending,
            Moderation::Approved,
            Moderation::Refused,
            Moderation::Blocked,
        ]
        .into_iter()
        .find(|moderation| Some(keys::moderation_code(*moderation)) == reader.optional_text("mo"))
        .ok_or_else(|| StoreError::corrupt("mo"))?,
        published_at: reader.optional_instant("pa"),
        updated_at: reader.instant("up")?,
        version: reader.count("v"),
        counted_bytes: counted_bytes(item),
    })
}

/// The attributes of an item that changes may write.
fn written(item: &Item) -> Result<Attributes, StoreError> {
    let content = serde_json::to_vec(&item.content).map_err(|_| StoreError::corrupt("b"))?;
    let mut attributes = Attributes::from([
        ("vi".to_owned(), text(keys::visibility_code(item.visibility))),
        ("mo".to_owned(), text(keys::moderation_code(item.moderation))),
        ("b".to_owned(), bytes(pack_small(&content).into_bytes())),
        ("v".to_owned(), number(item.version)),
        ("up".to_owned(), instant(item.updated_at)),
    ]);
    if item.owner.is_some() {
        attributes.insert(COUNTED_BYTES.to_owned(), number(escaped_len(&content).cast_signed()));
    }
    if let Some(published_at) = item.published_at {
        attributes.insert("pa".to_owned(), instant(published_at));
    }
    Ok(attributes)
}

/// The listings that an item is in.
pub(crate) fn listings(item: &Item) -> impl Iterator<Item = Listing> {
    let own = item.owner.map(Listing::Own);
    let public = [Listing::Community, Listing::Official].into_iter();
    own.into_iter().chain(public).filter(|listing| item.is_listed_in(*listing))
}

impl Store {
    /// Reads an item with a consistent read.
    pub async fn library_item(&self, id: LibraryId) -> Result<Option<Item>, StoreError> {
        self.get_item(keys::library_item(id)).await?.as_ref().map(read).transpose()
    }

    /// Reads at most 100 items with consistent reads, in no particular order. Missing ones are left
    /// out.
    pub async fn library_items(&self, ids: &[LibraryId]) -> Result<Vec<Item>, StoreError> {
        let items = self.batch_get(ids.iter().map(|id| keys::library_item(*id)).collect()).await?;
        items.iter().map(read).collect()
    }

    /// Records a new item, whatever its owner may keep. An existing item with this identifier is not
    /// changed.
    pub async fn create_library_item(&self, item: &Item) -> Result<Replaced, StoreError> {
        self.write_new(item, None).await.map_err(QuotaError::without_quota)
    }

    /// The same, if `allowance` has room for it.
    pub async fn create_library_item_within(
        &self,
        allowance: &Allowance,
        item: &Item,
    ) -> Result<Replaced, QuotaError> {
        self.write_new(item, Some(allowance)).await
    }

    async fn write_new(
        &self,
        item: &Item,
        allowance: Option<&Allowance>,
    ) -> Result<Replaced, QuotaError> {
        let mut attributes = keys::library_item(item.id);
        attributes.extend(written(item)?);
        if let Some(owner) = item.owner {
            attributes.insert("ow".to_owned(), text(owner.unique()));
        }
        if let Some(author) = &item.author {
            attributes.insert("au".to_owned(), text(author));
        }
        let put = Put::builder()
            .table_name(&self.names.table)
            .set_item(Some(attributes))
            .condition_expression("attribute_not_exists(pk)")
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
            .build();
        let record = TransactWriteItem::builder().set_put(put.ok()).build();
        let growth = StorageChange::adding(bytes_of(&item.content)?);
        let counted = Counted { owner: item.owner, change: growth, allowance };
        self.write_and_log(record, listings(item), item.id, item.version, Vec::new(), counted).await
    }

    /// Writes an item as `after`, if it still is as `before`. Blocking an item also blocks its
    /// content: neither the same prompt nor nearly the same can be published in another item. If the
    /// item becomes public or stops being public, a notification is enqueued first.
    pub async fn replace_library_item(
        &self,
        before: &Item,
        after: &Item,
    ) -> Result<Replaced, StoreError> {
        self.replace(before, after, None).await.map_err(QuotaError::without_quota)
    }

    /// The same, if `allowance` has room for what is longer.
    pub async fn replace_library_item_within(
        &self,
        allowance: &Allowance,
        before: &Item,
        after: &Item,
    ) -> Result<Replaced, QuotaError> {
        self.replace(before, after, Some(allowance)).await
    }

    async fn replace(
        &self,
        before: &Item,
        after: &Item,
        allowance: Option<&Allowance>,
    ) -> Result<Replaced, QuotaError> {
        let attributes = written(after)?;
        let mut update = Update::builder()
            .table_name(&self.names.table)
            .set_key(Some(keys::library_item(before.id)))
            .condition_expression("v = :before")
            .expression_attribute_values(":before", number(before.version))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        let mut sets = Vec::new();
        for (name, value) in attributes {
            sets.push(format!("{name} = :{name}"));
            update = update.expression_attribute_values(format!(":{name}"), value);
        }
        let remove = if after.published_at.is_none() { " REMOVE pa" } else { "" };
        let update = update.update_expression(format!("SET {}{remove}", sets.join(", "))).build();
        let record = TransactWriteItem::builder().set_update(update.ok()).build();
        let left = listings(before).filter(|listing| !after.is_listed_in(*listing));
        let mut other_writes = self.blocklist_writes(before, after).await?;
        if let Some(change) = VisibilityChange::between(before, after) {
            self.enqueue_visibility_notification(&change).await?;
            other_writes.push(self.record_visibility(&change));
        }
        let change = StorageChange::replacing(before.counted_bytes, bytes_of(&after.content)?);
        // What existed before accounts counted may be changed, whatever the account keeps.
        let allowance = allowance.filter(|_| before.counted_bytes.is_some());
        let counted = Counted { owner: after.owner, change, allowance };
        let listings = listings(after).chain(left);
        self.write_and_log(record, listings, after.id, after.version, other_writes, counted).await
    }

    /// Deletes an item, if it still is as `before`. Reactions of accounts remain and have no
    /// effect. If the item was public, a notification is enqueued first.
    pub async fn delete_library_item(&self, before: &Item) -> Result<Replaced, StoreError> {
        let delete = Delete::builder()
            .table_name(&self.names.table)
            .set_key(Some(keys::library_item(before.id)))
            .condition_expression("v = :before")
            .expression_attribute_values(":before", number(before.version))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
            .build();
        let record = TransactWriteItem::builder().set_delete(delete.ok()).build();
        let version = before.version + 1;
        let mut other_writes = Vec::new();
        if let Some(change) = VisibilityChange::by_deletion(before, version, self.clock.now()) {
            self.enqueue_visibility_notification(&change).await?;
            other_writes.push(self.record_visibility(&change));
        }
        let freed = StorageChange::removing(before.counted_bytes);
        let counted = Counted { owner: before.owner, change: freed, allowance: None };
        self.write_and_log(record, listings(before), before.id, version, other_writes, counted)
            .await
            .map_err(QuotaError::without_quota)
    }

    /// Writes a record, its log entries in `listings`, `other_writes` and what its owner keeps, all
    /// or nothing.
    async fn write_and_log(
        &self,
        record: TransactWriteItem,
        listings: impl Iterator<Item = Listing>,
        id: LibraryId,
        version: u32,
        other_writes: Vec<TransactWriteItem>,
        counted: Counted<'_>,
    ) -> Result<Replaced, QuotaError> {
        let logged_change = ListingChange::Item { id, version };
        let logged = listings.map(|listing| self.log_change(listing, logged_change));
        let mut items: Vec<_> = std::iter::once(record).chain(logged).chain(other_writes).collect();
        let Counted { owner, change, allowance } = counted;
        let count = owner.and_then(|owner| self.count_storage(owner, change, allowance));
        let is_counted = count.is_some();
        items.extend(count);
        let mut refused = match self.transact(items, self.clock.now() + BUDGET).await? {
            Outcome::Committed => return Ok(Replaced::Done),
            Outcome::ConditionFailed(refused) => refused,
        };
        let account_item = is_counted.then(|| refused.pop()).flatten().flatten();
        match (refused.swap_remove(0), account_item) {
            (Some(stands), _) if stands.is_empty() => Ok(Replaced::Outdated(None)),
            (Some(stands), _) => Ok(Replaced::Outdated(Some(Box::new(read(&stands)?)))),
            (None, Some(account_item)) => Err(change.refusal(&account_item, allowance)),
            (None, None) => Ok(Replaced::Blocked),
        }
    }
}
