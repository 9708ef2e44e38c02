//! Presets: one item each, listed with the help of an offset index.
//!
//! A patch of the name does not touch the content, and one of the content keeps a name that is
//! written beside it.
//! Before a content is written to the bucket, and again before it is replaced or deleted, a check
//! of it is enqueued. The receiver of the check removes the content unless the preset has it. So no
//! crash leaves an unused content, nor a preset that points to a missing one.
//!
//! | attribute | holds |
//! |---|---|
//! | `ti`, `tl`, `el` | name; name and template title, case-folded for search |
//! | `bs` or `b` | the content: a small one, which lists read from the index, or a larger one |
//! | `sb` | bytes of the preset in a Lambda response |
//! | `kb` | the same, if the account counts them |
//! | `v` | how often the content was written |
//! | `up` | when it was last changed |

mod contents;
mod pages;

use std::time::Duration;

use aws_sdk_dynamodb::{
    error::SdkError,
    operation::update_item::UpdateItemError,
    types::{
        Delete, Put, ReturnValue, ReturnValuesOnConditionCheckFailure, TransactWriteItem, Update,
    },
};
use domain::{
    AccountId, Preset, PresetId,
    preset::{Content, Values},
};

use crate::{
    Store, StoreError,
    accounts::storage::{COUNTED_BYTES, QuotaError, Quotas, StorageChange, counted_bytes},
    item::{Attributes, ItemReader, bytes, instant, number, text},
    keys::{self, LIST_PK, LIST_SK, SK},
    list::case_folded,
    list::change::{Changed, ListChange},
    list::offset_index::{Change, List, OffsetIndex},
    transaction::Outcome,
};
use contents::{Kept, Measured, stored, stored_revision};

pub use pages::{PAGE_BYTES, PresetPage};

/// How long a change is tried while others conflict with it.
const BUDGET: Duration = Duration::from_secs(5);
/// Reads of a preset whose content is replaced while it is read.
const MAX_READS: u32 = 5;

/// What a patch changes; `None` leaves a property as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PresetPatch {
    /// The name.
    pub name: Option<String>,
    /// All values.
    pub values: Option<Values>,
}

fn id_of(item: &Attributes) -> Result<PresetId, StoreError> {
    let unique = ItemReader(item).text(SK)?.rsplit('#').next().unwrap_or_default();
    PresetId::from_unique(unique).map_err(|_| StoreError::corrupt(SK))
}

fn with_content(id: PresetId, item: &Attributes, content: &[u8]) -> Result<Preset, StoreError> {
    let reader = ItemReader(item);
    Ok(Preset {
        id,
        name: reader.text("ti")?.to_owned(),
        content: serde_json::from_slice(content).map_err(|_| StoreError::corrupt("preset"))?,
        updated_at: reader.instant("up")?,
    })
}

impl Store {
    /// Records a new preset. `offset_index` is that of its list; it may be out of date.
    pub async fn create_preset(
        &self,
        account: AccountId,
        preset: &Preset,
        quotas: Quotas<'_>,
        offset_index: Option<OffsetIndex>,
    ) -> Result<(), QuotaError> {
        let deadline = self.clock.now() + BUDGET;
        let allowance = Some(quotas.allowance);
        let content = Measured::new(&preset.content)?;
        let growth = StorageChange::adding(content.answer_bytes);
        growth.check(quotas)?;
        let staged = self.stage_content(account, preset.id, content).await?;
        let revision = staged.revision();
        let record = self.put_preset(account, preset, staged);
        let entry = Change::Add(preset.id.bits());
        let entry = ListChange::new(List::presets(account), entry, offset_index);
        match self.change_list(entry, record, growth, allowance, deadline).await? {
            Changed::Done => Ok(()),
            Changed::RecordRefused(_) => {
                Err(StoreError::unavailable("table", "a preset's identifier is taken").into())
            }
            Changed::AccountRefused(account_item) => {
                self.remove_content(account, preset.id, revision).await;
                Err(growth.refusal(&account_item, allowance))
            }
        }
    }

    /// The record of a new preset with its content.
    fn put_preset(&self, account: AccountId, preset: &Preset, staged: Kept) -> TransactWriteItem {
        let mut item = keys::preset(account, preset.id);
        let title = preset.content.template_title.as_deref().unwrap_or_default();
        item.extend([
            (LIST_PK.to_owned(), text(keys::list_partition(account, keys::PRESET_LIST))),
            (LIST_SK.to_owned(), text(preset.id.unique())),
            ("ti".to_owned(), text(&preset.name)),
            ("tl".to_owned(), text(case_folded(&preset.name))),
            ("el".to_owned(), text(case_folded(title))),
            ("sb".to_owned(), number(staged.answer_bytes)),
            (COUNTED_BYTES.to_owned(), number(staged.answer_bytes)),
            ("v".to_owned(), number(1)),
            ("up".to_owned(), instant(preset.updated_at)),
            (staged.attributes().0.to_owned(), bytes(staged.body.into_bytes())),
        ]);
        let put = Put::builder()
            .table_name(&self.names.table)
            .set_item(Some(item))
            .condition_expression("attribute_not_exists(pk)")
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
            .build();
        TransactWriteItem::builder().set_put(put.ok()).build()
    }

    /// Reads a preset with a consistent read; `None` if there is none.
    pub async fn preset(
        &self,
        account: AccountId,
        id: PresetId,
    ) -> Result<Option<Preset>, StoreError> {
        Ok(self.preset_item(account, id).await?.map(|(_, preset)| preset))
    }

    async fn preset_item(
        &self,
        account: AccountId,
        id: PresetId,
    ) -> Result<Option<(Attributes, Preset)>, StoreError> {
        for _ in 0..MAX_READS {
            let Some(item) = self.get_item(keys::preset(account, id)).await? else {
                return Ok(None);
            };
            if let Some(preset) = self.read_preset(id, &item).await? {
                return Ok(Some((item, preset)));
            }
        }
        Err(StoreError::corrupt("preset"))
    }

    /// The preset of an item; `None` if its content was replaced since the item was read.
    async fn read_preset(
        &self,
        id: PresetId,
        item: &Attributes,
    ) -> Result<Option<Preset>, StoreError> {
        let body = stored(item).ok_or_else(|| StoreError::corrupt("preset"))?;
        let content = self.read_body(body).await?;
        content.map(|content| with_content(id, item, &content)).transpose()
    }

    /// Changes a preset; `None` if there is none.
    ///
    /// Patches of the name and of the values keep what the other one writes. Of two patches of the same property
    /// the later one wins.
    pub async fn patch_preset(
        &self,
        account: AccountId,
        id: PresetId,
        patch: PresetPatch,
        quotas: Quotas<'_>,
    ) -> Result<Option<Preset>, QuotaError> {
        match patch.values {
            Some(values) => self.revalue_preset(account, id, patch.name, values, quotas).await,
            None => Ok(self.rename_preset(account, id, patch.name.unwrap_or_default()).await?),
        }
    }

    async fn rename_preset(
        &self,
        account: AccountId,
        id: PresetId,
        name: String,
    ) -> Result<Option<Preset>, StoreError> {
        let update = self
            .clients
            .dynamodb
            .update_item()
            .table_name(&self.names.table)
            .set_key(Some(keys::preset(account, id)))
            .update_expression("SET ti = :name, tl = :case_folded, up = :now")
            .condition_expression("attribute_exists(pk)")
            .expression_attribute_values(":case_folded", text(case_folded(&name)))
            .expression_attribute_values(":name", text(name))
            .expression_attribute_values(":now", instant(self.clock.now()))
            .return_values(ReturnValue::AllNew);
        match self.update_with_retry(update).await {
            Ok(output) => {
                let item = output.attributes.unwrap_or_default();
                match self.read_preset(id, &item).await? {
                    Some(preset) => Ok(Some(preset)),
                    None => self.preset(account, id).await,
                }
            }
            Err(SdkError::ServiceError(error))
                if matches!(error.err(), UpdateItemError::ConditionalCheckFailedException(_)) =>
            {
                Ok(None)
            }
            Err(error) => Err(StoreError::unavailable("table", error)),
        }
    }

    async fn revalue_preset(
        &self,
        account: AccountId,
        id: PresetId,
        name: Option<String>,
        values: Values,
        quotas: Quotas<'_>,
    ) -> Result<Option<Preset>, QuotaError> {
        let deadline = self.clock.now() + BUDGET;
        let Some((mut item, preset)) = self.preset_item(account, id).await? else {
            return Ok(None);
        };
        // What existed before accounts counted may be changed, whatever the account keeps.
        let allowance = counted_bytes(&item).map(|_| quotas.allowance);
        // Concurrent changes do not change what this patch writes as content.
        let content = Content { values, ..preset.content };
        let measured = Measured::new(&content)?;
        if allowance.is_some() {
            let change = StorageChange::replacing(counted_bytes(&item), measured.answer_bytes);
            change.check(quotas)?;
        }
        let staged = self.stage_content(account, id, measured).await?;
        loop {
            let (held, other) = staged.attributes();
            let replaced = stored_revision(&item);
            self.enqueue_content_check(account, id, replaced).await?;
            let now = self.clock.now();
            let version = ItemReader(&item).number("v")?;
            let before = ItemReader(&item).text("ti")?;
            let name = name.as_deref().unwrap_or(before);
            let update = Update::builder()
                .table_name(&self.names.table)
                .set_key(Some(keys::preset(account, id)))
                .update_expression(format!(
                    "SET ti = :name, tl = :case_folded, {held} = :body, sb = :size, kb = :size, \
                     v = :next, up = :now REMOVE {other}"
                ))
                // A patch of the name may be beside this one.
                .condition_expression("v = :version AND ti = :before")
                .expression_attribute_values(":before", text(before))
                .expression_attribute_values(":name", text(name))
                .expression_attribute_values(":case_folded", text(case_folded(name)))
                .expression_attribute_values(":body", bytes(staged.body.bytes().to_vec()))
                .expression_attribute_values(":size", number(staged.answer_bytes))
                .expression_attribute_values(":next", number(version + 1))
                .expression_attribute_values(":version", number(version))
                .expression_attribute_values(":now", instant(now))
                .return_values_on_condition_check_failure(
                    ReturnValuesOnConditionCheckFailure::AllOld,
                );
            let change = StorageChange::replacing(counted_bytes(&item), staged.answer_bytes);
            let mut records =
                vec![TransactWriteItem::builder().set_update(update.build().ok()).build()];
            records.extend(self.count_storage(account, change, allowance));
            let mut refused = match self.transact(records, deadline).await? {
                Outcome::Committed => {
                    self.remove_content(account, id, replaced).await;
                    let name = name.to_owned();
                    return Ok(Some(Preset { id, name, content, updated_at: now }));
                }
                Outcome::ConditionFailed(refused) => refused,
            };
            let account_item = refused.split_off(1).pop().flatten();
            match (refused.pop().flatten(), account_item) {
                (Some(gone), _) if gone.is_empty() => return Ok(None),
                (Some(stands), _) => {
                    // Another patch was faster. Nothing has this content yet: a transaction whose
                    // answer got lost is not refused.
                    item = stands;
                    self.sleep_with_jitter(Duration::from_millis(20)).await;
                }
                (None, account_item) => {
                    self.remove_content(account, id, staged.revision()).await;
                    return Err(change.refusal(&account_item.unwrap_or_default(), allowance));
                }
            }
        }
    }

    /// Deletes a preset; `false` if there is none.
    pub async fn delete_preset(
        &self,
        account: AccountId,
        id: PresetId,
    ) -> Result<bool, StoreError> {
        let list = List::presets(account);
        let deadline = self.clock.now() + BUDGET;
        loop {
            let read = self.get_item(keys::preset(account, id));
            let (item, offset_index) = futures::try_join!(read, self.offset_index(list))?;
            let Some(item) = item else { return Ok(false) };
            let revision = stored_revision(&item);
            self.enqueue_content_check(account, id, revision).await?;
            let delete = Delete::builder()
                .table_name(&self.names.table)
                .set_key(Some(keys::preset(account, id)))
                .condition_expression("v = :version")
                .expression_attribute_values(":version", number(ItemReader(&item).number("v")?))
                .return_values_on_condition_check_failure(
                    ReturnValuesOnConditionCheckFailure::AllOld,
                )
                .build();
            let freed = StorageChange::removing(counted_bytes(&item));
            let record = TransactWriteItem::builder().set_delete(delete.ok()).build();
            let entry = ListChange::new(list, Change::Remove(id.bits()), offset_index);
            match self.change_list(entry, record, freed, None, deadline).await? {
                Changed::Done => {
                    self.remove_content(account, id, revision).await;
                    return Ok(true);
                }
                Changed::RecordRefused(gone) if gone.is_empty() => return Ok(false),
                // Its values were patched meanwhile: another content has to be deleted with it.
                Changed::RecordRefused(_) => {}
                Changed::AccountRefused(account_item) => {
                    return Err(freed.refusal(&account_item, None).without_quota());
                }
            }
        }
    }
}
