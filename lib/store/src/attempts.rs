//! What attempts to deliver note about an endpoint, and what they read.
//!
//! An endpoint must not become a hot item: as long as its receiver answers as before, a note is made every
//! few seconds at most. One that is slow or fails has places, and an attempt to it must hold one from its
//! beginning to its end: so attempts to it are few at any time, over all instances, while a healthy endpoint
//! costs no writes at all. The place of an attempt whose maker died is free again by itself.

use std::time::Duration;

use aws_sdk_dynamodb::{
    error::SdkError,
    operation::update_item::{UpdateItemError, builders::UpdateItemFluentBuilder},
    types::AttributeValue,
};
use domain::{AccountId, Operation, OperationId, Timestamp, random, webhook::LastDelivery};
use futures::future::join;

use crate::{
    Store, StoreError,
    events::{DeliveryMessage, Lane},
    item::{Reader, instant, number},
    keys::{self, SK, TTL},
    operations,
    webhooks::{StoredEndpoint, Wants, revision},
};

/// While nothing changes, how often an attempt is noted.
const NOTED_EVERY: Duration = Duration::from_secs(5);
/// Pause between attempts to an endpoint that fails.
const FAILING_PAUSE: Duration = Duration::from_secs(2);
/// For how long an endpoint may fail at once, which keeps nobody waiting, before it is held back.
const FAILING_PATIENCE: Duration = Duration::from_secs(60);
/// Attempts under way at once to an endpoint that fails.
const FAILING_PLACES: usize = 1;
/// The same where it is slow.
const SLOW_PLACES: usize = 4;
/// How long a place is held at most: longer than the machine lives that an attempt is made on.
const PLACE_HELD: Duration = Duration::from_secs(30);
/// How long is known whose a delivery's attempts are: longer than the longest pause between two of them.
const RETRY_KNOWN: Duration = Duration::from_secs(4 * 86_400);

/// How an attempt went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Whether the receiver took the event.
    pub taken: bool,
    /// Whether it let us wait.
    pub slow: bool,
}

/// The right to begin an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The endpoint is well, and no place is needed.
    Free,
    /// A place is held.
    Held(Place),
    /// Other attempts are under way, or too short a time ago.
    Refused,
}

/// A place that an attempt holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    index: usize,
    /// How many there are.
    of: usize,
    until: Timestamp,
}

/// A finished operation and what the account's endpoints want to be told of.
#[derive(Clone, Debug)]
pub struct Ended {
    /// The operation, if there is one.
    pub operation: Option<Operation>,
    /// What the endpoints want.
    pub wants: Wants,
}

fn instants(instants: impl Iterator<Item = Timestamp>) -> AttributeValue {
    AttributeValue::L(instants.map(instant).collect())
}

impl StoredEndpoint {
    /// Where its deliveries belong, by what is known of it.
    pub fn lane(&self) -> Lane {
        if self.places.is_empty() { Lane::Fast } else { Lane::Slow }
    }

    /// The same after an attempt that went like this.
    pub fn lane_after(&self, last: &LastDelivery, mark: Mark) -> Lane {
        if self.places_after(last, mark) == 0 { Lane::Fast } else { Lane::Slow }
    }

    /// Whether an attempt that went like this is worth a note; `places` is how many it leaves.
    fn is_news(&self, last: &LastDelivery, mark: Mark, places: usize) -> bool {
        let is_failing = self.failing_since.is_some();
        if is_failing == mark.taken || self.places.len() != places {
            return true;
        }
        match self.endpoint.last_delivery {
            None => true,
            Some(noted) => noted.status != last.status || last.at.since(noted.at) >= NOTED_EVERY,
        }
    }

    /// How many attempts may be under way at once after one that went like this; 0 if any number.
    fn places_after(&self, last: &LastDelivery, mark: Mark) -> usize {
        let fails_long =
            self.failing_since.is_some_and(|since| last.at.since(since) >= FAILING_PATIENCE);
        match mark {
            Mark { taken: true, slow: false } => 0,
            Mark { taken: true, slow: true } => SLOW_PLACES,
            Mark { taken: false, slow } if slow || fails_long => FAILING_PLACES,
            Mark { taken: false, .. } => 0,
        }
    }
}

impl Store {
    /// Reads an operation and what the account's endpoints want to be told of, in one call.
    pub async fn ended(&self, account: AccountId, id: OperationId) -> Result<Ended, StoreError> {
        let keys = vec![keys::operation(account, id), keys::webhook_ledger(account)];
        let items = self.read_items(keys).await?;
        let (mut operation, mut wants) = (None, Wants::default());
        for item in &items {
            if Reader(item).text(SK)? == keys::WEBHOOK_LEDGER {
                wants = Wants::read(Some(item))?;
            } else {
                operation = Some(operations::read(item)?);
            }
        }
        Ok(Ended { operation, wants })
    }

    /// Takes the right to begin an attempt: any of the places that are free, if places there are.
    pub async fn claim_attempt(&self, seen: &StoredEndpoint) -> Result<Claim, StoreError> {
        if seen.places.is_empty() {
            return Ok(Claim::Free);
        }
        let now = self.clock.now();
        let free = seen.places.iter().enumerate().filter(|(_, free_at)| **free_at <= now);
        let free: Vec<_> = free.collect();
        // Which one is left to chance, so that those who come together seldom want the same.
        let roll = usize::from(u16::from_be_bytes(random::bytes(&*self.random)));
        let Some((index, free_at)) = roll.checked_rem(free.len()).map(|chosen| free[chosen]) else {
            return Ok(Claim::Refused);
        };
        let until = now + PLACE_HELD;
        let update = self
            .update_endpoint(seen)
            .update_expression(format!("SET tr[{index}] = :until"))
            .condition_expression(format!("v = :v AND tr[{index}] = :free"))
            .expression_attribute_values(":until", instant(until))
            .expression_attribute_values(":free", instant(*free_at));
        let place = Place { index, of: seen.places.len(), until };
        Ok(if self.holds(update).await? { Claim::Held(place) } else { Claim::Refused })
    }

    /// Gives a place back that is of no more use, for the next attempt after `pause`.
    pub async fn leave_place(
        &self,
        seen: &StoredEndpoint,
        place: Place,
        pause: Duration,
    ) -> Result<(), StoreError> {
        let index = place.index;
        let update = self
            .update_endpoint(seen)
            .update_expression(format!("SET tr[{index}] = :free"))
            .condition_expression(format!("v = :v AND tr[{index}] = :until"))
            .expression_attribute_values(":until", instant(place.until))
            .expression_attribute_values(":free", instant(self.clock.now() + pause));
        self.holds(update).await.map(drop)
    }

    /// Notes that an endpoint lets an attempt wait, so that others hold back from now on; the attempt gets a
    /// place, unless another one was noted first.
    pub async fn note_slow(&self, seen: &StoredEndpoint) -> Result<Claim, StoreError> {
        let now = self.clock.now();
        let until = now + PLACE_HELD;
        let places = (0..SLOW_PLACES).map(|index| if index == 0 { until } else { now });
        let update = self
            .update_endpoint(seen)
            .update_expression("SET tr = :places")
            .condition_expression("v = :v AND attribute_not_exists(tr)")
            .expression_attribute_values(":places", instants(places));
        let place = Place { index: 0, of: SLOW_PLACES, until };
        Ok(if self.holds(update).await? { Claim::Held(place) } else { Claim::Free })
    }

    /// Notes how an attempt went, if that is news, and gives its place back. Of two attempts the one that
    /// began later counts; of one that began before the endpoint was changed nothing is noted.
    pub async fn note_attempt(
        &self,
        seen: &StoredEndpoint,
        last: LastDelivery,
        mark: Mark,
        claim: Claim,
    ) -> Result<(), StoreError> {
        let places = seen.places_after(&last, mark);
        let noted = async {
            if !seen.is_news(&last, mark, places) {
                return Ok(true);
            }
            self.note(seen, last, mark, places, claim).await
        };
        let pause = if mark.taken { Duration::ZERO } else { FAILING_PAUSE };
        match claim {
            Claim::Held(place) if place.of == places => {
                let (noted, left) = join(noted, self.leave_place(seen, place, pause)).await;
                noted.and(left)
            }
            // Unless it was noted, the places stand as they were.
            Claim::Held(place) => match noted.await {
                Ok(true) => Ok(()),
                _ => self.leave_place(seen, place, pause).await,
            },
            Claim::Free | Claim::Refused => noted.await.map(drop),
        }
    }

    /// Notes how an attempt went; `false` if a later one was noted first.
    async fn note(
        &self,
        seen: &StoredEndpoint,
        last: LastDelivery,
        mark: Mark,
        places: usize,
        claim: Claim,
    ) -> Result<bool, StoreError> {
        let free_at = self.clock.now() + if mark.taken { Duration::ZERO } else { FAILING_PAUSE };
        let had = if let Claim::Held(place) = claim { place.of } else { seen.places.len() };
        let (mut set, mut removed) = ("da = :at, dn = :attempt".to_owned(), Vec::new());
        match (places, claim) {
            (0, _) => removed.push("tr"),
            (places, _) if places == had => {}
            // Attempts may hold the places that another one has made.
            (SLOW_PLACES, Claim::Free) => set.push_str(", tr = if_not_exists(tr, :places)"),
            _ => set.push_str(", tr = :places"),
        }
        if mark.taken {
            removed.push("fs");
        } else {
            set.push_str(", fs = if_not_exists(fs, :at)");
        }
        match last.status {
            Some(_) => set.push_str(", ds = :status"),
            None => removed.push("ds"),
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
        if expression.contains(":places") {
            let places = std::iter::repeat_n(free_at, places);
            update = update.expression_attribute_values(":places", instants(places));
        }
        if self.holds(update.update_expression(expression)).await? {
            return Ok(true);
        }
        if mark.taken {
            // A later attempt was noted first. If it failed, then for no longer than since this success.
            let update = self
                .update_endpoint(seen)
                .update_expression("SET fs = :at")
                .condition_expression("v = :v AND fs < :at")
                .expression_attribute_values(":at", instant(last.at));
            self.holds(update).await?;
        }
        Ok(false)
    }

    /// Makes a message the one whose attempt this is. `false` if it is another one's, which has come from
    /// another failure of the attempt before and is not done yet, or if a later attempt was made already.
    ///
    /// A message may be worked on twice, and twice send the next attempt. All that one failure leads to
    /// bears its ticket, however often that is sent again; so of two tickets one may go, and what was
    /// doubled is one again with the next attempt.
    pub async fn takes_attempt(&self, message: &DeliveryMessage) -> Result<bool, StoreError> {
        let expiry = self.clock.now() + RETRY_KNOWN;
        let update = self
            .clients
            .dynamodb
            .update_item()
            .table_name(&self.names.table)
            .set_key(Some(keys::webhook_retry(message.account_id, message.delivery_id())))
            .update_expression("SET dn = :attempt, tk = :ticket, #ttl = :ttl")
            .condition_expression(
                "attribute_not_exists(dn) OR dn < :attempt OR (dn = :attempt AND tk = :ticket)",
            )
            .expression_attribute_names("#ttl", TTL)
            .expression_attribute_values(":attempt", number(message.attempt))
            .expression_attribute_values(":ticket", AttributeValue::N(message.ticket.to_string()))
            .expression_attribute_values(":ttl", number(expiry.seconds_up()));
        self.holds(update).await
    }

    /// An update of an endpoint that is as it was seen; its condition has to say so.
    fn update_endpoint(&self, seen: &StoredEndpoint) -> UpdateItemFluentBuilder {
        self.clients
            .dynamodb
            .update_item()
            .table_name(&self.names.table)
            .set_key(Some(keys::endpoint(seen.account, seen.endpoint.id)))
            .expression_attribute_values(":v", revision(seen.revision))
    }

    /// Sends an update; `false` if its condition does not hold.
    pub(crate) async fn holds(&self, update: UpdateItemFluentBuilder) -> Result<bool, StoreError> {
        match self.update_patiently(update).await {
            Ok(_) => Ok(true),
            Err(SdkError::ServiceError(error))
                if matches!(error.err(), UpdateItemError::ConditionalCheckFailedException(_)) =>
            {
                Ok(false)
            }
            Err(error) => Err(StoreError::unavailable("table", error)),
        }
    }
}
