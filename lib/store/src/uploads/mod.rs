//! Uploads: a record each, and one ledger per account of those that count toward its allowance.
//!
//! For every upload that counts, the ledger has its size and the instant at which it stops
//! counting. Every change of an upload writes record and ledger in one transaction, and every
//! reader of the ledger ignores expired entries. So the count needs no background job and survives
//! crashes.
//!
//! | attribute of a record | holds |
//! |---|---|
//! | `st`, `lu` | status; until when a verification has its lease |
//! | `sc`, `fn`, `ct`, `sz` | scope, filename, content type, size |
//! | `xa` | when its file expires |
//! | `et`, `rj` | the entity tag that the verification read; why it rejected the file |
//! | `t1` | when it became ready |
//! | `by` | the operation that has consumed it |

pub mod files;

use std::{collections::BTreeMap, time::Duration};

use aws_sdk_dynamodb::types::{
    AttributeValue, Put, ReturnValuesOnConditionCheckFailure, TransactWriteItem, Update,
    builders::UpdateBuilder,
};
use domain::{
    AccountId, OperationId, Timestamp, Upload, UploadId, UploadScope, UploadStatus,
    plan::Allowance,
    upload::{self, Verdict},
};

use crate::{
    Store, StoreError,
    item::{Attributes, ItemReader, instant, number, text},
    keys::{self, SK, TTL},
    transaction::Outcome,
};

/// How long a change is tried while others of the same account conflict with it.
const BUDGET: Duration = Duration::from_secs(5);
/// Longest pause before a change that conflicted is tried again.
const PAUSE: Duration = Duration::from_millis(20);

/// The uploads that count toward an allowance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Active {
    /// How many there are.
    pub count: u32,
    /// Their size in bytes.
    pub bytes: u64,
    /// When the next of them stops counting.
    pub next_end: Option<Timestamp>,
}

impl Active {
    /// Whether the allowance has room for another upload of `size` bytes.
    pub fn leaves_room(&self, size: u64, allowance: &Allowance) -> bool {
        self.count < allowance.active_uploads
            && self.bytes.saturating_add(size) <= allowance.active_upload_bytes
    }
}

/// The outcome of a new upload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Created {
    /// It is recorded and counts.
    Done,
    /// The allowance has no room beside these.
    OverAllowance(Active),
}

/// The outcome of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changed {
    /// It is written; the upload after the change.
    Done(Upload),
    /// The upload's condition failed: its stored state, `None` if it is gone.
    ConditionFailed(Option<Upload>),
}

/// An entry of the ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Slot {
    size: u64,
    until: Timestamp,
}

/// Which uploads of an account count, as they were read.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    version: i64,
    slots: BTreeMap<String, Slot>,
}

impl Ledger {
    fn read(item: &Attributes) -> Result<Self, StoreError> {
        let reader = ItemReader(item);
        let mut slots = BTreeMap::new();
        for (unique, slot) in reader.map("a")? {
            let slot = ItemReader(slot.as_m().map_err(|_| StoreError::corrupt("a"))?);
            let size = slot.number("s")?.unsigned_abs();
            slots.insert(unique.clone(), Slot { size, until: slot.instant("e")? });
        }
        Ok(Self { version: reader.number("v")?, slots })
    }

    /// The uploads that count at `now`.
    pub fn active(&self, now: Timestamp) -> Active {
        let live = self.slots.values().filter(|slot| slot.until > now);
        live.fold(Active::default(), |active, slot| Active {
            count: active.count + 1,
            bytes: active.bytes + slot.size,
            next_end: active.next_end.map_or(Some(slot.until), |end| Some(end.min(slot.until))),
        })
    }

    /// The ledger after a change, without expired entries.
    fn with(mut self, id: UploadId, slot: Option<Slot>, now: Timestamp) -> Self {
        self.slots.retain(|_, slot| slot.until > now);
        match slot {
            Some(slot) => self.slots.insert(id.unique(), slot),
            None => self.slots.remove(&id.unique()),
        };
        self.version += 1;
        self
    }

    fn write(&self, account: AccountId) -> Attributes {
        let slots = self.slots.iter().map(|(unique, slot)| {
            let size = i64::try_from(slot.size).unwrap_or(i64::MAX);
            let slot = [("s".to_owned(), number(size)), ("e".to_owned(), instant(slot.until))];
            (unique.clone(), AttributeValue::M(slot.into()))
        });
        let mut item = keys::upload_ledger(account);
        item.insert("a".to_owned(), AttributeValue::M(slots.collect()));
        item.insert("v".to_owned(), number(self.version));
        item
    }
}

fn write(upload: &Upload) -> Attributes {
    let mut item = keys::upload(upload.account, upload.id);
    item.extend([
        ("st".to_owned(), text(keys::upload_status_code(upload.status))),
        ("sc".to_owned(), text(keys::scope_code(upload.scope))),
        ("fn".to_owned(), text(&upload.filename)),
        ("ct".to_owned(), text(&upload.content_type)),
        ("sz".to_owned(), number(i64::try_from(upload.size).unwrap_or(i64::MAX))),
        ("xa".to_owned(), instant(upload.expires_at())),
        (TTL.to_owned(), number((upload.created_at() + upload::RECORD_RETENTION).seconds_up())),
    ]);
    item
}

pub(crate) fn read(account: AccountId, item: &Attributes) -> Result<Upload, StoreError> {
    let reader = ItemReader(item);
    let unique = reader.text(SK)?.strip_prefix(keys::UPLOAD);
    let id = unique.and_then(|unique| UploadId::from_unique(unique).ok());
    let (scope, status) = (reader.text("sc")?, reader.text("st")?);
    let consumed_by = reader.optional_text("by").map(OperationId::from_unique).transpose();
    Ok(Upload {
        id: id.ok_or_else(|| StoreError::corrupt(SK))?,
        account,
        scope: UploadScope::ALL
            .into_iter()
            .find(|known| keys::scope_code(*known) == scope)
            .ok_or_else(|| StoreError::corrupt("sc"))?,
        filename: reader.text("fn")?.to_owned(),
        content_type: reader.text("ct")?.to_owned(),
        size: reader.number("sz")?.unsigned_abs(),
        status: UploadStatus::ALL
            .into_iter()
            .find(|known| keys::upload_status_code(*known) == status)
            .ok_or_else(|| StoreError::corrupt("st"))?,
        lease_until: reader.optional_instant("lu"),
        verdict: reader.optional_text("et").map(|etag| Verdict {
            etag: etag.to_owned(),
            refusal: reader.optional_text("rj").map(ToOwned::to_owned),
        }),
        completed_at: reader.optional_instant("t1"),
        consumed_by: consumed_by.map_err(|_| StoreError::corrupt("by"))?,
    })
}

impl Store {
    /// Reads an upload with a consistent read; `None` if there is none.
    pub async fn upload(
        &self,
        account: AccountId,
        id: UploadId,
    ) -> Result<Option<Upload>, StoreError> {
        let item = self.get_item(keys::upload(account, id)).await?;
        item.as_ref().map(|item| read(account, item)).transpose()
    }

    /// Reads uploads with consistent reads, in one call; missing ones are left out.
    pub async fn uploads(
        &self,
        account: AccountId,
        ids: &[UploadId],
    ) -> Result<Vec<Upload>, StoreError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let keys = ids.iter().map(|id| keys::upload(account, *id)).collect();
        self.batch_get(keys).await?.iter().map(|item| read(account, item)).collect()
    }

    /// The upload ledger of an account, with a consistent read.
    pub async fn upload_ledger(&self, account: AccountId) -> Result<Ledger, StoreError> {
        match self.get_item(keys::upload_ledger(account)).await? {
            Some(item) => Ledger::read(&item),
            None => Ok(Ledger::default()),
        }
    }

    /// Records a new upload, if the allowance has room for it. `ledger` may be out of date.
    pub async fn create_upload(
        &self,
        upload: &Upload,
        ledger: Ledger,
        allowance: &Allowance,
    ) -> Result<Created, StoreError> {
        let put = Put::builder()
            .table_name(&self.names.table)
            .set_item(Some(write(upload)))
            .condition_expression("attribute_not_exists(pk)")
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
            .build();
        let record = TransactWriteItem::builder().set_put(put.ok()).build();
        let slot = Slot { size: upload.size, until: upload.url_expires_at() };
        match self.change(upload, record, Some(slot), ledger, Some(allowance)).await? {
            Step::Written => Ok(Created::Done),
            Step::NoRoom(active) => Ok(Created::OverAllowance(active)),
            Step::ConditionFailed(_) => {
                Err(StoreError::unavailable("table", "the upload's identifier is taken"))
            }
        }
    }

    /// Records that the file of a pending upload has arrived: it counts until the file expires.
    pub async fn record_arrival(&self, upload: &Upload) -> Result<Changed, StoreError> {
        let update = self
            .upload_update(upload)
            .update_expression("SET st = :uploaded")
            .condition_expression("st = :pending")
            .expression_attribute_values(":uploaded", status(UploadStatus::Uploaded))
            .expression_attribute_values(":pending", status(UploadStatus::Pending));
        let slot = Slot { size: upload.size, until: upload.expires_at() };
        let arrived = Upload { status: UploadStatus::Uploaded, ..upload.clone() };
        self.change_to(arrived, update, Some(slot)).await
    }

    /// Records the verdict on the file of an upload that is not completed yet.
    pub async fn record_verdict(
        &self,
        upload: &Upload,
        verdict: &Verdict,
    ) -> Result<(), StoreError> {
        let update = self
            .clients
            .dynamodb
            .update_item()
            .table_name(&self.names.table)
            .set_key(Some(keys::upload(upload.account, upload.id)))
            .condition_expression("st = :uploaded")
            .expression_attribute_values(":uploaded", status(UploadStatus::Uploaded))
            .expression_attribute_values(":etag", text(&verdict.etag));
        let update = match &verdict.refusal {
            Some(refusal) => update
                .update_expression("SET et = :etag, rj = :refusal")
                .expression_attribute_values(":refusal", text(refusal)),
            None => update.update_expression("SET et = :etag REMOVE rj"),
        };
        match self.update_with_retry(update).await {
            Ok(_) => Ok(()),
            // It was completed, consumed or deleted meanwhile, so the verdict is not needed.
            Err(error)
                if error
                    .as_service_error()
                    .is_some_and(|error| error.is_conditional_check_failed_exception()) =>
            {
                Ok(())
            }
            Err(error) => Err(StoreError::unavailable("table", error)),
        }
    }

    /// Starts the verification of a file, or takes over one whose lease has ended. The upload
    /// counts until the file expires.
    pub async fn begin_verification(
        &self,
        upload: &Upload,
        lease: Duration,
    ) -> Result<Changed, StoreError> {
        let now = self.clock.now();
        let update = self
            .upload_update(upload)
            .update_expression("SET st = :processing, lu = :until")
            .condition_expression(
                "st = :pending OR st = :uploaded OR (st = :processing AND lu <= :now)",
            )
            .expression_attribute_values(":pending", status(UploadStatus::Pending))
            .expression_attribute_values(":uploaded", status(UploadStatus::Uploaded))
            .expression_attribute_values(":processing", status(UploadStatus::Processing))
            .expression_attribute_values(":now", instant(now))
            .expression_attribute_values(":until", instant(now + lease));
        let slot = Slot { size: upload.size, until: upload.expires_at() };
        let begun = Upload {
            status: UploadStatus::Processing,
            lease_until: Some(now + lease),
            ..upload.clone()
        };
        self.change_to(begun, update, Some(slot)).await
    }

    /// Ends the verification with the lease of `upload`: ready or rejected. The upload no longer
    /// counts.
    pub async fn end_verification(
        &self,
        upload: &Upload,
        verdict: Verdict,
    ) -> Result<Changed, StoreError> {
        let now = self.clock.now();
        let ended = Upload {
            status: match verdict.refusal {
                None => UploadStatus::Ready,
                Some(_) => UploadStatus::Rejected,
            },
            lease_until: None,
            completed_at: verdict.refusal.is_none().then_some(now),
            verdict: Some(verdict.clone()),
            ..upload.clone()
        };
        let lease = lease_of(upload);
        let update = self
            .upload_update(upload)
            .condition_expression("st = :processing AND lu = :lease")
            .expression_attribute_values(":processing", status(UploadStatus::Processing))
            .expression_attribute_values(":lease", instant(lease))
            .expression_attribute_values(":status", status(ended.status))
            .expression_attribute_values(":etag", text(verdict.etag));
        let update = match verdict.refusal {
            None => update
                .update_expression("SET st = :status, et = :etag, t1 = :now REMOVE lu, rj")
                .expression_attribute_values(":now", instant(now)),
            Some(refusal) => update
                .update_expression("SET st = :status, et = :etag, rj = :refusal REMOVE lu")
                .expression_attribute_values(":refusal", text(refusal)),
        };
        self.change_to(ended, update, None).await
    }

    /// Ends a verification without a verdict.
    pub async fn abandon_verification(&self, upload: &Upload) -> Result<Changed, StoreError> {
        let update = self
            .upload_update(upload)
            .update_expression("SET st = :uploaded REMOVE lu")
            .condition_expression("st = :processing AND lu = :lease")
            .expression_attribute_values(":uploaded", status(UploadStatus::Uploaded))
            .expression_attribute_values(":processing", status(UploadStatus::Processing))
            .expression_attribute_values(":lease", instant(lease_of(upload)));
        let slot = Slot { size: upload.size, until: upload.expires_at() };
        let back = Upload { status: UploadStatus::Uploaded, lease_until: None, ..upload.clone() };
        self.change_to(back, update, Some(slot)).await
    }

    /// Deletes an upload that is not consumed and not being verified.
    pub async fn delete_upload(&self, upload: &Upload) -> Result<Changed, StoreError> {
        let update = self
            .upload_update(upload)
            .update_expression("SET st = :deleted")
            .condition_expression(
                "attribute_exists(pk) AND st <> :consumed AND st <> :deleted \
                 AND (st <> :processing OR lu <= :now)",
            )
            .expression_attribute_values(":deleted", status(UploadStatus::Deleted))
            .expression_attribute_values(":consumed", status(UploadStatus::Consumed))
            .expression_attribute_values(":processing", status(UploadStatus::Processing))
            .expression_attribute_values(":now", instant(self.clock.now()));
        let deleted = Upload { status: UploadStatus::Deleted, ..upload.clone() };
        self.change_to(deleted, update, None).await
    }

    /// The write of an operation's start that consumes an upload, if it is ready.
    pub(crate) fn consume_upload(
        &self,
        account: AccountId,
        id: UploadId,
        by: OperationId,
    ) -> TransactWriteItem {
        let update = self
            .update_of(account, id)
            .update_expression("SET st = :consumed, #by = :by")
            .condition_expression("st = :ready AND xa > :now")
            .expression_attribute_names("#by", "by")
            .expression_attribute_values(":consumed", status(UploadStatus::Consumed))
            .expression_attribute_values(":ready", status(UploadStatus::Ready))
            .expression_attribute_values(":by", text(by.unique()))
            .expression_attribute_values(":now", instant(self.clock.now()))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
            .build();
        TransactWriteItem::builder().set_update(update.ok()).build()
    }

    /// The write of an operation's end that releases an upload.
    pub(crate) fn release_upload(
        &self,
        account: AccountId,
        id: UploadId,
        by: OperationId,
    ) -> TransactWriteItem {
        let update = self
            .update_of(account, id)
            .update_expression("SET st = :ready REMOVE #by")
            .condition_expression("#by = :by")
            .expression_attribute_names("#by", "by")
            .expression_attribute_values(":ready", status(UploadStatus::Ready))
            .expression_attribute_values(":by", text(by.unique()))
            .build();
        TransactWriteItem::builder().set_update(update.ok()).build()
    }

    fn update_of(&self, account: AccountId, id: UploadId) -> UpdateBuilder {
        let key = keys::upload(account, id);
        Update::builder().table_name(&self.names.table).set_key(Some(key))
    }

    fn upload_update(&self, upload: &Upload) -> UpdateBuilder {
        self.update_of(upload.account, upload.id)
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
    }

    async fn change_to(
        &self,
        changed: Upload,
        update: UpdateBuilder,
        slot: Option<Slot>,
    ) -> Result<Changed, StoreError> {
        let record = TransactWriteItem::builder().set_update(update.build().ok()).build();
        let ledger = self.upload_ledger(changed.account).await?;
        match self.change(&changed, record, slot, ledger, None).await? {
            Step::ConditionFailed(stands) => Ok(Changed::ConditionFailed(stands)),
            Step::Written | Step::NoRoom(_) => Ok(Changed::Done(changed)),
        }
    }

    /// Writes the record of `upload` and its account's ledger together.
    async fn change(
        &self,
        upload: &Upload,
        record: TransactWriteItem,
        slot: Option<Slot>,
        mut ledger: Ledger,
        allowance: Option<&Allowance>,
    ) -> Result<Step, StoreError> {
        let Upload { account, id, .. } = *upload;
        let deadline = self.clock.now() + BUDGET;
        loop {
            let now = self.clock.now();
            let active = ledger.active(now);
            if let (Some(allowance), Some(slot)) = (allowance, slot)
                && !active.leaves_room(slot.size, allowance)
            {
                return Ok(Step::NoRoom(active));
            }
            let version = ledger.version;
            let next = ledger.with(id, slot, now);
            let items = vec![record.clone(), self.put_if_version(next.write(account), version)];
            let refused = match self.transact(items, deadline).await? {
                Outcome::Committed => return Ok(Step::Written),
                Outcome::ConditionFailed(refused) => refused,
            };
            if let Some(Some(item)) = refused.first() {
                let stands = (!item.is_empty()).then(|| read(account, item)).transpose()?;
                return Ok(Step::ConditionFailed(stands));
            }
            // Another change of the account was faster.
            ledger = match refused.get(1) {
                Some(Some(item)) if !item.is_empty() => Ledger::read(item)?,
                _ => self.upload_ledger(account).await?,
            };
            self.sleep_with_jitter(PAUSE).await;
        }
    }
}

/// The outcome of one change of record and ledger.
enum Step {
    Written,
    ConditionFailed(Option<Upload>),
    NoRoom(Active),
}

fn status(status: UploadStatus) -> AttributeValue {
    text(keys::upload_status_code(status))
}

/// Identifies the verification that `upload` was read or started with.
fn lease_of(upload: &Upload) -> Timestamp {
    upload.lease_until.unwrap_or(Timestamp::from_millis(0))
}
