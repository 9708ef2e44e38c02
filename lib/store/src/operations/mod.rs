//! Operations: read, claim.

pub mod list;
pub(crate) mod model_usage;
pub mod queue;
pub mod settlement;
pub mod start;

use std::time::Duration;

use aws_sdk_dynamodb::{
    operation::update_item::UpdateItemError,
    types::{AttributeValue, ReturnValue, ReturnValuesOnConditionCheckFailure},
};
use domain::{
    AccountId, EventKinds, Failure, Kind, Operation, OperationId, Problem, Status, Timestamp,
    UploadId, random,
};

use crate::{
    Store, StoreError,
    item::{Attributes, ItemReader, bytes, count, instant, number, text},
    keys::{self, LIST_PK, LIST_SK, PK, SK, TTL},
    operations::settlement::ATTEMPT,
};

/// An operation with its body, if it has ended and the body is still kept.
#[derive(Clone, Debug)]
pub struct Found {
    /// The record.
    pub operation: Operation,
    /// JSON of the body.
    pub body: Option<Vec<u8>>,
}

/// The item of an operation that starts. The index has it from its end on, with the sort key that is missing here.
pub(crate) fn write(operation: &Operation) -> Attributes {
    let mut item = keys::operation(operation.account, operation.id);
    item.extend([
        (LIST_PK.to_owned(), text(keys::operations_of_kind(operation.account, operation.kind))),
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
    let kind = reader.text(LIST_PK)?.rsplit('#').next();
    // An entry of the index has the status in its key alone.
    let status = match item.get("st") {
        Some(_) => Some(reader.text("st")?),
        None => reader.text(LIST_SK)?.split('#').next(),
    };
    let problem = match item.get("pb") {
        Some(_) => Some(Box::new(read_failure(reader.map("pb")?)?)),
        None => None,
    };
    Ok(Operation {
        id: id_of(item)?,
        account: AccountId::from_unique(reader.text(PK)?).map_err(|_| StoreError::corrupt(PK))?,
        kind: Kind::ALL
            .into_iter()
            .find(|known| kind == Some(keys::kind_code(*known)))
            .ok_or_else(|| StoreError::corrupt(LIST_PK))?,
        status: Status::ALL
            .into_iter()
            .find(|known| status == Some(keys::status_code(*known)))
            .ok_or_else(|| StoreError::corrupt("st"))?,
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

/// The identifier in the key of an operation.
pub(crate) fn id_of(key: &Attributes) -> Result<OperationId, StoreError> {
    let unique = ItemReader(key).text(SK)?.strip_prefix(keys::OPERATION);
    let id = unique.and_then(|unique| OperationId::from_unique(unique).ok());
    id.ok_or_else(|| StoreError::corrupt(SK))
}

/// Why an operation failed, in its stored form.
pub(crate) fn write_failure(failure: &Failure) -> AttributeValue {
    let Failure { problem, lost, retry_after } = failure;
    let mut item = Attributes::from([
        ("c".to_owned(), text(&problem.code)),
        ("m".to_owned(), text(&problem.message)),
    ]);
    if let Some(pause) = retry_after {
        item.insert("ra".to_owned(), count(pause.as_secs()));
    }
    if !lost.is_empty() {
        // Read by nobody but the call that waits, so it is one text.
        item.insert("l".to_owned(), text(serde_json::to_string(lost).unwrap_or_default()));
    }
    AttributeValue::M(item)
}

fn read_failure(failure: &Attributes) -> Result<Failure, StoreError> {
    let reader = ItemReader(failure);
    let lost = reader.optional_text("l").map_or(Ok(Vec::new()), serde_json::from_str);
    Ok(Failure {
        problem: Problem {
            code: reader.text("c")?.to_owned(),
            message: reader.text("m")?.to_owned(),
        },
        lost: lost.map_err(|_| StoreError::corrupt("l"))?,
        retry_after: reader
            .optional_number("ra")
            .and_then(|seconds| u64::try_from(seconds).ok())
            .map(Duration::from_secs),
    })
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
        let (mut record, mut stored) = (None, None);
        for item in &items {
            if ItemReader(item).text(SK)?.starts_with(keys::OPERATION) {
                record = Some(read(item)?);
            } else {
                stored = Some(ItemReader(item));
            }
        }
        let Some(operation): Option<Operation> = record else { return Ok(None) };
        let now = self.clock.now();
        let is_kept = operation.result_expires_at().is_some_and(|expiry| expiry > now);
        // The batch may have read the body of an attempt before the one that ended the operation.
        let is_recorded = |body: &ItemReader<'_>| {
            body.optional_number(ATTEMPT)
                .is_none_or(|attempt| attempt == i64::from(operation.attempt))
        };
        let body = match stored.filter(|body| is_kept && is_recorded(body)) {
            Some(stored) => self.read_body(stored.bytes("b")?).await?,
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

    /// Reads an operation without its body as it was a moment ago, at half the units of
    /// [`Store::operation_record`]. One that has just begun may be missing.
    pub async fn glance_at_operation(
        &self,
        account: AccountId,
        id: OperationId,
    ) -> Result<Option<Operation>, StoreError> {
        let items = self.batch_get_with(vec![keys::operation(account, id)], false).await?;
        items.first().map(read).transpose()
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
                "SET st = :running, lu = :until, t0 = if_not_exists(t0, :now), tok = :token \
                 ADD att :one",
            )
            .expression_attribute_values(":token", bytes(token.clone()))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
            .condition_expression("st = :pending OR (st = :running AND lu <= :now)")
            .expression_attribute_values(":running", text(keys::status_code(Status::Running)))
            .expression_attribute_values(":pending", text(keys::status_code(Status::Pending)))
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
