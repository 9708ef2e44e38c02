//! Pages of operations, newest first.
//!
//! The index has operations that have ended. Those that have not are few, at most as many as the plan allows at once,
//! and nearly always among the newest: a filtered page finds them in the table.

use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use domain::{AccountId, Kind, Operation, OperationId, Status, Timestamp};
use futures::future::try_join_all;

use crate::{
    Store, StoreError,
    item::text,
    keys::{self, LIST},
    operations::{id_of, read},
};

/// Operations that the calls read which look for active ones. If the last one has not found all, the page ends there.
const READS: [u32; 3] = [50, 200, 800];

/// Which operations to list; `None` does not filter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only those with this status.
    pub status: Option<Status>,
    /// Only those of this kind.
    pub kind: Option<Kind>,
}

impl Filter {
    fn admits(&self, operation: &Operation) -> bool {
        self.status.is_none_or(|status| status == operation.status)
            && self.kind.is_none_or(|kind| kind == operation.kind)
    }

    /// Whether it admits operations that the index does not have.
    fn admits_active(&self) -> bool {
        *self != Self::default() && !self.status.is_some_and(Status::is_final)
    }
}

/// The page to read.
#[derive(Clone, Copy, Debug)]
pub struct PageQuery {
    /// Whose operations.
    pub account: AccountId,
    /// Which of them.
    pub filter: Filter,
    /// Only those that are older than this one.
    pub before: Option<OperationId>,
    /// How many at most.
    pub limit: u32,
}

/// A page of operations.
#[derive(Clone, Debug)]
pub struct Page {
    /// The operations, newest first.
    pub operations: Vec<Operation>,
    /// What the next page has is older than this one; `None` if nothing is.
    pub next: Option<OperationId>,
    /// How many of the next pages' operations have not ended, at most.
    pub active_left: u32,
}

/// Operations of an account that have not ended.
#[derive(Clone, Copy, Debug)]
pub struct Active {
    /// How many there are on this page and the next ones, at most.
    pub count: u32,
    /// Those that were created later may not be counted.
    pub counted_at: Timestamp,
}

impl Page {
    /// The newest `limit` of these. Older ones may follow behind `next`, where they were read up to.
    fn new(mut operations: Vec<Operation>, next: Option<OperationId>, limit: u32) -> Self {
        operations.retain(|operation| next.is_none_or(|next| operation.id >= next));
        operations.sort_by_key(|operation| std::cmp::Reverse(operation.id));
        let is_full = operations.len() > limit as usize;
        operations.truncate(limit as usize);
        let last = operations.last().map(|operation| operation.id).filter(|_| is_full);
        Self { next: last.or(next), operations, active_left: 0 }
    }
}

impl Store {
    /// A page of operations. Without a filter it is one consistent query of the table, and complete. With one, it is a
    /// query of the index for each pair of kind and status that the filter admits, so that at most 7 times the page is
    /// read, and lacks what has not ended: see [`Store::add_active`].
    ///
    /// The index is eventually consistent: an operation that ends at that moment may be missing.
    pub async fn operations(&self, query: PageQuery) -> Result<Page, StoreError> {
        let now = self.clock.now();
        let Filter { status, kind } = query.filter;
        let mut found = if query.filter == Filter::default() {
            newest(self.table_range(query, None), query).await?
        } else {
            let kinds = kind.map_or(Kind::ALL.to_vec(), |kind| vec![kind]);
            let mut statuses = status.map_or(Status::ALL.to_vec(), |status| vec![status]);
            statuses.retain(|status| status.is_final());
            let ranges =
                kinds.iter().flat_map(|kind| statuses.iter().map(move |status| (*kind, *status)));
            let lists = ranges.map(|(kind, status)| self.ended_operations(query, kind, status));
            try_join_all(lists).await?.into_iter().flatten().collect()
        };
        found.retain(|operation| operation.expires_at() > now);
        Ok(Page::new(found, None, query.limit))
    }

    /// Adds what has not ended to a page of [`Store::operations`].
    ///
    /// Reads 1,050 operations at most. If some of the active ones are older, the page ends there.
    pub async fn add_active(
        &self,
        query: PageQuery,
        page: Page,
        active: Active,
    ) -> Result<Page, StoreError> {
        if active.count == 0 || !query.filter.admits_active() {
            return Ok(page);
        }
        let counted = |operations: &[Operation], from: Option<OperationId>| {
            let is_counted = |operation: &&Operation| {
                operation.id.created_at() <= active.counted_at
                    && from.is_none_or(|from| operation.id >= from)
            };
            let count = operations.iter().filter(is_counted).count();
            active.count.saturating_sub(u32::try_from(count).unwrap_or(u32::MAX))
        };
        let mut found: Vec<Operation> = Vec::new();
        let mut read_to = None;
        let mut begin = None;
        for limit in READS {
            let answer = self
                .table_range(query, page.next)
                .filter_expression("st IN (:pending, :running)")
                .expression_attribute_values(":pending", text(keys::status_code(Status::Pending)))
                .expression_attribute_values(":running", text(keys::status_code(Status::Running)))
                .set_exclusive_start_key(begin)
                .limit(limit.cast_signed())
                .send()
                .await
                .map_err(|error| StoreError::unavailable("table", error))?;
            found.extend(answer.items().iter().map(read).collect::<Result<Vec<_>, _>>()?);
            found.retain(|operation| Some(operation.id) != query.before);
            begin = answer.last_evaluated_key.filter(|_| counted(&found, None) > 0);
            read_to = begin.as_ref().map(id_of).transpose()?;
            if begin.is_none() {
                break;
            }
        }
        let admitted = found.iter().filter(|operation| query.filter.admits(operation)).cloned();
        let operations = page.operations.into_iter().chain(admitted).collect();
        let page = Page::new(operations, read_to.or(page.next), query.limit);
        Ok(Page { active_left: counted(&found, page.next), ..page })
    }

    async fn ended_operations(
        &self,
        query: PageQuery,
        kind: Kind,
        status: Status,
    ) -> Result<Vec<Operation>, StoreError> {
        let key = |unique: &str| text(keys::operation_with_status(status, unique));
        let list = keys::operations_of_kind(query.account, kind);
        let range = self
            .newest_first()
            .index_name(LIST)
            .key_condition_expression("lp = :pk AND ls BETWEEN :from AND :to")
            .expression_attribute_values(":pk", text(list))
            .expression_attribute_values(":from", key(OLDEST))
            .expression_attribute_values(":to", key(&upper(query)));
        newest(range, query).await
    }

    /// The operations of the table, from `oldest` on.
    fn table_range(&self, query: PageQuery, oldest: Option<OperationId>) -> QueryFluentBuilder {
        let key = |unique: &str| text(keys::operation_sk(unique));
        let oldest = oldest.map_or(OLDEST.to_owned(), OperationId::unique);
        self.newest_first()
            .consistent_read(true)
            .key_condition_expression("pk = :pk AND sk BETWEEN :from AND :to")
            .expression_attribute_values(":pk", text(query.account.unique()))
            .expression_attribute_values(":from", key(&oldest))
            .expression_attribute_values(":to", key(&upper(query)))
    }

    fn newest_first(&self) -> QueryFluentBuilder {
        self.clients.dynamodb.query().table_name(&self.names.table).scan_index_forward(false)
    }
}

/// Sorts before every ULID.
const OLDEST: &str = "0";

/// The bound of a range above: `~` sorts behind every character of a ULID.
fn upper(query: PageQuery) -> String {
    query.before.map_or("~".to_owned(), OperationId::unique)
}

/// The newest operations of a range: one more than the page has, and the bound, which is part of the range.
async fn newest(range: QueryFluentBuilder, query: PageQuery) -> Result<Vec<Operation>, StoreError> {
    let limit = query.limit + 1 + u32::from(query.before.is_some());
    let answer = range
        .limit(i32::try_from(limit).unwrap_or(i32::MAX))
        .send()
        .await
        .map_err(|error| StoreError::unavailable("table", error))?;
    let items = answer.items().iter().map(read).collect::<Result<Vec<_>, _>>()?;
    Ok(items.into_iter().filter(|operation| Some(operation.id) != query.before).collect())
}
