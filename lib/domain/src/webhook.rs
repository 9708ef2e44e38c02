//! Webhooks: endpoints, the kinds of event, and the retry schedule of deliveries.
//!
//! Identifiers of events and deliveries are derived from what they are about. So a notification or
//! delivery that is sent twice has the same identifier.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{AccountId, DeliveryId, EndpointId, EventId, OperationId, Timestamp};

/// Endpoints that an account may have.
pub const ENDPOINTS_MAX: usize = 10;
/// Deliveries in a second to a host that several endpoints of an account share, and as many that are
/// sent again. A sender protects receivers by throttling, which delays and does not drop (Svix,
/// "Endpoint throttling").
pub const HOST_DELIVERIES_PER_SECOND: u32 = 5;
/// Failed deliveries that one request sends again.
pub const RECOVERED_MAX: u32 = 100;
/// Time limit of one attempt: name resolution, connection, request and response.
pub const RESPONSE_DEADLINE: Duration = Duration::from_secs(10);
/// Bytes of a response that are read at most.
pub const ANSWER_MAX: usize = 16 * 1024;
/// An endpoint without a success for this long, measured at a failure, is disabled.
pub const DISABLE_AFTER: Duration = Duration::from_secs(120 * 3_600);
/// Percentage of a usage limit at which `usage.threshold_reached` is sent.
const USAGE_THRESHOLD_PERCENT: u64 = 80;

const MINUTE: u64 = 60;
const HOUR: u64 = 3_600;

/// Pauses after the failed attempts of a delivery: ten attempts in about 75 hours.
pub const RETRY_PAUSES: [Duration; 9] = [
    Duration::from_secs(5),
    Duration::from_secs(5 * MINUTE),
    Duration::from_secs(30 * MINUTE),
    Duration::from_secs(2 * HOUR),
    Duration::from_secs(5 * HOUR),
    Duration::from_secs(10 * HOUR),
    Duration::from_secs(14 * HOUR),
    Duration::from_secs(20 * HOUR),
    Duration::from_secs(24 * HOUR),
];

/// How long after an event it is still delivered, shown and sent again: all pauses at their longest,
/// some 151 hours, and the time for which attempts wait for permits.
pub const LIFETIME: Duration = Duration::from_secs(7 * 24 * HOUR);

/// The pause after the failure of `attempt` (the first is 1); `None` after the last one.
///
/// The pause varies by 20 % in both directions; `jitter` selects the value, from the shortest (0)
/// to the longest (65535). If the receiver `asked` for another pause (`Retry-After`), that one
/// applies, but at least the regular pause and at most twice that.
pub fn retry_pause(attempt: u32, asked: Option<Duration>, jitter: u16) -> Option<Duration> {
    let pause = *RETRY_PAUSES.get(usize::try_from(attempt.checked_sub(1)?).ok()?)?;
    Some(match asked {
        Some(asked) => asked.clamp(pause, pause * 2),
        None => pause.mul_f64(0.8 + 0.4 * f64::from(jitter) / f64::from(u16::MAX)),
    })
}

/// A kind of webhook event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
pub enum EventKind {
    /// An AI operation has succeeded.
    #[serde(rename = "operation.succeeded")]
    OperationSucceeded,
    /// An AI operation has failed.
    #[serde(rename = "operation.failed")]
    OperationFailed,
    /// 80 % of the month's credits, or of the bytes that the account may keep, are used.
    #[serde(rename = "usage.threshold_reached")]
    UsageThresholdReached,
    /// All of the month's credits, or of the bytes that the account may keep, are used.
    #[serde(rename = "usage.limit_reached")]
    UsageLimitReached,
    /// A library item was published.
    #[serde(rename = "library.item.published")]
    LibraryItemPublished,
    /// A library item was unpublished.
    #[serde(rename = "library.item.unpublished")]
    LibraryItemUnpublished,
    /// A test delivery was requested.
    #[serde(rename = "webhook.test")]
    WebhookTest,
}

impl EventKind {
    /// Every kind. A kind's position is its bit in stored sets: new kinds come last.
    pub const ALL: [EventKind; 7] = [
        EventKind::OperationSucceeded,
        EventKind::OperationFailed,
        EventKind::UsageThresholdReached,
        EventKind::UsageLimitReached,
        EventKind::LibraryItemPublished,
        EventKind::LibraryItemUnpublished,
        EventKind::WebhookTest,
    ];

    /// The kind's name in the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            EventKind::OperationSucceeded => "operation.succeeded",
            EventKind::OperationFailed => "operation.failed",
            EventKind::UsageThresholdReached => "usage.threshold_reached",
            EventKind::UsageLimitReached => "usage.limit_reached",
            EventKind::LibraryItemPublished => "library.item.published",
            EventKind::LibraryItemUnpublished => "library.item.unpublished",
            EventKind::WebhookTest => "webhook.test",
        }
    }
}

/// A set of kinds, held as one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EventKinds(u32);

impl EventKinds {
    /// No kind at all.
    pub const NONE: EventKinds = EventKinds(0);
    /// Every kind.
    pub const ALL: EventKinds = EventKinds((1 << EventKind::ALL.len()) - 1);

    /// The set with these bits; bits without a kind are ignored.
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// The set as bits.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Whether the set has `kind`.
    pub const fn contains(self, kind: EventKind) -> bool {
        self.0 & (1 << kind as u32) != 0
    }

    /// Whether the two sets have a kind in common.
    pub const fn intersects(self, other: EventKinds) -> bool {
        self.0 & other.0 != 0
    }

    /// The union of the two sets.
    pub const fn union(self, other: EventKinds) -> EventKinds {
        EventKinds(self.0 | other.0)
    }

    /// The kinds of the set, in the order of the documentation.
    pub fn iter(self) -> impl Iterator<Item = EventKind> {
        EventKind::ALL.into_iter().filter(move |kind| self.contains(*kind))
    }
}

impl FromIterator<EventKind> for EventKinds {
    fn from_iter<I: IntoIterator<Item = EventKind>>(kinds: I) -> Self {
        Self(kinds.into_iter().fold(0, |bits, kind| bits | 1 << kind as u32))
    }
}

/// What an account uses, within a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum UsageResource {
    /// The credits of a month.
    Credits,
    /// The bytes that the account keeps.
    Storage,
}

/// A threshold of an account's usage, which is reported once a month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UsageThreshold {
    /// What is used.
    pub resource: UsageResource,
    /// Whether it is the limit; else it is 80 % of that.
    pub is_limit: bool,
}

impl UsageThreshold {
    /// Every threshold.
    pub const ALL: [UsageThreshold; 4] = [
        UsageThreshold { resource: UsageResource::Credits, is_limit: false },
        UsageThreshold { resource: UsageResource::Credits, is_limit: true },
        UsageThreshold { resource: UsageResource::Storage, is_limit: false },
        UsageThreshold { resource: UsageResource::Storage, is_limit: true },
    ];

    /// The kind of the event that reports it.
    pub const fn kind(self) -> EventKind {
        match self.is_limit {
            true => EventKind::UsageLimitReached,
            false => EventKind::UsageThresholdReached,
        }
    }

    /// The credits or bytes at which it is reached; 80 % are rounded up.
    pub const fn of(self, limit: u64) -> u64 {
        if self.is_limit {
            return limit;
        }
        limit / 100 * USAGE_THRESHOLD_PERCENT
            + (limit % 100 * USAGE_THRESHOLD_PERCENT).div_ceil(100)
    }
}

/// Why an endpoint was disabled automatically.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DisabledReason {
    /// It responded with 410 (Gone).
    Gone,
    /// It had no success for 120 hours.
    Failing,
}

/// What is known of a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryStatus {
    /// Another attempt follows.
    Pending,
    /// The receiver has accepted it.
    Succeeded,
    /// No attempt follows, unless it is sent again.
    Failed,
}

/// Why an attempt failed, or why a delivery was given up.
///
/// A refused connection, silence and an answer that is not HTTP are one reason: nobody learns from
/// the service which ports of a host are open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FailureReason {
    /// The receiver answered with a status that is neither a success nor a redirect.
    Status,
    /// The receiver redirected, which is not followed.
    Redirect,
    /// The receiver gave no readable answer within ten seconds.
    NoResponse,
    /// The host of the URL does not exist.
    NameNotResolved,
    /// No name could be resolved.
    DnsUnavailable,
    /// The URL no longer leads to a public host.
    UnsafeUrl,
    /// The endpoint was disabled when an attempt was due.
    EndpointDisabled,
    /// The endpoint did not subscribe to the event any more when an attempt was due.
    NotSubscribed,
}

impl FailureReason {
    /// Every reason.
    pub const ALL: [FailureReason; 8] = [
        FailureReason::Status,
        FailureReason::Redirect,
        FailureReason::NoResponse,
        FailureReason::NameNotResolved,
        FailureReason::DnsUnavailable,
        FailureReason::UnsafeUrl,
        FailureReason::EndpointDisabled,
        FailureReason::NotSubscribed,
    ];

    /// The reason's name in the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            FailureReason::Status => "status",
            FailureReason::Redirect => "redirect",
            FailureReason::NoResponse => "no_response",
            FailureReason::NameNotResolved => "name_not_resolved",
            FailureReason::DnsUnavailable => "dns_unavailable",
            FailureReason::UnsafeUrl => "unsafe_url",
            FailureReason::EndpointDisabled => "endpoint_disabled",
            FailureReason::NotSubscribed => "not_subscribed",
        }
    }

    /// The reason with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == name)
    }
}

/// The last attempt of a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastDelivery {
    /// When the attempt began.
    pub at: Timestamp,
    /// Status code of the response, if there was one.
    pub status: Option<u16>,
    /// Which attempt of its delivery it was; the first is 1.
    pub attempt: u32,
    /// Why it failed; `None` if it was accepted.
    pub reason: Option<FailureReason>,
}

/// A webhook endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// Its identifier, which includes when it was created.
    pub id: EndpointId,
    /// The URL that receives events, as its owner gave it.
    pub url: String,
    /// The description that its owner gave it.
    pub description: Option<String>,
    /// The kinds of event that it subscribes to.
    pub events: EventKinds,
    /// Whether it receives events.
    pub enabled: bool,
    /// Why it was disabled; `None` if its owner did that or it is enabled.
    pub disabled_reason: Option<DisabledReason>,
    /// Its last attempt.
    pub last_delivery: Option<LastDelivery>,
    /// When its owner last changed it, or it was disabled.
    pub updated_at: Timestamp,
}

impl Endpoint {
    /// When it was created.
    pub fn created_at(&self) -> Timestamp {
        self.id.created_at()
    }

    /// The kinds of event that it receives at present: none while it is disabled.
    pub fn subscriptions(&self) -> EventKinds {
        if self.enabled { self.events } else { EventKinds::NONE }
    }
}

/// Mask of the random bits of an identifier; the bits above are its time.
const RANDOM: u128 = (1 << 80) - 1;

impl EventId {
    /// The event that the operation ended with this kind.
    pub const fn of_operation(id: OperationId, kind: EventKind) -> Self {
        Self::from_bits(id.bits() ^ (1 + kind as u128))
    }

    /// The event that the account's usage reached a threshold in the month that begins with
    /// `period`.
    pub fn of_usage(account: AccountId, period: Timestamp, threshold: UsageThreshold) -> Self {
        let time = u128::from(period.millis().unsigned_abs()) << 80;
        let which = (threshold.resource as u128) << 8 | (1 + threshold.kind() as u128);
        Self::from_bits((time | (account.bits() & RANDOM)) ^ which)
    }

    /// The event that a library item changed its visibility with its `version`.
    pub const fn of_library_item(item: u128, version: u64, kind: EventKind) -> Self {
        Self::from_bits(item ^ ((version as u128) << 8) ^ (1 + kind as u128))
    }
}

impl DeliveryId {
    /// The delivery of an event to an endpoint.
    pub const fn of(event: EventId, endpoint: EndpointId) -> Self {
        Self::from_bits(event.bits() ^ (endpoint.bits() & RANDOM))
    }
}
