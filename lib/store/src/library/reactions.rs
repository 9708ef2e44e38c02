//! Reactions of accounts to items: votes and saves, which are toggled, counted exactly, and listed.
//!
//! A reaction and its count change in one transaction. An item has one counter until two
//! transactions conflict there. Then it gets all shards; its record says so before any shard is
//! written, so that a later reader of the counts knows of them.

use std::time::Duration;

use aws_sdk_dynamodb::{
    error::SdkError,
    operation::update_item::UpdateItemError,
    types::{AttributeValue, Put, ReturnValuesOnConditionCheckFailure, TransactWriteItem, Update},
};
use domain::{AccountId, LibraryId, library::Reactions, random};

use super::{
    BUDGET,
    summaries::{SHARDS, reactions_of},
};
use crate::{
    Store, StoreError,
    item::{Attributes, ItemReader, bytes, number, text},
    keys::{self, LIBRARY_REACTION, SK},
    retry::backoff,
    transaction::{Outcome, cancellation},
};

/// How long a toggle tries a counter before it chooses another shard.
const PATIENCE: Duration = Duration::from_millis(100);
/// Position of the counter in a toggle's transaction.
const COUNTER: usize = 0;

/// How long an account's reactions to an item are kept once all are off.
const TOMBSTONE_TTL: Duration = Duration::from_secs(86_400);

/// What an account can toggle on an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReactionKind {
    /// A vote.
    Vote,
    /// A save.
    Save,
}

impl ReactionKind {
    const fn attribute(self) -> &'static str {
        match self {
            ReactionKind::Vote => "vo",
            ReactionKind::Save => "sv",
        }
    }

    const fn of(self, reactions: &mut Reactions) -> &mut bool {
        match self {
            ReactionKind::Vote => &mut reactions.voted,
            ReactionKind::Save => &mut reactions.saved,
        }
    }
}

/// What the account saw before a toggle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// The account's reactions.
    pub reactions: Reactions,
    /// Whether the item's counter is sharded.
    pub is_sharded: bool,
}

/// The outcome of a toggle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Toggled {
    /// The account's reactions after it.
    Now(Reactions),
    /// Other toggles of the same account conflicted until the time limit.
    Contended,
}

/// Whether an account's reactions were written by the toggle with this token.
fn is_of(reactions: &Attributes, token: [u8; 8]) -> bool {
    ItemReader(reactions).bytes("t").is_ok_and(|stored| stored == token)
}

impl Store {
    /// Toggles an account's reaction to an item. `seen` is what the account saw; it may be out of
    /// date.
    pub async fn toggle_reaction(
        &self,
        account: AccountId,
        id: LibraryId,
        kind: ReactionKind,
        seen: Seen,
    ) -> Result<Toggled, StoreError> {
        let deadline = self.clock.now() + BUDGET;
        let token = random::bytes::<8>(&*self.random);
        let (mut before, mut is_sharded) = (seen.reactions, seen.is_sharded);
        let mut pauses = backoff();
        while self.clock.now() < deadline {
            let mut after = before;
            let flag = kind.of(&mut after);
            *flag = !*flag;
            let change = if *flag { 1 } else { -1 };
            let [roll] = random::bytes::<1>(&*self.random);
            let shard = if is_sharded { roll % SHARDS } else { 0 };
            let items = vec![
                self.count_reaction(id, shard, kind, change),
                self.put_reactions(account, id, before, after, token),
            ];
            let patience = deadline.min(self.clock.now() + PATIENCE);
            match self.transact(items, patience).await {
                Ok(Outcome::Committed) => return Ok(Toggled::Now(after)),
                Ok(Outcome::ConditionFailed(refused)) => {
                    let stands = refused.into_iter().flatten().next().unwrap_or_default();
                    before = reactions_of(&stands);
                    // It is this toggle's own write if the response to an earlier try got lost.
                    if is_of(&stands, token) {
                        return Ok(Toggled::Now(before));
                    }
                }
                Err(error) if !is_sharded && cancellation(&error).is_hot_at(COUNTER) => {
                    self.shard_counts(id).await?;
                    is_sharded = true;
                }
                Err(error) if cancellation(&error).is_conflict() => {
                    self.sleep_with_jitter(pauses.next().unwrap_or_default()).await;
                }
                // A caller who is told of a failure toggles again, which would take back what was written.
                Err(error) => {
                    let stands = self.get_item(keys::library_reaction(account, id)).await?;
                    let is_written = stands.is_some_and(|stands| is_of(&stands, token));
                    return if is_written { Ok(Toggled::Now(after)) } else { Err(error) };
                }
            }
        }
        Ok(Toggled::Contended)
    }

    /// The items that an account has voted for or saved, with consistent reads.
    pub async fn items_reacted_to(
        &self,
        account: AccountId,
        kind: ReactionKind,
    ) -> Result<Vec<LibraryId>, StoreError> {
        let mut ids = Vec::new();
        let mut begin = None;
        loop {
            let answer = self
                .clients
                .dynamodb
                .query()
                .table_name(&self.names.table)
                .consistent_read(true)
                .key_condition_expression("pk = :pk AND begins_with(sk, :reactions)")
                .filter_expression("#reaction = :true")
                .expression_attribute_names("#reaction", kind.attribute())
                .expression_attribute_values(":pk", text(account.unique()))
                .expression_attribute_values(":reactions", text(LIBRARY_REACTION))
                .expression_attribute_values(":true", AttributeValue::Bool(true))
                .set_exclusive_start_key(begin)
                .send()
                .await
                .map_err(|error| StoreError::unavailable("table", error))?;
            for item in answer.items.unwrap_or_default() {
                let unique = ItemReader(&item).text(SK)?.strip_prefix(LIBRARY_REACTION);
                let id = LibraryId::from_unique(unique.unwrap_or_default());
                ids.push(id.map_err(|_| StoreError::corrupt(SK))?);
            }
            begin = answer.last_evaluated_key;
            if begin.is_none() {
                return Ok(ids);
            }
        }
    }

    /// The write that changes an account's reactions. Reactions that are all off expire after a
    /// day; until then they show a toggle whose response got lost that it was written.
    fn put_reactions(
        &self,
        account: AccountId,
        id: LibraryId,
        before: Reactions,
        after: Reactions,
        token: [u8; 8],
    ) -> TransactWriteItem {
        let flag = |flag: bool| AttributeValue::Bool(flag);
        let mut item = keys::library_reaction(account, id);
        item.extend([
            (ReactionKind::Vote.attribute().to_owned(), flag(after.voted)),
            (ReactionKind::Save.attribute().to_owned(), flag(after.saved)),
            ("t".to_owned(), bytes(token.to_vec())),
        ]);
        if after == Reactions::default() {
            let lapses = (self.clock.now() + TOMBSTONE_TTL).millis() / 1_000;
            item.insert(keys::TTL.to_owned(), number(lapses));
        }
        let is_as_before = "#vote = :vote AND #save = :save";
        let condition = if before == Reactions::default() {
            format!("attribute_not_exists(pk) OR ({is_as_before})")
        } else {
            is_as_before.to_owned()
        };
        let put = Put::builder()
            .table_name(&self.names.table)
            .set_item(Some(item))
            .condition_expression(condition)
            .expression_attribute_names("#vote", ReactionKind::Vote.attribute())
            .expression_attribute_names("#save", ReactionKind::Save.attribute())
            .expression_attribute_values(":vote", flag(before.voted))
            .expression_attribute_values(":save", flag(before.saved))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
            .build();
        TransactWriteItem::builder().set_put(put.ok()).build()
    }

    fn count_reaction(
        &self,
        id: LibraryId,
        shard: u8,
        kind: ReactionKind,
        change: i64,
    ) -> TransactWriteItem {
        let update = Update::builder()
            .table_name(&self.names.table)
            .set_key(Some(keys::library_counter(id, shard)))
            .update_expression("ADD #reaction :change")
            .expression_attribute_names("#reaction", kind.attribute())
            .expression_attribute_values(":change", number(change))
            .build();
        TransactWriteItem::builder().set_update(update.ok()).build()
    }

    /// Shards an item's counter. Does nothing if the item is gone.
    async fn shard_counts(&self, id: LibraryId) -> Result<(), StoreError> {
        let update = self
            .clients
            .dynamodb
            .update_item()
            .table_name(&self.names.table)
            .set_key(Some(keys::library_item(id)))
            .update_expression("SET hot = :true")
            .condition_expression("attribute_exists(pk) AND attribute_not_exists(hot)")
            .expression_attribute_values(":true", AttributeValue::Bool(true));
        match self.update_with_retry(update).await {
            Ok(_) => Ok(()),
            Err(SdkError::ServiceError(error))
                if matches!(error.err(), UpdateItemError::ConditionalCheckFailedException(_)) =>
            {
                Ok(())
            }
            Err(error) => Err(StoreError::unavailable("table", error)),
        }
    }
}
