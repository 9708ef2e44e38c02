//! Thresholds that a month's usage reaches, each told by one operation.
//!
//! The webhook subscriptions holds who tells of each: `ut` of the threshold, `ul` of the limit, as month, operation
//! and the credits that the month had then. Who has read the ledger knows from there what has been told, and
//! an operation that stands in it tells again what it told before, whatever has changed since.

use aws_sdk_dynamodb::{
    operation::transact_get_items::TransactGetItemsError,
    types::{Get, TransactGetItem},
};
use domain::{EventKind, Operation, Plan, Timestamp};

use crate::{
    Store, StoreError,
    admission::used_in,
    item::{Attributes, ItemReader, text},
    keys,
    transaction::{RETRIES, backoff},
};

/// What an account had used when an operation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// The account's plan.
    pub plan: Plan,
    /// Credits spent in the operation's month; `None` if they are not known any more.
    pub used: Option<u32>,
}

/// Who tells that a month's usage has reached a threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reporter {
    /// Nobody yet.
    Nobody,
    /// The operation that was asked about, of a month with so many credits.
    This(u32),
    /// Another operation, of the same month or a later one.
    Another,
}

/// The operations that told last, by threshold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reporters {
    threshold: Option<String>,
    limit: Option<String>,
}

/// Attribute of the ledger that holds who tells of a threshold.
const fn attribute(kind: EventKind) -> &'static str {
    match kind {
        EventKind::UsageLimitReached => "ul",
        _ => "ut",
    }
}

/// Months sort as text: their instants have as many digits for the next two centuries.
fn month(period: Timestamp) -> String {
    period.millis().to_string()
}

impl Reporters {
    pub(crate) fn read(ledger: &Attributes) -> Self {
        let of = |kind| ItemReader(ledger).optional_text(attribute(kind)).map(ToOwned::to_owned);
        Self {
            threshold: of(EventKind::UsageThresholdReached),
            limit: of(EventKind::UsageLimitReached),
        }
    }

    /// Who tells of the threshold of `kind` in the month that the operation was started in.
    pub fn of(&self, kind: EventKind, ended: &Operation) -> Reporter {
        let claim = match kind {
            EventKind::UsageLimitReached => &self.limit,
            _ => &self.threshold,
        };
        let mut parts = claim.as_deref().unwrap_or_default().split('#');
        let mine = month(ended.period);
        let told = parts.next().unwrap_or_default();
        if told < mine.as_str() {
            return Reporter::Nobody;
        }
        let is_this = told == mine && parts.next() == Some(&ended.id.unique());
        let credits = parts.next().and_then(|credits| credits.parse().ok());
        credits.filter(|_| is_this).map_or(Reporter::Another, Reporter::This)
    }
}

impl Store {
    /// What the account had used of the operation's month, the operation's own credits included.
    ///
    /// One isolated read of operation and account item: the items of a settlement become visible one by one, and
    /// the credits must not be looked at before those of the operation are among them.
    pub async fn usage_after(&self, ended: &Operation) -> Result<Usage, StoreError> {
        let get = |key| {
            let get = Get::builder().table_name(&self.names.table).set_key(Some(key)).build();
            TransactGetItem::builder().set_get(get.ok()).build()
        };
        let read = self
            .clients
            .dynamodb
            .transact_get_items()
            .transact_items(get(keys::operation(ended.account, ended.id)))
            .transact_items(get(keys::account_item(ended.account)));
        let mut pauses = backoff().take(RETRIES);
        let answer = loop {
            let error = match read.clone().send().await {
                Ok(answer) => break answer,
                Err(error) => error,
            };
            // Every request of the account writes its account item.
            let is_cancelled = matches!(
                error.as_service_error(),
                Some(TransactGetItemsError::TransactionCanceledException(_))
            );
            match pauses.next().filter(|_| is_cancelled) {
                Some(pause) => self.sleep_with_jitter(pause).await,
                None => return Err(StoreError::unavailable("table", error)),
            }
        };
        let account_item = answer.responses().get(1).and_then(|response| response.item());
        let account_item = account_item.ok_or_else(|| StoreError::corrupt("account item"))?;
        let plan =
            ItemReader(account_item).text("pl")?.parse().map_err(|_| StoreError::corrupt("pl"))?;
        Ok(Usage { plan, used: used_in(account_item, ended.period)? })
    }

    /// Makes the operation the one that tells that its month, of so many `credits`, has reached a threshold. Only
    /// one operation of a month is, and it stays so.
    pub async fn claim_threshold(
        &self,
        ended: &Operation,
        kind: EventKind,
        credits: u32,
    ) -> Result<bool, StoreError> {
        let month = month(ended.period);
        let mine = format!("{month}#{}#{credits}", ended.id.unique());
        let update = self
            .clients
            .dynamodb
            .update_item()
            .table_name(&self.names.table)
            .set_key(Some(keys::webhook_subscriptions(ended.account)))
            .update_expression("SET #told = :mine")
            // What is longer than the month alone sorts behind it.
            .condition_expression("attribute_not_exists(#told) OR #told < :month OR #told = :mine")
            .expression_attribute_names("#told", attribute(kind))
            .expression_attribute_values(":mine", text(mine))
            .expression_attribute_values(":month", text(month));
        self.update_if(update).await
    }
}
