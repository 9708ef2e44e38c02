//! What accounts do with items: votes and saves, which are toggled, counted exactly, and listed.
//!
//! A mark and the count that it changes are one transaction. An item has one counter until two accounts
//! meet there; then it gets all shards, first in its record, so that whoever reads the counts afterwards
//! knows of them.

use std::time::Duration;

use aws_sdk_dynamodb::{
    error::SdkError,
    operation::update_item::UpdateItemError,
    types::{AttributeValue, Put, ReturnValuesOnConditionCheckFailure, TransactWriteItem, Update},
};
use domain::{AccountId, LibraryId, library::Marks, random};

use super::{
    BUDGET,
    cards::{SHARDS, marks_of},
};
use crate::{
    Store, StoreError,
    item::{Reader, bytes, number, text},
    keys::{self, LIBRARY_MARK, SK},
    transaction::{Outcome, was_in_the_way},
};

/// How long a counter is tried before another one is.
const PATIENCE: Duration = Duration::from_millis(100);
/// Place of the counter in a toggle's transaction.
const COUNTER: usize = 0;

/// How long marks are kept that are all off.
const OFF_FOR: Duration = Duration::from_secs(86_400);

/// What an account can do with an item, and take back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A vote.
    Vote,
    /// A save.
    Save,
}

impl Mark {
    const fn attribute(self) -> &'static str {
        match self {
            Mark::Vote => "vo",
            Mark::Save => "sv",
        }
    }

    const fn of(self, marks: &mut Marks) -> &mut bool {
        match self {
            Mark::Vote => &mut marks.voted,
            Mark::Save => &mut marks.saved,
        }
    }
}

/// What a toggle starts from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// The account's marks.
    pub marks: Marks,
    /// Whether the item's counts are spread over shards.
    pub is_spread: bool,
}

/// What a toggle came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Toggled {
    /// What the account's marks are now.
    Now(Marks),
    /// Other toggles of the same account came in between all the time.
    Contended,
}

impl Store {
    /// Turns an account's mark on an item on or off. `seen` is what the account saw; it may be out of date.
    pub async fn toggle_library_mark(
        &self,
        account: AccountId,
        id: LibraryId,
        mark: Mark,
        seen: Seen,
    ) -> Result<Toggled, StoreError> {
        let deadline = self.clock.now() + BUDGET;
        let token = random::bytes::<8>(&*self.random);
        let (mut before, mut is_spread) = (seen.marks, seen.is_spread);
        while self.clock.now() < deadline {
            let mut after = before;
            let flag = mark.of(&mut after);
            *flag = !*flag;
            let change = if *flag { 1 } else { -1 };
            let [roll] = random::bytes::<1>(&*self.random);
            let shard = if is_spread { roll % SHARDS } else { 0 };
            let items = vec![
                self.count_mark(id, shard, mark, change),
                self.put_mark(account, id, before, after, token),
            ];
            let patience = deadline.min(self.clock.now() + PATIENCE);
            match self.transact(items, patience).await {
                Ok(Outcome::Committed) => return Ok(Toggled::Now(after)),
                Ok(Outcome::Refused(refused)) => {
                    let stands = refused.into_iter().flatten().next().unwrap_or_default();
                    before = marks_of(&stands);
                    // It is this toggle's own if the answer to an earlier try got lost.
                    if Reader(&stands).bytes("t").is_ok_and(|stored| stored == token) {
                        return Ok(Toggled::Now(before));
                    }
                }
                Err(error) if !is_spread && was_in_the_way(&error, COUNTER) => {
                    self.spread_counts(id).await?;
                    is_spread = true;
                }
                Err(error) if self.clock.now() >= deadline => return Err(error),
                Err(_) => {}
            }
        }
        Ok(Toggled::Contended)
    }

    /// The items that an account has voted for or saved, with everything written before.
    pub async fn library_marks(
        &self,
        account: AccountId,
        mark: Mark,
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
                .key_condition_expression("pk = :pk AND begins_with(sk, :marks)")
                .filter_expression("#mark = :true")
                .expression_attribute_names("#mark", mark.attribute())
                .expression_attribute_values(":pk", text(account.unique()))
                .expression_attribute_values(":marks", text(LIBRARY_MARK))
                .expression_attribute_values(":true", AttributeValue::Bool(true))
                .set_exclusive_start_key(begin)
                .send()
                .await
                .map_err(|error| StoreError::unavailable("table", error))?;
            for item in answer.items.unwrap_or_default() {
                let unique = Reader(&item).text(SK)?.strip_prefix(LIBRARY_MARK);
                let id = LibraryId::from_unique(unique.unwrap_or_default());
                ids.push(id.map_err(|_| StoreError::corrupt(SK))?);
            }
            begin = answer.last_evaluated_key;
            if begin.is_none() {
                return Ok(ids);
            }
        }
    }

    /// The write that changes an account's marks. Marks that are all off lapse after a day, in which they
    /// tell a toggle whose answer got lost that it was made.
    fn put_mark(
        &self,
        account: AccountId,
        id: LibraryId,
        before: Marks,
        after: Marks,
        token: [u8; 8],
    ) -> TransactWriteItem {
        let flag = |flag: bool| AttributeValue::Bool(flag);
        let mut item = keys::library_mark(account, id);
        item.extend([
            (Mark::Vote.attribute().to_owned(), flag(after.voted)),
            (Mark::Save.attribute().to_owned(), flag(after.saved)),
            ("t".to_owned(), bytes(token.to_vec())),
        ]);
        if after == Marks::default() {
            let lapses = (self.clock.now() + OFF_FOR).millis() / 1_000;
            item.insert(keys::TTL.to_owned(), number(lapses));
        }
        let is_as_before = "#vote = :vote AND #save = :save";
        let condition = if before == Marks::default() {
            format!("attribute_not_exists(pk) OR ({is_as_before})")
        } else {
            is_as_before.to_owned()
        };
        let put = Put::builder()
            .table_name(&self.names.table)
            .set_item(Some(item))
            .condition_expression(condition)
            .expression_attribute_names("#vote", Mark::Vote.attribute())
            .expression_attribute_names("#save", Mark::Save.attribute())
            .expression_attribute_values(":vote", flag(before.voted))
            .expression_attribute_values(":save", flag(before.saved))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
            .build();
        TransactWriteItem::builder().set_put(put.ok()).build()
    }

    fn count_mark(&self, id: LibraryId, shard: u8, mark: Mark, change: i64) -> TransactWriteItem {
        let update = Update::builder()
            .table_name(&self.names.table)
            .set_key(Some(keys::library_counter(id, shard)))
            .update_expression("ADD #mark :change")
            .expression_attribute_names("#mark", mark.attribute())
            .expression_attribute_values(":change", number(change))
            .build();
        TransactWriteItem::builder().set_update(update.ok()).build()
    }

    /// Lets an item's counts have all shards. Does nothing if the item is gone.
    async fn spread_counts(&self, id: LibraryId) -> Result<(), StoreError> {
        let update = self
            .clients
            .dynamodb
            .update_item()
            .table_name(&self.names.table)
            .set_key(Some(keys::library_item(id)))
            .update_expression("SET hot = :true")
            .condition_expression("attribute_exists(pk) AND attribute_not_exists(hot)")
            .expression_attribute_values(":true", AttributeValue::Bool(true));
        match self.update_patiently(update).await {
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
