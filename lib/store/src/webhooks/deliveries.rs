//! The record of each delivery: which message owns its next attempt, and what became of the last.
//!
//! What will be attempted stands in the queue; a record is what the endpoint's owner sees of it. So
//! a record that could not be written delays nothing. Only a delivery that has failed for good
//! depends on its record, since no message has it any more: from there it is sent again.
//!
//! | attribute | holds |
//! |---|---|
//! | `dn`, `tk` | the latest attempt, as `DeliveryMessage::number`, and the claim token of its messages |
//! | `hp`, `ht` | the latest hop of that attempt, and its token |
//! | `st` | accepted (`S`), another attempt follows (`P`), failed (`F`); absent until there is a result |
//! | `an`, `ab`, `ds` | the last attempt: its number, its start, status code of the response |
//! | `dr` | why that failed, or why the delivery was given up |
//! | `na` | when the next attempt is due |
//! | `ev` | the event, as JSON |
//! | `lp`, `ls` | present while it has failed: its place in the index |
//!
//! A record expires with its event, like the delivery itself. Nothing else bounds how many there
//! are, and they count toward no quota: no request can add one but through an event.

use std::collections::BTreeMap;

use aws_sdk_dynamodb::{
    operation::update_item::builders::UpdateItemFluentBuilder, types::AttributeValue,
};
use domain::{
    AccountId, DeliveryId, EndpointId, Timestamp, random,
    webhook::{DeliveryStatus, FailureReason, LIFETIME, LastDelivery},
};

use crate::{
    Store, StoreError,
    item::{Attributes, ItemReader, instant, number, text},
    keys::{self, LIST, LIST_PK, LIST_SK, PK, SK, TTL},
    table::insertion,
    webhooks::queue::{DeliveryMessage, Event},
};

/// Distance between the numbers of the first attempts of a delivery and of its repetition: more than
/// a delivery has attempts.
const NUMBERS_PER_RECOVERY: u32 = 100;

/// What is recorded of a delivery.
#[derive(Clone, Debug, PartialEq)]
pub struct DeliveryRecord {
    /// Its identifier.
    pub id: DeliveryId,
    /// The event.
    pub event: Event,
    /// What is known of it.
    pub status: DeliveryStatus,
    /// The last attempt since it was last sent again, if there was one.
    pub last: Option<LastDelivery>,
    /// Why the last attempt failed, or why the delivery was given up; `None` if it was accepted or
    /// was not attempted yet.
    pub reason: Option<FailureReason>,
    /// When the next attempt is due.
    pub next_attempt_at: Option<Timestamp>,
    /// The latest attempt, as [`DeliveryMessage::number`].
    number: u32,
}

/// A page of deliveries.
#[derive(Clone, Debug, Default)]
pub struct DeliveryPage {
    /// The deliveries.
    pub deliveries: Vec<DeliveryRecord>,
    /// Where the next page begins; `None` on the last one.
    pub next: Option<String>,
}

/// Deliveries that have failed for good.
#[derive(Clone, Debug, Default)]
pub struct FailedDeliveries {
    /// The deliveries, those of the oldest events first.
    pub deliveries: Vec<DeliveryRecord>,
    /// Whether there are more.
    pub has_more: bool,
}

/// What became of a delivery that was not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryResult {
    /// Its next attempt is in the queue and due then.
    Retried(Timestamp),
    /// It was given up.
    Failed(FailureReason),
}

/// The record of a delivery that its receiver has accepted.
#[derive(Clone, Debug)]
pub struct Acceptance {
    /// Endpoints may have deliveries with the same identifier.
    delivery: (EndpointId, DeliveryId),
    item: Attributes,
}

impl Acceptance {
    /// The record of a message's attempt, `last`.
    ///
    /// # Errors
    ///
    /// The event cannot be written as JSON.
    pub fn new(message: &DeliveryMessage, last: &LastDelivery) -> Result<Self, StoreError> {
        let (endpoint, id, at) =
            (message.endpoint_id, message.delivery_id(), message.event.timestamp);
        let attributes = [
            ("st", Some(text(status_code(DeliveryStatus::Succeeded)))),
            ("ev", Some(text(event_json(&message.event)?))),
            ("dn", Some(number(message.number()))),
            ("an", Some(number(last.attempt))),
            ("ab", Some(instant(last.at))),
            ("ds", last.status.map(number)),
            (TTL, Some(number((at + LIFETIME).seconds_up()))),
        ];
        let mut item = keys::webhook_delivery(message.account_id, endpoint, at, id);
        let attributes = attributes.into_iter();
        item.extend(attributes.filter_map(|(name, value)| Some((name.to_owned(), value?))));
        Ok(Self { delivery: (endpoint, id), item })
    }

    /// The delivery.
    pub fn id(&self) -> DeliveryId {
        self.delivery.1
    }
}

fn event_json(event: &Event) -> Result<String, StoreError> {
    serde_json::to_string(event).map_err(|_| StoreError::corrupt("event"))
}

impl DeliveryMessage {
    /// A number for its attempt that grows with each attempt, and with each time that the delivery
    /// is sent again.
    fn number(&self) -> u32 {
        self.recovery * NUMBERS_PER_RECOVERY + self.attempt
    }

    /// Whether it is the first attempt since the delivery was sent again.
    fn begins_recovery(&self) -> bool {
        self.recovery > 0 && self.attempt == 1
    }
}

/// The update of a failed delivery that is sent again, due at an instant: it is pending, and loses its last attempt and its
/// place in the index. `set` is what else it gets, `removed` what else it loses.
fn recovering(
    update: UpdateItemFluentBuilder,
    set: &str,
    removed: &[&str],
    due: Timestamp,
) -> UpdateItemFluentBuilder {
    let removed = [&["an", "ab", "ds", "dr", LIST_PK, LIST_SK], removed].concat();
    update
        .update_expression(format!(
            "SET {set}, st = :pending, na = :due REMOVE {}",
            removed.join(", ")
        ))
        .expression_attribute_values(":pending", text(status_code(DeliveryStatus::Pending)))
        .expression_attribute_values(":due", instant(due))
}

impl DeliveryRecord {
    /// The message that sends a failed delivery again, due at an instant.
    pub fn recovered(
        &self,
        account_id: AccountId,
        endpoint_id: EndpointId,
        due: Timestamp,
        random: &dyn domain::Random,
    ) -> DeliveryMessage {
        DeliveryMessage {
            account_id,
            endpoint_id,
            event: self.event.clone(),
            attempt: 1,
            not_before: due,
            deferrals: 0,
            hops: 0,
            hop_token: 0,
            claim_token: random::number(random),
            recovery: self.number / NUMBERS_PER_RECOVERY + 1,
        }
    }
}

fn status_code(status: DeliveryStatus) -> &'static str {
    match status {
        DeliveryStatus::Pending => "P",
        DeliveryStatus::Succeeded => "S",
        DeliveryStatus::Failed => "F",
    }
}

/// The position of a record in its endpoint's list.
fn position(item: &Attributes, endpoint: EndpointId) -> Result<&str, StoreError> {
    let position = ItemReader(item).text(SK)?.strip_prefix(&*keys::webhook_deliveries(endpoint));
    position.ok_or_else(|| StoreError::corrupt(SK))
}

/// The record in an item; `None` if it has no result yet.
fn read(item: &Attributes, endpoint: EndpointId) -> Result<Option<DeliveryRecord>, StoreError> {
    let reader = ItemReader(item);
    let status = match reader.optional_text("st") {
        None => return Ok(None),
        Some("P") => DeliveryStatus::Pending,
        Some("S") => DeliveryStatus::Succeeded,
        Some("F") => DeliveryStatus::Failed,
        Some(_) => return Err(StoreError::corrupt("st")),
    };
    let id = position(item, endpoint)?.rsplit('#').next();
    let id = id.and_then(|unique| DeliveryId::from_unique(unique).ok());
    let reason = reader.optional_text("dr").and_then(FailureReason::named);
    let answered = reader.optional_number("ds").and_then(|status| u16::try_from(status).ok());
    let last = reader.optional_instant("ab").map(|at| LastDelivery {
        at,
        status: answered,
        attempt: reader.count("an"),
        reason,
    });
    Ok(Some(DeliveryRecord {
        id: id.ok_or_else(|| StoreError::corrupt(SK))?,
        event: serde_json::from_str(reader.text("ev")?).map_err(|_| StoreError::corrupt("ev"))?,
        status,
        last,
        reason,
        next_attempt_at: reader.optional_instant("na"),
        number: reader.count("dn"),
    }))
}

impl Store {
    fn update_delivery(
        &self,
        account: AccountId,
        endpoint: EndpointId,
        (at, id): (Timestamp, DeliveryId),
    ) -> UpdateItemFluentBuilder {
        self.clients
            .dynamodb
            .update_item()
            .table_name(&self.names.table)
            .set_key(Some(keys::webhook_delivery(account, endpoint, at, id)))
    }

    fn update_delivery_of(&self, message: &DeliveryMessage) -> UpdateItemFluentBuilder {
        let at = message.event.timestamp;
        self.update_delivery(message.account_id, message.endpoint_id, (at, message.delivery_id()))
            .expression_attribute_names("#ttl", TTL)
            .expression_attribute_values(":ttl", number((at + LIFETIME).seconds_up()))
            .expression_attribute_values(":number", number(message.number()))
            .expression_attribute_values(":accepted", text("S"))
    }

    /// Claims a delivery for a message, before the message attempts it or enqueues another one in its
    /// place. `false` if another message of the same attempt or hop has claimed it, if a later hop or
    /// attempt was claimed, or if the delivery was accepted.
    ///
    /// A message may be received twice, and so enqueue its retry twice, or two messages in its place.
    /// They have different tokens, and only one token can claim. So a duplicate ends here.
    ///
    /// # Errors
    ///
    /// Storage failed.
    pub async fn claim_delivery(&self, message: &DeliveryMessage) -> Result<bool, StoreError> {
        if !message.needs_claim() {
            return Ok(true);
        }
        let token = AttributeValue::N(message.claim_token.to_string());
        let (update, set) = (
            self.update_delivery_of(message),
            "dn = :number, tk = :token, hp = :hops, ht = :hop_token, #ttl = :ttl",
        );
        let update = if message.begins_recovery() {
            // It may be attempted before it is recorded as sent again. From here on no other request may find it.
            recovering(update, set, &[], message.not_before)
        } else {
            update.update_expression(format!("SET {set}"))
        };
        let update = update
            .condition_expression(
                "(attribute_not_exists(st) OR st <> :accepted) \
                 AND (attribute_not_exists(dn) OR dn < :number OR (dn = :number \
                 AND (attribute_not_exists(tk) OR tk = :token) AND (attribute_not_exists(hp) \
                 OR hp < :hops OR (hp = :hops AND ht = :hop_token))))",
            )
            .expression_attribute_values(":hops", number(message.hops))
            .expression_attribute_values(
                ":hop_token",
                AttributeValue::N(message.hop_token.to_string()),
            )
            .expression_attribute_values(":token", token);
        self.update_if(update).await
    }

    /// Records deliveries that were accepted, together. Needs no condition: nothing that was recorded
    /// before counts any more, and nothing but another acceptance replaces this one.
    ///
    /// # Errors
    ///
    /// Storage failed. Some may have been recorded.
    pub async fn record_accepted(&self, acceptances: Vec<Acceptance>) -> Result<(), StoreError> {
        // One call may not write an item twice. Copies of a message may be accepted at once.
        let items: BTreeMap<_, _> =
            acceptances.into_iter().map(|Acceptance { delivery, item }| (delivery, item)).collect();
        self.write_all(items.into_values().map(insertion).collect::<Result<_, _>>()?).await
    }

    /// Records what became of an attempt, `last`, or of a delivery that was given up without one.
    /// What is accepted stays accepted, and a later attempt counts more than an earlier one.
    ///
    /// # Errors
    ///
    /// Storage failed.
    pub async fn record_delivery(
        &self,
        message: &DeliveryMessage,
        last: Option<&LastDelivery>,
        result: DeliveryResult,
    ) -> Result<(), StoreError> {
        let event = event_json(&message.event)?;
        let (status, reason, next) = match result {
            DeliveryResult::Retried(next) => {
                (DeliveryStatus::Pending, last.and_then(|last| last.reason), Some(next))
            }
            DeliveryResult::Failed(reason) => (DeliveryStatus::Failed, Some(reason), None),
        };
        let place = (status == DeliveryStatus::Failed).then(|| {
            let partition =
                keys::failed_webhook_deliveries(message.account_id, message.endpoint_id);
            let id = message.delivery_id().unique();
            (partition, keys::webhook_delivery_position(message.event.timestamp, &id))
        });
        let (partition, position) = place.unzip();
        let mut values = vec![
            ("dr", reason.map(|reason| text(reason.as_str()))),
            ("na", next.map(instant)),
            (LIST_PK, partition.map(text)),
            (LIST_SK, position.map(text)),
        ];
        if let Some(last) = last {
            values.extend([
                ("an", Some(number(last.attempt))),
                ("ab", Some(instant(last.at))),
                ("ds", last.status.map(number)),
            ]);
        }
        let mut set = "SET st = :status, ev = :event, dn = :number, #ttl = :ttl".to_owned();
        let mut removed = Vec::new();
        let mut update = self
            .update_delivery_of(message)
            .expression_attribute_values(":status", text(status_code(status)))
            .expression_attribute_values(":event", text(event));
        for (name, value) in values {
            match value {
                Some(value) => {
                    set.push_str(&format!(", {name} = :{name}"));
                    update = update.expression_attribute_values(format!(":{name}"), value);
                }
                None => removed.push(name),
            }
        }
        if !removed.is_empty() {
            set.push_str(&format!(" REMOVE {}", removed.join(", ")));
        }
        let update = update.update_expression(set).condition_expression(
            "(attribute_not_exists(st) OR st <> :accepted) \
             AND (attribute_not_exists(dn) OR dn <= :number)",
        );
        self.update_if(update).await.map(drop)
    }

    /// Deliveries to an endpoint, those of the newest events first, with a consistent read; at most
    /// `limit`, older than the position `before`.
    ///
    /// # Errors
    ///
    /// Storage failed.
    pub async fn deliveries(
        &self,
        account: AccountId,
        endpoint: EndpointId,
        before: Option<&str>,
        limit: u32,
    ) -> Result<DeliveryPage, StoreError> {
        let oldest = keys::webhook_delivery_position(self.oldest_event(), "");
        // `~` sorts behind every position.
        let newest = before.unwrap_or("~");
        if newest < oldest.as_str() {
            return Ok(DeliveryPage::default());
        }
        // One more than the page shows whether there is another one. The bound itself is part of
        // the range.
        let most = limit + 1 + u32::from(before.is_some());
        let answer = self
            .clients
            .dynamodb
            .query()
            .table_name(&self.names.table)
            .key_condition_expression("pk = :pk AND sk BETWEEN :oldest AND :newest")
            .expression_attribute_values(":pk", text(account.unique()))
            .expression_attribute_values(
                ":oldest",
                text(keys::webhook_delivery_sk(endpoint, &oldest)),
            )
            .expression_attribute_values(
                ":newest",
                text(keys::webhook_delivery_sk(endpoint, newest)),
            )
            .consistent_read(true)
            .scan_index_forward(false)
            .limit(i32::try_from(most).unwrap_or(i32::MAX))
            .send()
            .await
            .map_err(|error| StoreError::unavailable("table", error))?;
        let mut found = Vec::new();
        for item in answer.items() {
            let position = position(item, endpoint)?;
            if Some(position) != before {
                found.push((position, item));
            }
        }
        // A page ends early where the query has read 1 MB.
        let has_more = found.len() > limit as usize || answer.last_evaluated_key().is_some();
        found.truncate(limit as usize);
        let next = found.last().filter(|_| has_more).map(|(position, _)| (*position).to_owned());
        let records = found.into_iter().map(|(_, item)| read(item, endpoint));
        let records = records.collect::<Result<Vec<_>, _>>()?;
        Ok(DeliveryPage { deliveries: records.into_iter().flatten().collect(), next })
    }

    /// Deliveries to an endpoint that have failed for good, of events since an instant; at most
    /// `limit`, itself at most 100. The index that finds them follows within a second or so.
    ///
    /// # Errors
    ///
    /// Storage failed.
    pub async fn failed_deliveries(
        &self,
        account: AccountId,
        endpoint: EndpointId,
        since: Timestamp,
        limit: u32,
    ) -> Result<FailedDeliveries, StoreError> {
        let since = keys::webhook_delivery_position(since.max(self.oldest_event()), "");
        let partition = keys::failed_webhook_deliveries(account, endpoint);
        let answer = self
            .clients
            .dynamodb
            .query()
            .table_name(&self.names.table)
            .index_name(LIST)
            .key_condition_expression("lp = :pk AND ls >= :since")
            .expression_attribute_values(":pk", text(partition))
            .expression_attribute_values(":since", text(since))
            .projection_expression(format!("{PK}, {SK}"))
            .limit(i32::try_from(limit + 1).unwrap_or(i32::MAX))
            .send()
            .await
            .map_err(|error| StoreError::unavailable("table", error))?;
        let keys: Vec<_> = answer.items().iter().cloned().map(keys::primary).collect();
        let has_more = keys.len() > limit as usize;
        let items = self.batch_get(keys.into_iter().take(limit as usize).collect()).await?;
        let mut found = Vec::with_capacity(items.len());
        for item in &items {
            found.extend(read(item, endpoint)?.map(|record| (item, record)));
        }
        found.retain(|(_, record)| record.status == DeliveryStatus::Failed);
        found.sort_by_key(|(_, record)| (record.event.timestamp, record.id));
        let deliveries = found.into_iter().map(|(_, record)| record).collect();
        Ok(FailedDeliveries { deliveries, has_more })
    }

    /// Records that a failed delivery is sent again; its message is in the queue. `false` if it has
    /// been attempted since, or is sent again by another request.
    ///
    /// # Errors
    ///
    /// Storage failed.
    pub async fn record_recovery(
        &self,
        seen: &DeliveryRecord,
        message: &DeliveryMessage,
    ) -> Result<bool, StoreError> {
        let DeliveryMessage { account_id, endpoint_id, not_before, .. } = *message;
        let at = (seen.event.timestamp, seen.id);
        let update = self.update_delivery(account_id, endpoint_id, at);
        let update = recovering(update, "dn = :number", &["tk", "hp", "ht"], not_before)
            .condition_expression("st = :failed AND dn = :seen")
            .expression_attribute_values(":failed", text("F"))
            .expression_attribute_values(":seen", number(seen.number))
            // Below the number of its first attempt, which still has to claim it.
            .expression_attribute_values(":number", number(message.number() - 1));
        self.update_if(update).await
    }

    /// Deliveries of events before this are not attempted, shown or sent again any more.
    fn oldest_event(&self) -> Timestamp {
        self.clock.now() - LIFETIME
    }
}
