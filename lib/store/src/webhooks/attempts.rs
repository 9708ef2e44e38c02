//! What delivery attempts record about an endpoint, and what they read.
//!
//! An endpoint's item must not become hot: while its receiver responds as before, a result is
//! recorded at most every few seconds. A slow or failing endpoint has permits, and an attempt must
//! hold one from beginning to end. So such an endpoint has few concurrent attempts over all
//! instances, while a healthy endpoint needs no writes. A permit expires, so that a crashed attempt
//! does not keep it.
//!
//! An endpoint that has accepted nothing yet has one permit.

use std::time::Duration;

use aws_sdk_dynamodb::{
    operation::update_item::builders::UpdateItemFluentBuilder, types::AttributeValue,
};
use domain::{AccountId, Operation, OperationId, Timestamp, random, webhook::LastDelivery};
use futures::future::join;

use crate::{
    Store, StoreError,
    item::{instant, number, text},
    keys, operations,
    webhooks::queue::Lane,
    webhooks::{StoredEndpoint, Subscriptions, revision},
};

/// How often the result of an attempt is recorded while nothing changes.
const RECORD_INTERVAL: Duration = Duration::from_secs(5);
/// Pause between attempts to a failing endpoint.
const FAILING_PAUSE: Duration = Duration::from_secs(2);
/// How long an endpoint may fail fast before attempts to it need permits; failing fast delays no
/// other delivery.
const FAILING_GRACE: Duration = Duration::from_secs(60);
/// Concurrent attempts to a failing or unproven endpoint.
const FAILING_PERMITS: usize = 1;
/// Concurrent attempts to a slow endpoint.
const SLOW_PERMITS: usize = 4;
/// How long a permit is held at most: longer than the machine of an attempt lives.
const PERMIT_TTL: Duration = Duration::from_secs(30);

/// The result of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttemptResult {
    /// Whether the receiver accepted the event.
    pub accepted: bool,
    /// Whether the receiver responded slowly.
    pub slow: bool,
}

/// The right to start an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acquisition {
    /// The endpoint is healthy, and no permit is needed.
    Unlimited,
    /// A permit is held.
    Held(Permit),
    /// All permits are held, or were released too short a time ago.
    NoPermits,
}

/// A permit that an attempt holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permit {
    index: usize,
    /// Number of permits of the endpoint.
    of: usize,
    until: Timestamp,
}

/// An ended operation and the account's subscriptions.
#[derive(Clone, Debug)]
pub struct EndedOperation {
    /// The operation, if there is one.
    pub operation: Option<Operation>,
    /// The subscriptions of the account's endpoints.
    pub subscriptions: Subscriptions,
}

fn instants(instants: impl Iterator<Item = Timestamp>) -> AttributeValue {
    AttributeValue::L(instants.map(instant).collect())
}

impl StoredEndpoint {
    /// The lane of its deliveries, as it was read. An unproven endpoint that has not failed yet is
    /// given the chance to answer fast.
    pub fn lane(&self) -> Lane {
        let is_new = self.unproven && self.failing_since.is_none();
        if self.permits.is_empty() || is_new { Lane::Fast } else { Lane::Slow }
    }

    /// The lane of its deliveries after an attempt with this result.
    pub fn lane_after(&self, last: &LastDelivery, result: AttemptResult) -> Lane {
        if self.permits_after(last, result) == 0 { Lane::Fast } else { Lane::Slow }
    }

    /// Whether the result of an attempt is worth recording; `permits` is how many it leaves.
    fn is_news(&self, last: &LastDelivery, result: AttemptResult, permits: usize) -> bool {
        let is_failing = self.failing_since.is_some();
        if is_failing == result.accepted || self.permits.len() != permits {
            return true;
        }
        match self.endpoint.last_delivery {
            None => true,
            Some(noted) => {
                let result = |one: LastDelivery| (one.status, one.reason);
                result(noted) != result(*last) || last.at.since(noted.at) >= RECORD_INTERVAL
            }
        }
    }

    /// How many attempts may be concurrent after one with this result; 0 for no limit.
    fn permits_after(&self, last: &LastDelivery, result: AttemptResult) -> usize {
        let fails_long =
            self.failing_since.is_some_and(|since| last.at.since(since) >= FAILING_GRACE);
        match result {
            AttemptResult { accepted: true, slow: false } => 0,
            AttemptResult { accepted: true, slow: true } => SLOW_PERMITS,
            AttemptResult { accepted: false, slow } if slow || fails_long || self.unproven => {
                FAILING_PERMITS
            }
            AttemptResult { accepted: false, .. } => 0,
        }
    }
}

impl Store {
    /// Reads an operation and the account's subscriptions as they are at one instant. So if the
    /// operation has ended, there is every endpoint that was created before.
    pub async fn ended(
        &self,
        account: AccountId,
        id: OperationId,
    ) -> Result<EndedOperation, StoreError> {
        let keys = [keys::operation(account, id), keys::webhook_subscriptions(account)];
        let [operation, subscriptions] = self.transact_get(keys).await?;
        Ok(EndedOperation {
            operation: operation.as_ref().map(operations::read).transpose()?,
            subscriptions: Subscriptions::read(subscriptions.as_ref())?,
        })
    }

    /// Acquires a permit to start an attempt, if the endpoint has permits and one is free.
    pub async fn acquire_permit(&self, seen: &StoredEndpoint) -> Result<Acquisition, StoreError> {
        if seen.permits.is_empty() {
            return Ok(Acquisition::Unlimited);
        }
        let now = self.clock.now();
        let free = seen.permits.iter().enumerate().filter(|(_, free_at)| **free_at <= now);
        let free: Vec<_> = free.collect();
        // A random one, so that concurrent attempts seldom try the same.
        let roll = usize::from(u16::from_be_bytes(random::bytes(&*self.random)));
        let Some((index, free_at)) = roll.checked_rem(free.len()).map(|chosen| free[chosen]) else {
            return Ok(Acquisition::NoPermits);
        };
        let until = now + PERMIT_TTL;
        let update = self
            .update_endpoint(seen)
            .update_expression(format!("SET tr[{index}] = :until"))
            .condition_expression(format!("v = :v AND tr[{index}] = :free"))
            .expression_attribute_values(":until", instant(until))
            .expression_attribute_values(":free", instant(*free_at));
        let permit = Permit { index, of: seen.permits.len(), until };
        Ok(if self.update_if(update).await? {
            Acquisition::Held(permit)
        } else {
            Acquisition::NoPermits
        })
    }

    /// Releases a permit; the next attempt may use it after `pause`.
    pub async fn release_permit(
        &self,
        seen: &StoredEndpoint,
        permit: Permit,
        pause: Duration,
    ) -> Result<(), StoreError> {
        let index = permit.index;
        let update = self
            .update_endpoint(seen)
            .update_expression(format!("SET tr[{index}] = :free"))
            .condition_expression(format!("v = :v AND tr[{index}] = :until"))
            .expression_attribute_values(":until", instant(permit.until))
            .expression_attribute_values(":free", instant(self.clock.now() + pause));
        self.update_if(update).await.map(drop)
    }

    /// Records that an endpoint is slow, so that other attempts need permits from now on. The
    /// attempt gets the first permit, unless another one recorded it first.
    pub async fn record_slow(&self, seen: &StoredEndpoint) -> Result<Acquisition, StoreError> {
        let now = self.clock.now();
        let until = now + PERMIT_TTL;
        let permits = (0..SLOW_PERMITS).map(|index| if index == 0 { until } else { now });
        let update = self
            .update_endpoint(seen)
            .update_expression("SET tr = :permits")
            .condition_expression("v = :v AND attribute_not_exists(tr)")
            .expression_attribute_values(":permits", instants(permits));
        let permit = Permit { index: 0, of: SLOW_PERMITS, until };
        Ok(if self.update_if(update).await? {
            Acquisition::Held(permit)
        } else {
            Acquisition::Unlimited
        })
    }

    /// Records the result of an attempt, if it is worth it, and releases the permit. Of two
    /// attempts the one that started later counts. Results of attempts that started before the
    /// endpoint was changed are not recorded.
    pub async fn record_attempt(
        &self,
        seen: &StoredEndpoint,
        last: LastDelivery,
        result: AttemptResult,
        acquired: Acquisition,
    ) -> Result<(), StoreError> {
        let permits = seen.permits_after(&last, result);
        let noted = async {
            if !seen.is_news(&last, result, permits) {
                return Ok(true);
            }
            self.record_result(seen, last, result, permits, acquired).await
        };
        let pause = if result.accepted { Duration::ZERO } else { FAILING_PAUSE };
        match acquired {
            Acquisition::Held(permit) if permit.of == permits => {
                let (noted, left) = join(noted, self.release_permit(seen, permit, pause)).await;
                noted.and(left)
            }
            // Unless the result was recorded, the permits are as they were.
            Acquisition::Held(permit) => match noted.await {
                Ok(true) => Ok(()),
                _ => self.release_permit(seen, permit, pause).await,
            },
            Acquisition::Unlimited | Acquisition::NoPermits => noted.await.map(drop),
        }
    }

    /// Records the result of an attempt; `false` if a later one was recorded first.
    async fn record_result(
        &self,
        seen: &StoredEndpoint,
        last: LastDelivery,
        result: AttemptResult,
        permits: usize,
        acquired: Acquisition,
    ) -> Result<bool, StoreError> {
        let free_at =
            self.clock.now() + if result.accepted { Duration::ZERO } else { FAILING_PAUSE };
        let had =
            if let Acquisition::Held(permit) = acquired { permit.of } else { seen.permits.len() };
        let (mut set, mut removed) = ("da = :at, dn = :attempt".to_owned(), Vec::new());
        match (permits, acquired) {
            (0, _) => removed.push("tr"),
            (permits, _) if permits == had => {}
            // Other attempts may hold permits that one of them has created.
            (SLOW_PERMITS, Acquisition::Unlimited) => {
                set.push_str(", tr = if_not_exists(tr, :permits)")
            }
            _ => set.push_str(", tr = :permits"),
        }
        if result.accepted {
            removed.extend(["fs", "un"]);
        } else {
            set.push_str(", fs = if_not_exists(fs, :at)");
        }
        match last.status {
            Some(_) => set.push_str(", ds = :status"),
            None => removed.push("ds"),
        }
        match last.reason {
            Some(_) => set.push_str(", dr = :reason"),
            None => removed.push("dr"),
        }
        let mut expression = format!("SET {set}");
        if !removed.is_empty() {
            expression.push_str(&format!(" REMOVE {}", removed.join(", ")));
        }
        let mut update = self
            .update_endpoint(seen)
            .condition_expression("v = :v AND (attribute_not_exists(da) OR da <= :at)")
            .expression_attribute_values(":at", instant(last.at))
            .expression_attribute_values(":attempt", number(last.attempt));
        if let Some(status) = last.status {
            update = update.expression_attribute_values(":status", number(status));
        }
        if let Some(reason) = last.reason {
            update = update.expression_attribute_values(":reason", text(reason.as_str()));
        }
        if expression.contains(":permits") {
            let permits = std::iter::repeat_n(free_at, permits);
            update = update.expression_attribute_values(":permits", instants(permits));
        }
        if self.update_if(update.update_expression(expression)).await? {
            return Ok(true);
        }
        if result.accepted {
            // A later attempt was recorded first. If it failed, then the endpoint fails since this
            // success at the earliest.
            let update = self
                .update_endpoint(seen)
                .update_expression("SET fs = :at")
                .condition_expression("v = :v AND fs < :at")
                .expression_attribute_values(":at", instant(last.at));
            self.update_if(update).await?;
            self.record_proof(seen).await?;
        }
        Ok(false)
    }

    /// Records that an unproven endpoint has accepted a delivery.
    ///
    /// # Errors
    ///
    /// Storage failed.
    pub async fn record_proof(&self, seen: &StoredEndpoint) -> Result<(), StoreError> {
        if !seen.unproven {
            return Ok(());
        }
        let proven = self
            .update_endpoint(seen)
            .update_expression("REMOVE un, tr, fs")
            .condition_expression("v = :v AND attribute_exists(un)");
        if self.update_if(proven).await? {
            return Ok(());
        }
        let Some(host) = seen.host else { return Ok(()) };
        // Its owner may have changed something else meanwhile.
        let host_proven = self
            .update_any_revision(seen)
            .update_expression("REMOVE un, tr")
            .condition_expression("attribute_exists(un) AND h = :h")
            .expression_attribute_values(":h", number(host));
        self.update_if(host_proven).await.map(drop)
    }

    /// An update of an endpoint; its condition must check `v`, the revision that was read.
    pub(super) fn update_endpoint(&self, seen: &StoredEndpoint) -> UpdateItemFluentBuilder {
        self.update_any_revision(seen).expression_attribute_values(":v", revision(seen.revision))
    }

    /// An update of an endpoint, whatever its revision is.
    pub(super) fn update_any_revision(&self, seen: &StoredEndpoint) -> UpdateItemFluentBuilder {
        self.clients
            .dynamodb
            .update_item()
            .table_name(&self.names.table)
            .set_key(Some(keys::endpoint(seen.account, seen.endpoint.id)))
    }
}
