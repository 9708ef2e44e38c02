//! Webhook endpoints: one item each, and one item per account with their subscriptions.
//!
//! The subscriptions limit the number of endpoints and determine the fan-out of an event. They
//! change in the transaction that changes an endpoint, under an optimistic version. So does their
//! union in the account item, from which the end of an operation knows without a read whether to
//! enqueue a notification.
//!
//! | attribute | holds |
//! |---|---|
//! | `u`, `d` | address and description |
//! | `ev` | kinds of event, as bits |
//! | `off` | absent while it is enabled; else why it is disabled: by its owner (`o`), gone (`g`), failing (`f`) |
//! | `sec` | the signing secret, encrypted |
//! | `v`, `up` | how often it was changed, and when last |
//! | `da`, `ds`, `dn`, `dr` | the last delivery: its start, status code of the response, attempt, why it failed |
//! | `fs` | since when attempts fail |
//! | `tr` | present while it is unproven, slow or failing: for each permit, when it is free |
//! | `un` | present while it is unproven: it has accepted no delivery at its host yet |
//! | `h` | [`host_number`] of its address |
//! | `sh` | present if another endpoint of the account had this host when it was last changed |
//!
//! The subscriptions have kinds of event (`e`) and host (`h`) of each endpoint.
//!
//! Every write of an attempt's result is conditional on `v`: a result from the old address says
//! nothing about the new one. Only that its host has accepted something holds as long as it has this host.

pub mod attempts;
pub mod deliveries;
pub mod encrypted_secrets;
mod host_budget;
pub mod queue;
pub mod usage_thresholds;

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use aws_sdk_dynamodb::types::{
    AttributeValue, Delete, Put, ReturnValuesOnConditionCheckFailure, TransactWriteItem, Update,
};
use domain::{
    AccountId, Endpoint, EndpointId, EventKind, EventKinds, Timestamp,
    webhook::{DisabledReason, ENDPOINTS_MAX, FailureReason, LastDelivery},
};

use crate::{
    Store, StoreError,
    item::{Attributes, ItemReader, bytes, instant, number, text},
    keys::{self, SK},
    transaction::Outcome,
    webhooks::usage_thresholds::Reporters,
};

pub use host_budget::{HostBudget, host_number};

/// How long a change is tried while other writes conflict with it.
const WRITE_BUDGET: Duration = Duration::from_secs(4);
/// Tries of a change while others come first.
const TRIES: u32 = 12;

/// An endpoint with what only deliveries need.
#[derive(Clone, Debug)]
pub struct StoredEndpoint {
    /// Whose it is.
    pub account: AccountId,
    /// What its owner sees.
    pub endpoint: Endpoint,
    /// The signing secret, encrypted.
    pub encrypted_secret: Vec<u8>,
    /// How often it was changed.
    pub revision: u64,
    /// Since when attempts fail.
    pub failing_since: Option<Timestamp>,
    /// While it is unproven, slow or failing: for each permit, when it is free. Empty while it is
    /// healthy and attempts need no permit.
    pub permits: Vec<Timestamp>,
    /// Whether it has accepted no delivery at its host yet.
    pub unproven: bool,
    /// [`host_number`] of its address.
    pub host: Option<i64>,
    /// Whether another endpoint of the account has this host.
    pub shares_host: bool,
}

impl StoredEndpoint {
    /// A new endpoint.
    pub fn new(
        account: AccountId,
        endpoint: Endpoint,
        encrypted_secret: Vec<u8>,
        host: Option<i64>,
    ) -> Self {
        Self {
            account,
            endpoint,
            encrypted_secret,
            revision: 1,
            failing_since: None,
            permits: Vec::new(),
            unproven: true,
            host,
            shares_host: false,
        }
    }
}

/// An address that an endpoint may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The URL.
    pub url: String,
    /// [`host_number`] of its host and port.
    pub host: i64,
}

/// What a patch changes; `None` leaves a property as it is.
#[derive(Clone, Debug, Default)]
pub struct EndpointPatch {
    /// The address.
    pub address: Option<Address>,
    /// The description; `Some(None)` removes it.
    pub description: Option<Option<String>>,
    /// The kinds of event.
    pub events: Option<EventKinds>,
    /// Whether it receives events.
    pub enabled: Option<bool>,
    /// The encrypted secret.
    pub encrypted_secret: Option<Vec<u8>>,
}

impl EndpointPatch {
    /// Whether it changes nothing.
    fn is_empty(&self) -> bool {
        let Self { address, description, events, enabled, encrypted_secret } = self;
        address.is_none()
            && description.is_none()
            && events.is_none()
            && enabled.is_none()
            && encrypted_secret.is_none()
    }
}

/// What a change of an endpoint does to recorded results of attempts.
#[derive(Clone, Copy, PartialEq)]
enum Change {
    /// The endpoint is not changed.
    Nothing,
    /// They are kept.
    KeepsResults,
    /// Recorded failures are removed, also those recorded concurrently. An unproven endpoint keeps
    /// its permit.
    RemovesFailures,
    /// The same, and it is unproven: its host is new.
    MakesUnproven,
}

/// The outcome of a change.
enum Changed {
    Done(Box<StoredEndpoint>),
    /// It no longer applies.
    NotApplicable,
    /// There is no such endpoint.
    Absent,
}

/// The outcome of a creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Created {
    /// It is created.
    Done,
    /// The account has as many endpoints as it may have.
    LimitReached,
}

/// The subscriptions of an account's endpoints.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Subscriptions {
    by_endpoint: BTreeMap<EndpointId, EventKinds>,
    hosts: BTreeMap<EndpointId, i64>,
    revision: u64,
    reporters: Reporters,
}

impl Subscriptions {
    pub(crate) fn read(item: Option<&Attributes>) -> Result<Self, StoreError> {
        let Some(item) = item else { return Ok(Self::default()) };
        let reader = ItemReader(item);
        let numbers = |name| {
            let entries = reader.map(name)?.iter().map(|(unique, value)| {
                let id = EndpointId::from_unique(unique).ok()?;
                Some((id, value.as_n().ok()?.parse().ok()?))
            });
            let entries = entries.collect::<Option<BTreeMap<_, i64>>>();
            entries.ok_or_else(|| StoreError::corrupt(name))
        };
        let by_endpoint: BTreeMap<_, _> = numbers("e")?
            .into_iter()
            .filter_map(|(id, bits)| Some((id, EventKinds::from_bits(bits.try_into().ok()?))))
            .collect();
        let mut hosts = if item.contains_key("h") { numbers("h")? } else { BTreeMap::new() };
        // A version that does not know of hosts may have deleted an endpoint.
        hosts.retain(|id, _| by_endpoint.contains_key(id));
        Ok(Self {
            by_endpoint,
            hosts,
            revision: reader.number("v")?.unsigned_abs(),
            reporters: Reporters::read(item),
        })
    }

    /// Sets the subscriptions of an endpoint, and notes whether another one has its host.
    fn insert(&mut self, stored: &mut StoredEndpoint) {
        let id = stored.endpoint.id;
        self.by_endpoint.insert(id, stored.endpoint.subscriptions());
        stored.shares_host = stored.host.is_some_and(|host| {
            self.hosts.insert(id, host);
            self.hosts.iter().any(|(other, theirs)| *other != id && *theirs == host)
        });
    }

    /// The endpoints that subscribe to `kind`.
    pub fn of(&self, kind: EventKind) -> impl Iterator<Item = EndpointId> {
        let subscribed = move |(_, kinds): &(_, &EventKinds)| kinds.contains(kind);
        self.by_endpoint.iter().filter(subscribed).map(|(id, _)| *id)
    }

    /// Which operations report the month's thresholds of usage.
    pub fn reporters(&self) -> &Reporters {
        &self.reporters
    }

    /// The union of all subscriptions.
    pub fn all(&self) -> EventKinds {
        self.by_endpoint.values().fold(EventKinds::NONE, |all, kinds| all.union(*kinds))
    }
}

/// Endpoints by account and identifier; `None` for one that does not exist.
pub type EndpointsFound = BTreeMap<(AccountId, EndpointId), Option<StoredEndpoint>>;

pub(crate) fn owner_and_id(item: &Attributes) -> Option<(AccountId, EndpointId)> {
    let reader = ItemReader(item);
    let account = AccountId::from_unique(reader.optional_text(keys::PK)?).ok()?;
    let id = reader.optional_text(SK)?.strip_prefix(keys::ENDPOINT)?;
    Some((account, EndpointId::from_unique(id).ok()?))
}

pub(crate) fn read(account: AccountId, item: &Attributes) -> Result<StoredEndpoint, StoreError> {
    let reader = ItemReader(item);
    let id = reader.text(SK)?.strip_prefix(keys::ENDPOINT);
    let id = id.and_then(|id| EndpointId::from_unique(id).ok());
    let off = reader.optional_text("off");
    let status = reader.optional_number("ds").and_then(|status| u16::try_from(status).ok());
    let last_delivery = reader.optional_instant("da").map(|at| LastDelivery {
        at,
        status,
        attempt: reader.count("dn"),
        reason: reader.optional_text("dr").and_then(FailureReason::named),
    });
    Ok(StoredEndpoint {
        account,
        endpoint: Endpoint {
            id: id.ok_or_else(|| StoreError::corrupt(SK))?,
            url: reader.text("u")?.to_owned(),
            description: reader.optional_text("d").map(ToOwned::to_owned),
            events: EventKinds::from_bits(reader.count("ev")),
            enabled: off.is_none(),
            disabled_reason: match off {
                Some("g") => Some(DisabledReason::Gone),
                Some("f") => Some(DisabledReason::Failing),
                _ => None,
            },
            last_delivery,
            updated_at: reader.instant("up")?,
        },
        encrypted_secret: reader.bytes("sec")?.to_vec(),
        revision: reader.number("v")?.unsigned_abs(),
        failing_since: reader.optional_instant("fs"),
        permits: reader.instants("tr"),
        unproven: item.contains_key("un"),
        host: reader.optional_number("h"),
        shares_host: item.contains_key("sh"),
    })
}

/// The attributes of an endpoint that change with its revision.
///
/// [`Store::rewrite_endpoint`] leaves the secret out unless it is replaced: a re-encryption does
/// not change the revision, and another change must not restore the old ciphertext.
fn settings(stored: &StoredEndpoint) -> Attributes {
    let endpoint = &stored.endpoint;
    let mut item = Attributes::from([
        ("u".to_owned(), text(&endpoint.url)),
        ("ev".to_owned(), number(endpoint.events.bits())),
        ("sec".to_owned(), bytes(stored.encrypted_secret.clone())),
        ("up".to_owned(), instant(endpoint.updated_at)),
        ("v".to_owned(), revision(stored.revision)),
    ]);
    if let Some(description) = &endpoint.description {
        item.insert("d".to_owned(), text(description));
    }
    if let Some(host) = stored.host {
        item.insert("h".to_owned(), number(host));
    }
    if stored.shares_host {
        item.insert("sh".to_owned(), AttributeValue::Bool(true));
    }
    if !endpoint.enabled {
        let code = match endpoint.disabled_reason {
            None => "o",
            Some(DisabledReason::Gone) => "g",
            Some(DisabledReason::Failing) => "f",
        };
        item.insert("off".to_owned(), text(code));
    }
    item
}

/// The attributes of an endpoint whose host has accepted nothing yet.
fn unproven(now: Timestamp) -> [(String, AttributeValue); 2] {
    let permits = AttributeValue::L(vec![instant(now)]);
    [("un".to_owned(), AttributeValue::Bool(true)), ("tr".to_owned(), permits)]
}

pub(crate) fn revision(revision: u64) -> AttributeValue {
    AttributeValue::N(revision.to_string())
}

impl Store {
    /// Adds an endpoint without results, as long as the account has fewer than ten.
    pub async fn create_endpoint(&self, new: &StoredEndpoint) -> Result<Created, StoreError> {
        let (account, id) = (new.account, new.endpoint.id);
        let mut new = new.clone();
        let deadline = self.clock.now() + WRITE_BUDGET;
        for _ in 0..TRIES {
            let item = self.get_item(keys::webhook_subscriptions(account)).await?;
            let mut subscriptions = Subscriptions::read(item.as_ref())?;
            // It may have been written by a try whose response got lost.
            if !subscriptions.by_endpoint.contains_key(&id)
                && subscriptions.by_endpoint.len() >= ENDPOINTS_MAX
            {
                return Ok(Created::LimitReached);
            }
            subscriptions.insert(&mut new);
            let item = keys::endpoint(account, id).into_iter().chain(settings(&new));
            let item = item.chain(unproven(self.clock.now())).collect();
            let put = Put::builder().table_name(&self.names.table).set_item(Some(item)).build();
            let put = TransactWriteItem::builder().set_put(put.ok()).build();
            if self.write_with_subscriptions(account, put, &subscriptions, deadline).await? {
                return Ok(Created::Done);
            }
        }
        Err(StoreError::unavailable("table", "the account's endpoints keep changing"))
    }

    /// Reads an endpoint with a consistent read.
    pub async fn endpoint(
        &self,
        account: AccountId,
        id: EndpointId,
    ) -> Result<Option<StoredEndpoint>, StoreError> {
        let item = self.get_item(keys::endpoint(account, id)).await?;
        item.map(|item| read(account, &item)).transpose()
    }

    /// Reads at most 100 endpoints in one call with consistent reads. An unreadable one is left
    /// out; [`Store::endpoint`] returns its error.
    pub async fn endpoints_of(
        &self,
        wanted: BTreeSet<(AccountId, EndpointId)>,
    ) -> Result<EndpointsFound, StoreError> {
        let keys = wanted.iter().map(|(account, id)| keys::endpoint(*account, *id)).collect();
        let items = self.batch_get(keys).await?;
        let mut found: EndpointsFound = wanted.into_iter().map(|key| (key, None)).collect();
        for item in &items {
            let Some(key) = owner_and_id(item) else { continue };
            match read(key.0, item) {
                Ok(stored) => found.insert(key, Some(stored)),
                Err(_) => found.remove(&key),
            };
        }
        Ok(found)
    }

    /// All endpoints of an account, newest first, with consistent reads.
    pub async fn endpoints(&self, account: AccountId) -> Result<Vec<StoredEndpoint>, StoreError> {
        let answer = self
            .clients
            .dynamodb
            .query()
            .table_name(&self.names.table)
            .key_condition_expression("pk = :pk AND begins_with(sk, :sk)")
            .expression_attribute_values(":pk", text(account.unique()))
            .expression_attribute_values(":sk", text(keys::ENDPOINT))
            .consistent_read(true)
            .scan_index_forward(false)
            .send()
            .await
            .map_err(|error| StoreError::unavailable("table", error))?;
        answer.items().iter().map(|item| read(account, item)).collect()
    }

    /// Applies a patch. A new address, or enabling the endpoint, clears its recorded failures; a new
    /// address clears its last delivery, too. `None` if there is no such endpoint.
    pub async fn patch_endpoint(
        &self,
        account: AccountId,
        id: EndpointId,
        patch: &EndpointPatch,
    ) -> Result<Option<StoredEndpoint>, StoreError> {
        if patch.is_empty() {
            return self.endpoint(account, id).await;
        }
        let change = |stored: &mut StoredEndpoint| {
            let endpoint = &mut stored.endpoint;
            let mut is_new_host = false;
            if let Some(address) = &patch.address {
                is_new_host = stored.host != Some(address.host);
                if endpoint.url != address.url {
                    endpoint.last_delivery = None;
                }
                endpoint.url.clone_from(&address.url);
                stored.host = Some(address.host);
            }
            if let Some(description) = &patch.description {
                endpoint.description.clone_from(description);
            }
            if let Some(events) = patch.events {
                endpoint.events = events;
            }
            if let Some(enabled) = patch.enabled {
                // Disabling a disabled endpoint keeps its reason.
                if enabled || endpoint.enabled {
                    endpoint.disabled_reason = None;
                }
                endpoint.enabled = enabled;
            }
            if let Some(encrypted) = &patch.encrypted_secret {
                stored.encrypted_secret.clone_from(encrypted);
            }
            if is_new_host {
                return Change::MakesUnproven;
            }
            if patch.address.is_some() || patch.enabled == Some(true) {
                return Change::RemovesFailures;
            }
            Change::KeepsResults
        };
        Ok(match self.change_endpoint(account, id, change).await? {
            Changed::Done(stored) => Some(*stored),
            Changed::NotApplicable | Changed::Absent => None,
        })
    }

    /// Disables an endpoint because of results at `seen`. `false` if it has changed since: by its
    /// owner or, if it was failing, by a successful attempt.
    pub async fn disable_endpoint(
        &self,
        seen: &StoredEndpoint,
        reason: DisabledReason,
    ) -> Result<bool, StoreError> {
        let change = |stored: &mut StoredEndpoint| {
            let recovered =
                reason == DisabledReason::Failing && stored.failing_since != seen.failing_since;
            if stored.revision != seen.revision || recovered {
                return Change::Nothing;
            }
            stored.endpoint.enabled = false;
            stored.endpoint.disabled_reason = Some(reason);
            Change::KeepsResults
        };
        let changed = self.change_endpoint(seen.account, seen.endpoint.id, change).await?;
        Ok(!matches!(changed, Changed::NotApplicable))
    }

    /// Deletes an endpoint; `false` if there is none.
    pub async fn delete_endpoint(
        &self,
        account: AccountId,
        id: EndpointId,
    ) -> Result<bool, StoreError> {
        let deadline = self.clock.now() + WRITE_BUDGET;
        for _ in 0..TRIES {
            let item = self.get_item(keys::webhook_subscriptions(account)).await?;
            let mut subscriptions = Subscriptions::read(item.as_ref())?;
            if subscriptions.by_endpoint.remove(&id).is_none() {
                return Ok(false);
            }
            subscriptions.hosts.remove(&id);
            let delete = Delete::builder()
                .table_name(&self.names.table)
                .set_key(Some(keys::endpoint(account, id)))
                .build();
            let delete = TransactWriteItem::builder().set_delete(delete.ok()).build();
            if self.write_with_subscriptions(account, delete, &subscriptions, deadline).await? {
                return Ok(true);
            }
        }
        Err(StoreError::unavailable("table", "the account's endpoints keep changing"))
    }

    /// Reads an endpoint, applies `change` and writes the result; retries if another change came
    /// first. Nothing is written if `change` declines.
    async fn change_endpoint(
        &self,
        account: AccountId,
        id: EndpointId,
        change: impl Fn(&mut StoredEndpoint) -> Change,
    ) -> Result<Changed, StoreError> {
        let deadline = self.clock.now() + WRITE_BUDGET;
        for _ in 0..TRIES {
            let keys = vec![keys::endpoint(account, id), keys::webhook_subscriptions(account)];
            let items = self.batch_get(keys).await?;
            let of =
                |sk: &str| items.iter().find(|item| ItemReader(item).text(SK).ok() == Some(sk));
            let stored = of(keys::WEBHOOK_SUBSCRIPTIONS);
            let item = items.iter().find(|item| Some(*item) != stored);
            let Some(item) = item else { return Ok(Changed::Absent) };
            let before = read(account, item)?;
            let mut after = before.clone();
            let effect = change(&mut after);
            if effect == Change::Nothing {
                return Ok(Changed::NotApplicable);
            }
            after.revision += 1;
            after.endpoint.updated_at = self.clock.now();
            let mut subscriptions = Subscriptions::read(stored)?;
            subscriptions.insert(&mut after);
            let write = self.rewrite_endpoint(&before, &after, effect);
            if self.write_with_subscriptions(account, write, &subscriptions, deadline).await? {
                return Ok(Changed::Done(Box::new(after)));
            }
        }
        Err(StoreError::unavailable("table", "the endpoint keeps changing"))
    }

    /// Writes an endpoint's settings over those of `before`. Results that attempts have recorded
    /// since are kept; a change that depends on them fails.
    fn rewrite_endpoint(
        &self,
        before: &StoredEndpoint,
        after: &StoredEndpoint,
        effect: Change,
    ) -> TransactWriteItem {
        let mut settings = settings(after);
        if after.encrypted_secret == before.encrypted_secret {
            settings.remove("sec");
        }
        let mut removed = Vec::new();
        removed.extend(["d", "off", "sh"].into_iter().filter(|name| !settings.contains_key(*name)));
        if after.endpoint.url != before.endpoint.url {
            removed.extend(["da", "ds", "dn", "dr"]);
        }
        match effect {
            Change::MakesUnproven => {
                removed.push("fs");
                settings.extend(unproven(self.clock.now()));
            }
            Change::RemovesFailures if before.unproven => removed.push("fs"),
            Change::RemovesFailures => removed.extend(["fs", "tr"]),
            Change::Nothing | Change::KeepsResults => {}
        }
        let set: Vec<_> = settings.keys().map(|name| format!("#{name} = :{name}")).collect();
        let mut expression = format!("SET {}", set.join(", "));
        if !removed.is_empty() {
            let names: Vec<_> = removed.iter().map(|name| format!("#{name}")).collect();
            expression.push_str(&format!(" REMOVE {}", names.join(", ")));
        }
        let mut update = Update::builder()
            .table_name(&self.names.table)
            .set_key(Some(keys::endpoint(before.account, before.endpoint.id)))
            .update_expression(expression)
            .expression_attribute_values(":before", revision(before.revision))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        for name in removed {
            update = update.expression_attribute_names(format!("#{name}"), name);
        }
        for (name, value) in settings {
            update = update
                .expression_attribute_names(format!("#{name}"), &name)
                .expression_attribute_values(format!(":{name}"), value);
        }
        let failing = (after.endpoint.disabled_reason == Some(DisabledReason::Failing))
            .then_some(before.failing_since)
            .flatten();
        let update = match failing {
            Some(since) => update
                .condition_expression("#v = :before AND fs = :since")
                .expression_attribute_values(":since", instant(since)),
            None => update.condition_expression("#v = :before"),
        };
        TransactWriteItem::builder().set_update(update.build().ok()).build()
    }

    /// Writes an endpoint together with subscriptions and account item; `false` if another change
    /// came first.
    async fn write_with_subscriptions(
        &self,
        account: AccountId,
        endpoint: TransactWriteItem,
        subscriptions: &Subscriptions,
        deadline: Timestamp,
    ) -> Result<bool, StoreError> {
        let by_endpoint = subscriptions.by_endpoint.iter();
        let by_endpoint = by_endpoint.map(|(id, kinds)| (id.unique(), number(kinds.bits())));
        let hosts = subscriptions.hosts.iter().map(|(id, host)| (id.unique(), number(*host)));
        let update = Update::builder()
            .table_name(&self.names.table)
            .set_key(Some(keys::webhook_subscriptions(account)))
            .update_expression("SET e = :e, h = :h, v = :v")
            .expression_attribute_values(":e", AttributeValue::M(by_endpoint.collect()))
            .expression_attribute_values(":h", AttributeValue::M(hosts.collect()))
            .expression_attribute_values(":v", revision(subscriptions.revision + 1));
        let update = match subscriptions.revision {
            0 => update.condition_expression("attribute_not_exists(v)"),
            before => update
                .condition_expression("v = :before")
                .expression_attribute_values(":before", revision(before)),
        };
        let account_item = Update::builder()
            .table_name(&self.names.table)
            .set_key(Some(keys::account_item(account)))
            .update_expression("SET ev = :ev")
            .condition_expression("attribute_exists(pk)")
            .expression_attribute_values(":ev", number(subscriptions.all().bits()));
        let items = vec![
            endpoint,
            TransactWriteItem::builder().set_update(update.build().ok()).build(),
            TransactWriteItem::builder().set_update(account_item.build().ok()).build(),
        ];
        Ok(matches!(self.transact(items, deadline).await?, Outcome::Committed))
    }
}
