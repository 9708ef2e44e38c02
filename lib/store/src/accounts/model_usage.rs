//! What an account has asked of language models: an item for each month, to which the transaction that ends an operation
//! adds. Whatever is retried, an operation is counted once, in the month that has its credits. The same transaction adds
//! to the sum of all accounts, which is spread over several items: one alone would take all operations that end.
//!
//! Each model has its own attributes `<counter>#<engine>/<model>`, since `ADD` needs no parent that is there already. The
//! counters are those of an operation.

use std::time::Duration;

use aws_sdk_dynamodb::types::{TransactWriteItem, Update};
use domain::{AccountId, ModelUsage, Operation, Timestamp};

use crate::{
    Store, StoreError,
    item::{Attributes, ItemReader, count, number},
    keys::{self, Key, TTL},
    operations::model_usage::{counters, tokens},
};

/// How long the sums of a month are kept after its beginning.
const RETENTION: Duration = Duration::from_secs(400 * 86_400);

/// Items that the sum of all accounts is spread over.
const SHARDS: u128 = 16;

/// The sums in an item, in the order of the models' names.
pub(super) fn read(item: &Attributes) -> Vec<ModelUsage> {
    let mut models: Vec<_> = item.keys().filter_map(|name| name.strip_prefix("n#")).collect();
    models.sort_unstable();
    let reader = ItemReader(item);
    let named = models.into_iter().filter_map(|name| Some((name, name.split_once('/')?)));
    named
        .map(|(name, (engine, model))| ModelUsage {
            engine: engine.to_owned(),
            model: model.to_owned(),
            tokens: tokens(|counter| reader.large_count(&format!("{counter}#{name}"))),
        })
        .collect()
}

impl Store {
    /// What an account has asked of language models in the month that begins then, one entry for each model; with a
    /// consistent read.
    pub async fn model_usage(
        &self,
        account: AccountId,
        month: Timestamp,
    ) -> Result<Vec<ModelUsage>, StoreError> {
        let item = self.get_item(keys::model_usage(account, month)).await?;
        Ok(item.as_ref().map(read).unwrap_or_default())
    }

    /// What all accounts have asked of language models in the month that begins then, one entry for each model; with
    /// eventually consistent reads. Accounts that were erased since are among them.
    pub async fn total_model_usage(&self, month: Timestamp) -> Result<Vec<ModelUsage>, StoreError> {
        let shards = (0..SHARDS).map(|shard| keys::total_model_usage(shard, month)).collect();
        let mut total = Vec::new();
        for item in self.batch_get_with(shards, false).await? {
            read(&item).into_iter().for_each(|usage| usage.add_to(&mut total));
        }
        Ok(total)
    }

    /// Counts what an operation has asked; nothing if it has asked no model.
    pub(crate) fn count_model_usage(&self, ended: &Operation) -> Vec<TransactWriteItem> {
        if ended.model_usage.is_empty() {
            return Vec::new();
        }
        let shard = ended.id.bits() % SHARDS;
        vec![
            self.add_model_usage(keys::model_usage(ended.account, ended.period), ended),
            self.add_model_usage(keys::total_model_usage(shard, ended.period), ended),
        ]
    }

    fn add_model_usage(&self, key: Key, ended: &Operation) -> TransactWriteItem {
        let mut update = Update::builder()
            .table_name(&self.names.table)
            .set_key(Some(key))
            .expression_attribute_names("#ttl", TTL)
            .expression_attribute_values(":ttl", number((ended.period + RETENTION).seconds_up()));
        let mut additions = Vec::new();
        for ModelUsage { engine, model, tokens } in &ended.model_usage {
            for (counter, tokens) in counters(tokens) {
                let place = additions.len();
                additions.push(format!("#c{place} :c{place}"));
                update = update
                    .expression_attribute_names(
                        format!("#c{place}"),
                        format!("{counter}#{engine}/{model}"),
                    )
                    .expression_attribute_values(format!(":c{place}"), count(tokens));
            }
        }
        let expression = format!("SET #ttl = :ttl ADD {}", additions.join(", "));
        let update = update.update_expression(expression).build();
        TransactWriteItem::builder().set_update(update.ok()).build()
    }
}
