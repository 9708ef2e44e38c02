//! Operations: read, list, claim.

pub(crate) mod model_usage;
pub mod queue;
pub mod settlement;
pub mod start;

use std::time::Duration;

use aws_sdk_dynamodb::{
    operation::{query::builders::QueryFluentBuilder, update_item::UpdateItemError},
    types::{AttributeValue, ReturnValue, ReturnValuesOnConditionCheckFailure},
};
use domain::{
    AccountId, EventKinds, Kind, Operation, OperationId, Problem, Status, Timestamp, UploadId,
    random,
};
use futures::future::try_join_all;

use crate::{
    Store, StoreError,
    item::{Attributes, ItemReader, bytes, instant, number, text},
    keys::{self, LIST, LIST_PK, LIST_SK, PK, SK, TTL},
};

/// Which operations to list; `None` does not filter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only those with this status.
    pub status: Option<Status>,
    /// Only those of this kind.
    pub kind: Option<Kind>,
}

/// An operation with its body, if it has ended and the body is still kept.
#[derive(Clone, Debug)]
pub struct Found {
    /// The record.
    pub operation: Operation,
    /// JSON of the body.
    pub body: Option<Vec<u8>>,
}

pub(crate) fn write(operation: &Operation) -> Attributes {
    let unique = operation.id.unique();
    let mut item = keys::operation(operation.account, operation.id);
    item.extend([
        (LIST_PK.to_owned(), text(keys::operations_of_kind(operation.account, operation.kind))),
        (LIST_SK.to_owned(), text(keys::operation_with_status(operation.status, &unique))),
        ("st".to_owned(), text(keys::status_code(operation.status))),
        ("att".to_owned(), number(operation.attempt)),
        ("lu".to_owned(), instant(operation.lease_until)),
        ("p".to_owned(), instant(operation.period)),
        ("ik".to_owned(), text(&operation.idempotency)),
        (TTL.to_owned(), number(operation.expires_at().seconds_up())),
    ]);
    if operation.asynchronous {
        item.insert("asy".to_owned(), number(1));
    }
    if let Some(started) = operation.started_at {
        item.insert("t0".to_owned(), instant(started));
    }
    if operation.subscribed_events != EventKinds::NONE {
        item.insert("aw".to_owned(), number(operation.subscribed_events.bits()));
    }
    write_uploads(&mut item, &operation.uploads);
    item
}

pub(crate) fn read(item: &Attributes) -> Result<Operation, StoreError> {
    let reader = ItemReader(item);
    // The index keys have kind and status, so the item does not repeat them.
    let kind = reader.text(LIST_PK)?.rsplit('#').next();
    let status = reader.text(LIST_SK)?.split('#').next();
    let id =
        reader.text(SK)?.strip_prefix(keys::OPERATION).ok_or_else(|| StoreError::corrupt(SK))?;
    let problem = match item.get("pb") {
        Some(_) => Some(read_problem(reader.map("pb")?)?),
        None => None,
    };
    Ok(Operation {
        id: OperationId::from_unique(id).map_err(|_| StoreError::corrupt(SK))?,
        account: AccountId::from_unique(reader.text(PK)?).map_err(|_| StoreError::corrupt(PK))?,
        kind: Kind::ALL
            .into_iter()
            .find(|known| kind == Some(keys::kind_code(*known)))
            .ok_or_else(|| StoreError::corrupt(LIST_PK))?,
        status: Status::ALL
            .into_iter()
            .find(|known| status == Some(keys::status_code(*known)))
            .ok_or_else(|| StoreError::corrupt(LIST_SK))?,
        asynchronous: reader.optional_number("asy").is_some(),
        attempt: reader.count("att"),
        lease_until: reader.instant("lu")?,
        started_at: reader.optional_instant("t0"),
        completed_at: reader.optional_instant("t1"),
        period: reader.instant("p")?,
        idempotency: reader.text("ik")?.to_owned(),
        problem,
        uploads: read_uploads(item)?,
        subscribed_events: EventKinds::from_bits(reader.count("aw")),
        model_usage: model_usage::read(item)?,
    })
}

/// Why an operation failed, in its stored form.
pub(crate) fn write_problem(problem: &Problem) -> AttributeValue {
    AttributeValue::M(Attributes::from([
        ("c".to_owned(), text(&problem.code)),
        ("m".to_owned(), text(&problem.message)),
    ]))
}

fn read_problem(problem: &Attributes) -> Result<Problem, StoreError> {
    let reader = ItemReader(problem);
    Ok(Problem { code: reader.text("c")?.to_owned(), message: reader.text("m")?.to_owned() })
}

/// Writes the uploads that an operation has consumed into its item.
pub(crate) fn write_uploads(item: &mut Attributes, uploads: &[UploadId]) {
    if !uploads.is_empty() {
        let uniques = uploads.iter().map(|upload| text(upload.unique())).collect();
        item.insert("ups".to_owned(), AttributeValue::L(uniques));
    }
}

/// The uploads in an operation's item.
pub(crate) fn read_uploads(item: &Attributes) -> Result<Vec<UploadId>, StoreError> {
    if !item.contains_key("ups") {
        return Ok(Vec::new());
    }
    let uniques = ItemReader(item).texts("ups")?.into_iter();
    uniques
        .map(|unique| UploadId::from_unique(unique).map_err(|_| StoreError::corrupt("ups")))
        .collect()
}

impl Store {
    /// Reads an operation and its body in one call, with consistent reads.
    ///
    /// `None` if there is none, or its 90 days are over.
    pub async fn operation(
        &self,
        account: AccountId,
        id: OperationId,
    ) -> Result<Option<Found>, StoreError> {
        let now = self.clock.now();
        let found = self.read_with_body(account, id).await?;
        let found = match found {
            // A batch is no snapshot: it may have read the ended operation without its body.
            Some(Found { operation, body: None })
                if operation.result_expires_at().is_some_and(|expiry| expiry > now) =>
            {
                self.read_with_body(account, id).await?
            }
            found => found,
        };
        Ok(found.filter(|found| found.operation.expires_at() > now))
    }

    async fn read_with_body(
        &self,
        account: AccountId,
        id: OperationId,
    ) -> Result<Option<Found>, StoreError> {
        let keys = vec![keys::operation(account, id), keys::body(account, id)];
        let items = self.batch_get(keys).await?;
        let mut record = None;
        let mut stored = None;
        for item in &items {
            if ItemReader(item).text(SK)?.starts_with(keys::OPERATION) {
                record = Some(read(item)?);
            } else {
                stored = Some(ItemReader(item).bytes("b")?);
            }
        }
        let Some(operation): Option<Operation> = record else { return Ok(None) };
        let now = self.clock.now();
        let kept = operation.result_expires_at().is_some_and(|expiry| expiry > now);
        let body = match stored.filter(|_| kept) {
            Some(stored) => self.read_body(stored).await?,
            None => None,
        };
        Ok(Some(Found { operation, body }))
    }

    /// Reads an operation without its body, with a consistent read.
    pub async fn operation_record(
        &self,
        account: AccountId,
        id: OperationId,
    ) -> Result<Option<Operation>, StoreError> {
        let item = self.get_item(keys::operation(account, id)).await?;
        let now = self.clock.now();
        let record = item.as_ref().map(read).transpose()?;
        Ok(record.filter(|operation| operation.expires_at() > now))
    }

    /// Lists operations, newest first, older than `before`; at most `limit` of them.
    ///
    /// Without a filter this is one consistent query of the table. With one, it is a query of the index for
    /// each pair of kind and status that the filter allows, so that at most 7 times the page is
    /// read. The index is eventually consistent: an operation that changes its status at that
    /// moment may be missing.
    pub async fn operations(
        &self,
        account: AccountId,
        filter: Filter,
        before: Option<OperationId>,
        limit: u32,
    ) -> Result<Vec<Operation>, StoreError> {
        let now = self.clock.now();
        let mut found = if filter == Filter::default() {
            self.newest_operations(account, before, limit).await?
        } else {
            let kinds = filter.kind.map_or(Kind::ALL.to_vec(), |kind| vec![kind]);
            let statuses = filter.status.map_or(Status::ALL.to_vec(), |status| vec![status]);
            let ranges =
                kinds.iter().flat_map(|kind| statuses.iter().map(move |status| (*kind, *status)));
            let lists = ranges
                .map(|(kind, status)| self.operations_in(account, kind, status, before, limit));
            try_join_all(lists).await?.into_iter().flatten().collect()
        };
        found.retain(|operation| operation.expires_at() > now);
        found.sort_by_key(|operation| std::cmp::Reverse(operation.id));
        // An operation whose status changed meanwhile may be in two ranges.
        found.dedup_by_key(|operation| operation.id);
        found.truncate(limit as usize);
        Ok(found)
    }

    async fn newest_operations(
        &self,
        account: AccountId,
        before: Option<OperationId>,
        limit: u32,
    ) -> Result<Vec<Operation>, StoreError> {
        let query = self
            .clients
            .dynamodb
            .query()
            .consistent_read(true)
            .key_condition_expression("pk = :pk AND sk BETWEEN :from AND :to")
            .expression_attribute_values(":pk", text(account.unique()));
        self.newest_in(query, keys::operation_sk, before, limit).await
    }

    async fn operations_in(
        &self,
        account: AccountId,
        kind: Kind,
        status: Status,
        before: Option<OperationId>,
        limit: u32,
    ) -> Result<Vec<Operation>, StoreError> {
        let query = self
            .clients
            .dynamodb
            .query()
            .index_name(LIST)
            .key_condition_expression("lp = :pk AND ls BETWEEN :from AND :to")
            .expression_attribute_values(":pk", text(keys::operations_of_kind(account, kind)));
        let key = |unique: &str| keys::operation_with_status(status, unique);
        self.newest_in(query, key, before, limit).await
    }

    /// The newest operations of a range older than `before`; `sort_key` builds the range's bounds.
    async fn newest_in(
        &self,
        query: QueryFluentBuilder,
        sort_key: impl Fn(&str) -> String,
        before: Option<OperationId>,
        limit: u32,
    ) -> Result<Vec<Operation>, StoreError> {
        // `~` sorts behind every character of a ULID.
        let upper = before.map_or("~".to_owned(), OperationId::unique);
        // The bound itself is part of the range.
        let limit = limit + u32::from(before.is_some());
        let answer = query
            .table_name(&self.names.table)
            .expression_attribute_values(":from", text(sort_key("0")))
            .expression_attribute_values(":to", text(sort_key(&upper)))
            .scan_index_forward(false)
            .limit(i32::try_from(limit).unwrap_or(i32::MAX))
            .send()
            .await
            .map_err(|error| StoreError::unavailable("table", error))?;
        let items = answer.items().iter().map(read).collect::<Result<Vec<_>, _>>()?;
        Ok(items.into_iter().filter(|operation| Some(operation.id) != before).collect())
    }

    /// Starts an attempt at a pending operation, or takes over a running one whose lease has ended.
    /// The new attempt has a lease of `lease`.
    ///
    /// `None` if there is nothing to start: another attempt holds the lease, the operation has
    /// ended, or it does not exist.
    pub async fn claim(
        &self,
        account: AccountId,
        id: OperationId,
        lease: Duration,
    ) -> Result<Option<Operation>, StoreError> {
        // Distinguishes this call's own claim, whose response got lost, from another one's.
        let token = random::bytes::<12>(&*self.random).to_vec();
        let now = self.clock.now();
        let claim = self
            .clients
            .dynamodb
            .update_item()
            .table_name(&self.names.table)
            .set_key(Some(keys::operation(account, id)))
            .update_expression(
                "SET st = :running, ls = :ls, lu = :until, t0 = if_not_exists(t0, :now), \
                 tok = :token ADD att :one",
            )
            .expression_attribute_values(":token", bytes(token.clone()))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
            .condition_expression("st = :pending OR (st = :running AND lu <= :now)")
            .expression_attribute_values(":running", text(keys::status_code(Status::Running)))
            .expression_attribute_values(":pending", text(keys::status_code(Status::Pending)))
            .expression_attribute_values(
                ":ls",
                text(keys::operation_with_status(Status::Running, &id.unique())),
            )
            .expression_attribute_values(":until", instant(now + lease))
            .expression_attribute_values(":now", instant(now))
            .expression_attribute_values(":one", number(1))
            .return_values(ReturnValue::AllNew);
        let error = match self.update_with_retry(claim).await {
            Ok(output) => return Ok(Some(read(&output.attributes.unwrap_or_default())?)),
            Err(error) => error,
        };
        let Some(UpdateItemError::ConditionalCheckFailedException(failed)) =
            error.as_service_error()
        else {
            return Err(StoreError::unavailable("table", error));
        };
        let is_mine =
            |item: &&Attributes| ItemReader(item).bytes("tok").is_ok_and(|stored| stored == token);
        failed.item().filter(is_mine).map(read).transpose()
    }
}

/// When the idempotency record of an operation expires: at a whole second, the precision of `ttl`,
/// and never before the promised time.
pub fn idempotency_key_expires_at(created: Timestamp) -> Timestamp {
    let promised = created + domain::operation::RESULT_RETENTION;
    Timestamp::from_millis(promised.seconds_up() * 1000)
}
