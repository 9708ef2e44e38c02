//! History items: what finished AI operations leave permanently.
//!
//! An item has what a list shows, and the operations whose bodies are its content, oldest first. An
//! item or version has its identifier from the operation that made it, so no lookup is needed.

pub mod deletion;

use aws_sdk_dynamodb::{
    error::SdkError,
    operation::update_item::UpdateItemError,
    types::{
        AttributeValue, Put, ReturnValue, ReturnValuesOnConditionCheckFailure, TransactWriteItem,
        Update,
    },
};
use domain::{
    AccountId, HistoryId, HistoryType, Operation, OperationId, Timestamp, UploadId, VersionId,
};
use futures::future::try_join_all;

use crate::{
    Store, StoreError,
    item::{Attributes, ItemReader, instant, number, text},
    keys::{self, LIST_PK, LIST_SK, SK},
    list::{Entries, case_folded, offset_index::List},
    operations::read_uploads,
};

/// Operations that one item may have, so that it stays far below DynamoDB's limit of 400 KB.
pub const OPERATIONS_LIMIT: u32 = 1_000;
/// Bytes that an item's detail may have, JSON-escaped as in a Lambda response, which is limited to
/// 6 MB.
pub const BYTES_LIMIT: u64 = 5_000_000;
/// Bytes from which an item takes no more operations: another result would hardly fit.
const FULL_FROM: u64 = 3_000_000;
/// Keys that one batch may read.
const BATCH: usize = 100;

/// What a list shows of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Its title.
    pub title: String,
    /// The beginning of its newest prompt.
    pub excerpt: String,
    /// Name of the newest target model.
    pub target_model: String,
    /// Language of the newest result.
    pub language: String,
}

/// What an operation adds to history.
#[derive(Clone, Debug)]
pub struct HistoryWrite {
    /// Which item.
    pub id: HistoryId,
    /// Whether the operation creates it.
    pub is_new: bool,
    /// What a list shows from now on; an existing title is kept.
    pub summary: Summary,
    /// Versions that the operation made.
    pub versions: u32,
}

/// An item as a list shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryItem {
    /// Its identifier.
    pub id: HistoryId,
    /// What a list shows.
    pub summary: Summary,
    /// Number of its versions.
    pub version_count: u32,
    /// When it was last added to or renamed.
    pub updated_at: Timestamp,
}

/// An item with the operations that its content comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryHead {
    /// What a list shows.
    pub item: HistoryItem,
    /// Its operations, oldest first.
    pub operations: Vec<OperationId>,
    /// Bytes of its detail in a Lambda response, JSON-escaped.
    pub bytes: u64,
    /// Bytes that it counts in what its account keeps: those and the attached files'.
    pub(crate) kept: i64,
}

impl HistoryHead {
    /// Whether it takes no more operations.
    pub fn is_full(&self) -> bool {
        self.operations.len() >= OPERATIONS_LIMIT as usize || self.bytes >= FULL_FROM
    }
}

/// A page of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryPage {
    /// Its items, newest first.
    pub items: Vec<HistoryItem>,
    /// Whether older items follow.
    pub has_more: bool,
    /// Whether a search has read as much as it may, and older items are left.
    pub is_cut_off: bool,
}

/// The item of a body.
pub(crate) struct StoredItem {
    /// The body in its stored form.
    pub bytes: Vec<u8>,
    /// The uploads that it keeps as attachments.
    pub uploads: Vec<UploadId>,
}

/// The versions that an operation may make: at most two.
pub fn versions_of(operation: OperationId) -> [VersionId; 2] {
    [VersionId::from_bits(operation.bits()), VersionId::from_bits(operation.bits() ^ 1)]
}

/// The operations that may have made a version.
pub fn makers_of(version: VersionId) -> [OperationId; 2] {
    [OperationId::from_bits(version.bits()), OperationId::from_bits(version.bits() ^ 1)]
}

fn read_item(
    kind: HistoryType,
    unique: &str,
    item: &Attributes,
) -> Result<HistoryItem, StoreError> {
    let reader = ItemReader(item);
    Ok(HistoryItem {
        id: HistoryId::from_unique(kind, unique).map_err(|_| StoreError::corrupt(SK))?,
        summary: Summary {
            title: reader.text("ti")?.to_owned(),
            excerpt: reader.text("ex")?.to_owned(),
            target_model: reader.text("tm")?.to_owned(),
            language: reader.text("la")?.to_owned(),
        },
        version_count: reader.count("vc"),
        updated_at: reader.instant("up")?,
    })
}

pub(crate) fn is_tombstone(item: &Attributes) -> bool {
    item.contains_key("dead")
}

/// The item with its operations; `None` if it is a tombstone.
fn read_head(id: HistoryId, item: &Attributes) -> Result<Option<HistoryHead>, StoreError> {
    if is_tombstone(item) {
        return Ok(None);
    }
    let operations = read_operations(item)?;
    let bytes = ItemReader(item).number("sz")?.unsigned_abs();
    let kept = ItemReader(item).optional_number("kb").unwrap_or_default();
    let item = read_item(id.kind(), &id.unique(), item)?;
    Ok(Some(HistoryHead { item, operations, bytes, kept }))
}

pub(crate) fn read_operations(item: &Attributes) -> Result<Vec<OperationId>, StoreError> {
    let uniques = ItemReader(item).texts("vs")?;
    uniques
        .into_iter()
        .map(|unique| OperationId::from_unique(unique).map_err(|_| StoreError::corrupt("vs")))
        .collect()
}

impl Store {
    /// Reads an item with a consistent read.
    pub async fn history(
        &self,
        account: AccountId,
        id: HistoryId,
    ) -> Result<Option<HistoryHead>, StoreError> {
        match self.get_item(keys::history(account, id)).await? {
            Some(item) => read_head(id, &item),
            None => Ok(None),
        }
    }

    /// The bodies of operations, in the order of `operations`; missing ones are left out.
    pub async fn bodies(
        &self,
        account: AccountId,
        operations: &[OperationId],
    ) -> Result<Vec<(OperationId, Vec<u8>)>, StoreError> {
        let stored = self.stored_bodies(account, operations).await?;
        let read = stored.iter().map(|(id, stored)| async move {
            Ok::<_, StoreError>((*id, self.read_body(&stored.bytes).await?))
        });
        let bodies = try_join_all(read).await?;
        Ok(bodies.into_iter().filter_map(|(id, body)| Some((id, body?))).collect())
    }

    /// The stored items of bodies, in the order of `operations`; missing ones are left out.
    pub(crate) async fn stored_bodies(
        &self,
        account: AccountId,
        operations: &[OperationId],
    ) -> Result<Vec<(OperationId, StoredItem)>, StoreError> {
        let batches = operations.chunks(BATCH).map(|batch| self.stored_batch(account, batch));
        Ok(try_join_all(batches).await?.into_iter().flatten().collect())
    }

    async fn stored_batch(
        &self,
        account: AccountId,
        operations: &[OperationId],
    ) -> Result<Vec<(OperationId, StoredItem)>, StoreError> {
        let keys = operations.iter().map(|operation| keys::body(account, *operation)).collect();
        let mut found = std::collections::HashMap::new();
        for item in self.batch_get(keys).await? {
            let sort_key = ItemReader(&item).text(SK)?.to_owned();
            let bytes = ItemReader(&item).bytes("b")?.to_vec();
            found.insert(sort_key, StoredItem { bytes, uploads: read_uploads(&item)? });
        }
        Ok(operations
            .iter()
            .filter_map(|operation| Some((*operation, found.remove(&keys::body_sk(*operation))?)))
            .collect())
    }

    /// Lists items of a kind, newest first, from `offset`; at most `limit` of them. With `search`,
    /// only those whose title or excerpt contains it, ignoring case.
    ///
    /// The index is eventually consistent.
    pub async fn histories(
        &self,
        account: AccountId,
        kind: HistoryType,
        search: Option<&str>,
        offset: u64,
        limit: u32,
    ) -> Result<HistoryPage, StoreError> {
        let page = self.entries(List::history(account, kind), search, offset, limit).await?;
        let items = page
            .entries
            .iter()
            .map(|entry| read_item(kind, ItemReader(entry).text(LIST_SK)?, entry))
            .collect::<Result<_, _>>()?;
        let Entries { has_more, is_cut_off, .. } = page;
        Ok(HistoryPage { items, has_more, is_cut_off })
    }

    /// Changes an item's title; `None` if there is no such item.
    pub async fn rename_history(
        &self,
        account: AccountId,
        id: HistoryId,
        title: &str,
    ) -> Result<Option<HistoryHead>, StoreError> {
        let update = self
            .clients
            .dynamodb
            .update_item()
            .table_name(&self.names.table)
            .set_key(Some(keys::history(account, id)))
            .update_expression("SET ti = :title, tl = :case_folded, up = :now")
            .condition_expression("attribute_exists(pk) AND attribute_not_exists(dead)")
            .expression_attribute_values(":title", text(title))
            .expression_attribute_values(":case_folded", text(case_folded(title)))
            .expression_attribute_values(":now", instant(self.clock.now()))
            .return_values(ReturnValue::AllNew);
        match self.update_with_retry(update).await {
            Ok(output) => read_head(id, &output.attributes.unwrap_or_default()),
            Err(SdkError::ServiceError(error))
                if matches!(error.err(), UpdateItemError::ConditionalCheckFailedException(_)) =>
            {
                Ok(None)
            }
            Err(error) => Err(StoreError::unavailable("table", error)),
        }
    }

    pub(crate) fn write_history(
        &self,
        ended: &Operation,
        write: &HistoryWrite,
        bytes: u64,
        kept: i64,
    ) -> TransactWriteItem {
        let updated = ended.completed_at.unwrap_or_else(|| self.clock.now());
        let operation = AttributeValue::L(vec![text(ended.id.unique())]);
        let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
        let summary = &write.summary;
        if write.is_new {
            let mut item = keys::history(ended.account, write.id);
            item.extend([
                (
                    LIST_PK.to_owned(),
                    text(keys::list_partition(ended.account, keys::history_list(write.id.kind()))),
                ),
                (LIST_SK.to_owned(), text(write.id.unique())),
                ("ti".to_owned(), text(&summary.title)),
                ("tl".to_owned(), text(case_folded(&summary.title))),
                ("ex".to_owned(), text(&summary.excerpt)),
                ("el".to_owned(), text(case_folded(&summary.excerpt))),
                ("tm".to_owned(), text(&summary.target_model)),
                ("la".to_owned(), text(&summary.language)),
                ("vs".to_owned(), operation),
                ("vc".to_owned(), number(write.versions)),
                ("sz".to_owned(), number(bytes)),
                ("kb".to_owned(), number(kept)),
                ("up".to_owned(), instant(updated)),
            ]);
            let put = Put::builder()
                .table_name(&self.names.table)
                .set_item(Some(item))
                .condition_expression("attribute_not_exists(pk)")
                .return_values_on_condition_check_failure(
                    ReturnValuesOnConditionCheckFailure::AllOld,
                )
                .build();
            return TransactWriteItem::builder().set_put(put.ok()).build();
        }
        let update = Update::builder()
            .table_name(&self.names.table)
            .set_key(Some(keys::history(ended.account, write.id)))
            .update_expression(
                "SET vs = list_append(vs, :operation), ex = :excerpt, el = :case_folded, tm = :model, \
                 la = :language, up = :now ADD vc :versions, sz :bytes, kb :kept",
            )
            .condition_expression(
                "attribute_exists(pk) AND attribute_not_exists(dead) AND size(vs) < :most \
                 AND sz <= :room",
            )
            .expression_attribute_values(":operation", operation)
            .expression_attribute_values(":excerpt", text(&summary.excerpt))
            .expression_attribute_values(":case_folded", text(case_folded(&summary.excerpt)))
            .expression_attribute_values(":model", text(&summary.target_model))
            .expression_attribute_values(":language", text(&summary.language))
            .expression_attribute_values(":now", instant(updated))
            .expression_attribute_values(":versions", number(write.versions))
            .expression_attribute_values(":bytes", number(bytes))
            .expression_attribute_values(":kept", number(kept))
            .expression_attribute_values(":most", number(OPERATIONS_LIMIT))
            .expression_attribute_values(":room", number(BYTES_LIMIT.cast_signed() - bytes))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
            .build();
        TransactWriteItem::builder().set_update(update.ok()).build()
    }
}
