//! Changes of an item's visibility, for its owner's webhook endpoints.
//!
//! The transaction of a change also writes a record of it, by the item's new version: the item may
//! be changed again, or deleted, before its message is received. The message is enqueued whether or
//! not an endpoint subscribes to it: reading the owner's account item in the transaction would cost
//! as much as the record, and conflict with every request of the account.
//!
//! | attribute | holds |
//! |---|---|
//! | `ow` | the item's owner |
//! | `vi` | its new visibility; absent if it is deleted |
//! | `up` | when it was changed |

use std::time::Duration;

use aws_sdk_dynamodb::types::{Put, TransactWriteItem};
use domain::{
    AccountId, LibraryId, Timestamp,
    library::{Item, Visibility},
};

use super::{owner_of, visibility_of};
use crate::{
    Store, StoreError,
    item::{Attributes, ItemReader, instant, number, text},
    keys,
    webhooks::Subscriptions,
    webhooks::queue::{Notification, VisibilityMessage},
};

/// How long a change is kept: longer than any queue keeps its message.
const REMEMBERED: Duration = Duration::from_secs(30 * 86_400);

/// A change of an item's visibility.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VisibilityChange {
    /// Which item.
    pub item: LibraryId,
    /// The item's version after it.
    pub version: u32,
    /// The item's owner.
    pub owner: AccountId,
    /// The visibility after it; `None` if the item was deleted.
    pub visibility: Option<Visibility>,
    /// When it was made.
    pub at: Timestamp,
}

impl VisibilityChange {
    /// The change to notify of: the item became public, or stopped being public. Official items
    /// have no owner, so there is no one to notify.
    pub(super) fn between(before: &Item, after: &Item) -> Option<Self> {
        let changed = is_public(before) != is_public(after);
        Self::of(before, after.version, Some(after.visibility), after.updated_at)
            .filter(|_| changed)
    }

    /// The same for the item's deletion at `now`, as `version`.
    pub(super) fn by_deletion(before: &Item, version: u32, now: Timestamp) -> Option<Self> {
        Self::of(before, version, None, now).filter(|_| is_public(before))
    }

    fn of(
        item: &Item,
        version: u32,
        visibility: Option<Visibility>,
        at: Timestamp,
    ) -> Option<Self> {
        item.owner.map(|owner| Self { item: item.id, version, owner, visibility, at })
    }

    /// Whether the item is public since.
    pub fn is_publication(&self) -> bool {
        self.visibility == Some(Visibility::Community)
    }

    fn read(message: &VisibilityMessage, item: &Attributes) -> Result<Self, StoreError> {
        let reader = ItemReader(item);
        Ok(Self {
            item: message.item_id,
            version: message.version,
            owner: owner_of(item)?.ok_or_else(|| StoreError::corrupt("ow"))?,
            visibility: visibility_of(item)?,
            at: reader.instant("up")?,
        })
    }
}

fn is_public(item: &Item) -> bool {
    item.visibility == Visibility::Community
}

impl Store {
    /// Enqueues the notification of a change that is about to be written. Returns once the queue
    /// has it.
    pub(super) async fn enqueue_visibility_notification(
        &self,
        change: &VisibilityChange,
    ) -> Result<(), StoreError> {
        let message = VisibilityMessage {
            account_id: change.owner,
            item_id: change.item,
            version: change.version,
            enqueued_at: self.clock.now(),
        };
        self.enqueue_notification(&Notification::Library(message), Duration::ZERO).await
    }

    /// The write that records a change.
    pub(super) fn record_visibility(&self, change: &VisibilityChange) -> TransactWriteItem {
        let mut item: Attributes = keys::library_visibility(change.item, change.version);
        item.extend([
            ("ow".to_owned(), text(change.owner.unique())),
            ("up".to_owned(), instant(change.at)),
            (keys::TTL.to_owned(), number((change.at + REMEMBERED).seconds_up())),
        ]);
        if let Some(visibility) = change.visibility {
            item.insert("vi".to_owned(), text(keys::visibility_code(visibility)));
        }
        let put = Put::builder().table_name(&self.names.table).set_item(Some(item)).build();
        TransactWriteItem::builder().set_put(put.ok()).build()
    }

    /// Reads the change that a message names, if it was written, and the owner's subscriptions, as
    /// they are at one instant. So there is every endpoint that was created before the change.
    pub async fn visibility_change(
        &self,
        message: &VisibilityMessage,
    ) -> Result<Option<(VisibilityChange, Subscriptions)>, StoreError> {
        let change = keys::library_visibility(message.item_id, message.version);
        let keys = [change, keys::webhook_subscriptions(message.account_id)];
        let [change, subscriptions] = self.transact_get(keys).await?;
        let change = change.map(|item| VisibilityChange::read(message, &item)).transpose()?;
        let subscriptions = Subscriptions::read(subscriptions.as_ref())?;
        let change = change.filter(|change| change.owner == message.account_id);
        Ok(change.map(|change| (change, subscriptions)))
    }
}
