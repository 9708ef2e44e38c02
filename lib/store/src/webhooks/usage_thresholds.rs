//! Thresholds that an account's usage reaches in a month, each reported by one operation.
//!
//! The webhook subscriptions also have the reporter of each: `ct` and `cl` for 80 % and all of the
//! credits, `st` and `sl` for those of the stored bytes. It consists of month, operation and the
//! limit at that time. So a reader of the subscriptions knows what has been reported, and a reporter
//! that runs again reports the same as before, whatever has changed since.

use std::collections::BTreeMap;

use domain::{
    Operation, Timestamp,
    plan::Allowance,
    webhook::{UsageResource, UsageThreshold},
};

use crate::{
    Store, StoreError,
    accounts::storage::Storage,
    admission::{Limits, used_in},
    item::{Attributes, ItemReader, text},
    keys,
};

/// The usage of an account when an operation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// What the account is allowed.
    pub allowance: Allowance,
    /// Credits spent in the operation's month; `None` if no longer known.
    pub used: Option<u32>,
    /// What the account keeps.
    pub storage: Storage,
}

/// Which operation reports that a month's usage has reached a threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reporter {
    /// None yet.
    Nobody,
    /// The given operation, with the limit that it reports.
    This(u64),
    /// Another operation, of the same month or a later one.
    Another,
}

/// The last reporter of each threshold, by its attribute.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reporters(BTreeMap<&'static str, String>);

/// Attribute with the reporter of a threshold.
const fn attribute(threshold: UsageThreshold) -> &'static str {
    match (threshold.resource, threshold.is_limit) {
        (UsageResource::Credits, false) => "ct",
        (UsageResource::Credits, true) => "cl",
        (UsageResource::Storage, false) => "st",
        (UsageResource::Storage, true) => "sl",
    }
}

/// Months sort as text: their instants have the same number of digits for the next two centuries.
fn month(period: Timestamp) -> String {
    period.millis().to_string()
}

impl Reporters {
    pub(crate) fn read(subscriptions: &Attributes) -> Self {
        let reader = ItemReader(subscriptions);
        let names = UsageThreshold::ALL.map(attribute).into_iter();
        Self(
            names.filter_map(|name| Some((name, reader.optional_text(name)?.to_owned()))).collect(),
        )
    }

    /// The reporter of a threshold in the month that the operation was started in.
    pub fn of(&self, threshold: UsageThreshold, ended: &Operation) -> Reporter {
        let claim = self.0.get(attribute(threshold)).map_or("", String::as_str);
        let mut parts = claim.split('#');
        let mine = month(ended.period);
        let claimed = parts.next().unwrap_or_default();
        if claimed < mine.as_str() {
            return Reporter::Nobody;
        }
        let is_this = claimed == mine && parts.next() == Some(&ended.id.unique());
        let limit = parts.next().and_then(|limit| limit.parse().ok());
        limit.filter(|_| is_this).map_or(Reporter::Another, Reporter::This)
    }
}

impl Store {
    /// The account's usage in the operation's month, including the operation's own credits.
    ///
    /// One transactional read of operation and account item: the items of a settlement become
    /// visible one by one, and the credits must include those of the operation.
    pub async fn usage_after(
        &self,
        ended: &Operation,
        limits: Limits,
    ) -> Result<Usage, StoreError> {
        let keys = [keys::operation(ended.account, ended.id), keys::account_item(ended.account)];
        let [_, account_item] = self.transact_get(keys).await?;
        let account_item = account_item.ok_or_else(|| StoreError::corrupt("account item"))?;
        Ok(Usage {
            allowance: limits.allowance_of(&account_item)?,
            used: used_in(&account_item, ended.period)?,
            storage: Storage::read(&account_item),
        })
    }

    /// Makes the operation the reporter of a threshold of `limit` that its month has reached. A month
    /// has only one reporter, which never changes.
    pub async fn claim_threshold(
        &self,
        ended: &Operation,
        threshold: UsageThreshold,
        limit: u64,
    ) -> Result<bool, StoreError> {
        let month = month(ended.period);
        let mine = format!("{month}#{}#{limit}", ended.id.unique());
        let update = self
            .clients
            .dynamodb
            .update_item()
            .table_name(&self.names.table)
            .set_key(Some(keys::webhook_subscriptions(ended.account)))
            .update_expression("SET #reporter = :mine")
            // A value that has more than the month sorts behind it.
            .condition_expression(
                "attribute_not_exists(#reporter) OR #reporter < :month OR #reporter = :mine",
            )
            .expression_attribute_names("#reporter", attribute(threshold))
            .expression_attribute_values(":mine", text(mine))
            .expression_attribute_values(":month", text(month));
        self.update_if(update).await
    }
}
