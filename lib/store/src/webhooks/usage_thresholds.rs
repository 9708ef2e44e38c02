//! Thresholds that an account's usage reaches in a month, each reported by one operation.
//!
//! The webhook subscriptions also have the reporter of each: `ut` for the threshold of credits, `ul`
//! for their limit, `us` for the threshold of stored bytes. It consists of month, operation and the
//! limit at that time. So a reader of the subscriptions knows what has been reported, and a reporter
//! that runs again reports the same as before, whatever has changed since.

use domain::{EventKind, Operation, Timestamp, plan::Allowance};

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

/// The last reporter of each threshold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reporters {
    threshold: Option<String>,
    limit: Option<String>,
    storage: Option<String>,
}

/// Attribute with the reporter of a threshold.
const fn attribute(kind: EventKind) -> &'static str {
    match kind {
        EventKind::UsageLimitReached => "ul",
        EventKind::StorageThresholdReached => "us",
        _ => "ut",
    }
}

/// Months sort as text: their instants have the same number of digits for the next two centuries.
fn month(period: Timestamp) -> String {
    period.millis().to_string()
}

impl Reporters {
    pub(crate) fn read(account: &Attributes) -> Self {
        let of = |kind| ItemReader(account).optional_text(attribute(kind)).map(ToOwned::to_owned);
        Self {
            threshold: of(EventKind::UsageThresholdReached),
            limit: of(EventKind::UsageLimitReached),
            storage: of(EventKind::StorageThresholdReached),
        }
    }

    /// The reporter of the threshold of `kind` in the month that the operation was started in.
    pub fn of(&self, kind: EventKind, ended: &Operation) -> Reporter {
        let claim = match kind {
            EventKind::UsageLimitReached => &self.limit,
            EventKind::StorageThresholdReached => &self.storage,
            _ => &self.threshold,
        };
        let mut parts = claim.as_deref().unwrap_or_default().split('#');
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
        kind: EventKind,
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
            .expression_attribute_names("#reporter", attribute(kind))
            .expression_attribute_values(":mine", text(mine))
            .expression_attribute_values(":month", text(month));
        self.update_if(update).await
    }
}
