//! The deliveries that wait for an unproven endpoint, which may be a stranger's host: few may.
//!
//! The endpoint's item has a set of texts: the unique part of a delivery's identifier and the second in which the
//! delivery ends at the latest. Both follow from its message. So a delivery that is added twice waits once, and one
//! whose message was lost waits no longer than any other.

use std::collections::BTreeSet;

use aws_sdk_dynamodb::types::AttributeValue;
use domain::{
    Timestamp,
    webhook::{LIFETIME, WAITING_MAX},
};

use crate::{
    Store, StoreError,
    item::number,
    webhooks::{StoredEndpoint, queue::DeliveryMessage},
};

/// A delivery that waits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WaitingDelivery(String);

impl WaitingDelivery {
    fn of(message: &DeliveryMessage) -> Self {
        let until = message.event.timestamp + LIFETIME;
        Self(format!("{}-{}", message.delivery_id().unique(), until.seconds_up()))
    }

    /// Whether its message is gone, whatever became of it.
    fn has_ended(&self, now: Timestamp) -> bool {
        let until: Option<i64> = self.0.split_once('-').and_then(|(_, until)| until.parse().ok());
        until.is_none_or(|until| until < now.seconds())
    }
}

pub(super) fn read(attribute: &AttributeValue) -> BTreeSet<WaitingDelivery> {
    attribute.as_ss().into_iter().flatten().cloned().map(WaitingDelivery).collect()
}

fn set<'a>(deliveries: impl IntoIterator<Item = &'a WaitingDelivery>) -> AttributeValue {
    AttributeValue::Ss(deliveries.into_iter().map(|it| it.0.clone()).collect())
}

impl StoredEndpoint {
    /// How many more deliveries may wait for it while it is unproven.
    pub fn free_places(&self, now: Timestamp) -> u32 {
        let waiting = self.waiting.iter().filter(|it| !it.has_ended(now)).count();
        WAITING_MAX.saturating_sub(u32::try_from(waiting).unwrap_or(u32::MAX))
    }
}

impl Store {
    /// Whether a delivery may wait for its endpoint: at most [`WAITING_MAX`] wait for an unproven
    /// one.
    ///
    /// # Errors
    ///
    /// Storage failed.
    pub async fn may_wait(
        &self,
        seen: &StoredEndpoint,
        message: &DeliveryMessage,
    ) -> Result<bool, StoreError> {
        let delivery = WaitingDelivery::of(message);
        if !seen.unproven || seen.waiting.contains(&delivery) {
            return Ok(true);
        }
        while !self.add_waiting(seen, &delivery).await? {
            let present = self.endpoint(seen.account, seen.endpoint.id).await?;
            let Some(present) = present.filter(|it| it.unproven) else { return Ok(true) };
            let now = self.clock.now();
            let ended: Vec<_> = present.waiting.iter().filter(|it| it.has_ended(now)).collect();
            if !ended.is_empty() {
                self.remove_waiting(seen, set(ended)).await?;
            } else if present.waiting.len() >= WAITING_MAX as usize {
                return Ok(false);
            }
            // Else another delivery has made room since.
        }
        Ok(true)
    }

    /// A delivery waits no longer: another one may wait in its place.
    ///
    /// # Errors
    ///
    /// Storage failed.
    pub async fn stop_waiting(
        &self,
        seen: &StoredEndpoint,
        message: &DeliveryMessage,
    ) -> Result<(), StoreError> {
        if !seen.unproven {
            return Ok(());
        }
        self.remove_waiting(seen, set([&WaitingDelivery::of(message)])).await
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
            .update_expression("REMOVE un, wt, tr, fs")
            .condition_expression("v = :v AND attribute_exists(un)");
        if self.update_if(proven).await? {
            return Ok(());
        }
        let Some(host) = seen.host else { return Ok(()) };
        // Its owner may have changed something else meanwhile.
        let host_proven = self
            .update_any_revision(seen)
            .update_expression("REMOVE un, wt, tr")
            .condition_expression("attribute_exists(un) AND h = :h")
            .expression_attribute_values(":h", number(host));
        self.update_if(host_proven).await.map(drop)
    }

    /// `false` if as many wait as may, or if the endpoint is not unproven.
    async fn add_waiting(
        &self,
        seen: &StoredEndpoint,
        delivery: &WaitingDelivery,
    ) -> Result<bool, StoreError> {
        let update = self
            .update_any_revision(seen)
            .update_expression("ADD wt :delivery")
            .condition_expression(
                "attribute_exists(un) \
                 AND (attribute_not_exists(wt) OR size(wt) < :most OR contains(wt, :text))",
            )
            .expression_attribute_values(":delivery", set([delivery]))
            .expression_attribute_values(":text", AttributeValue::S(delivery.0.clone()))
            .expression_attribute_values(":most", number(WAITING_MAX));
        self.update_if(update).await
    }

    async fn remove_waiting(
        &self,
        seen: &StoredEndpoint,
        deliveries: AttributeValue,
    ) -> Result<(), StoreError> {
        let update = self
            .update_any_revision(seen)
            .update_expression("DELETE wt :deliveries")
            .condition_expression("attribute_exists(wt)")
            .expression_attribute_values(":deliveries", deliveries);
        self.update_if(update).await.map(drop)
    }
}
