//! Events as endpoints receive them: identifiers and figures of the account, never content.

use domain::{
    EndpointId, EventId, EventKind, Kind, LibraryId, Operation, OperationId, Status, Timestamp,
    library::Visibility, webhook::USAGE_THRESHOLD_PERCENT,
};
use serde::Serialize;
use serde_json::json;
use store::{library::VisibilityChange, webhooks::queue::Event};
use utoipa::ToSchema;

/// The end of an AI operation. `GET /operations/{id}` has its result.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OperationEnded {
    /// The operation.
    operation_id: OperationId,
    /// The operationId of the call that started it.
    kind: Kind,
    /// `SUCCEEDED` or `FAILED`.
    status: Status,
    /// When the operation was accepted.
    created_at: Timestamp,
    /// When it ended.
    #[schema(required = true)]
    completed_at: Option<Timestamp>,
    /// Credits that it cost.
    credits_used: u32,
    /// Why it failed; null unless it did.
    #[schema(required = true)]
    error: Option<OperationError>,
}

/// Why an operation failed.
#[derive(Debug, Serialize, ToSchema)]
pub struct OperationError {
    /// An error code of the API.
    code: String,
}

/// The credits that are used reached a mark.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreditsReached {
    /// The month.
    period: Month,
    /// The mark.
    credits: Mark,
    /// The operation that reached it.
    operation_id: OperationId,
}

/// The bytes that are kept reached a mark.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StorageReached {
    /// The month.
    period: Month,
    /// The mark.
    bytes: Mark,
    /// The operation that reached it.
    operation_id: OperationId,
}

/// A calendar month, in UTC.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = EventMonth)]
pub struct Month {
    /// Its beginning.
    starts_at: Timestamp,
    /// Its end, which is the beginning of the next.
    ends_at: Timestamp,
}

/// A mark of usage.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = UsageMark)]
pub struct Mark {
    /// What the plan allows.
    limit: u64,
    /// What was reached.
    reached: u64,
}

/// A library item became public, or is public no longer.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VisibilityChanged {
    /// The item.
    item_id: LibraryId,
    /// Its visibility; null if it was deleted.
    #[schema(required = true)]
    visibility: Option<Visibility>,
    /// The version of the item, which grows with each change.
    version: u32,
}

/// A test delivery.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WebhookTest)]
pub struct Test {
    /// The endpoint.
    endpoint_id: EndpointId,
}

/// The end of an operation; `None` unless it has succeeded or failed.
pub fn of_operation(operation: &Operation) -> Option<Event> {
    let kind = match operation.status {
        Status::Succeeded => EventKind::OperationSucceeded,
        Status::Failed => EventKind::OperationFailed,
        Status::Pending | Status::Running | Status::Cancelled => return None,
    };
    let error =
        operation.problem.as_ref().map(|problem| OperationError { code: problem.code.clone() });
    Some(Event {
        id: EventId::of_operation(operation.id, kind),
        kind,
        timestamp: operation.completed_at.unwrap_or_else(|| operation.created_at()),
        data: json!(OperationEnded {
            operation_id: operation.id,
            kind: operation.kind,
            status: operation.status,
            created_at: operation.created_at(),
            completed_at: operation.completed_at,
            credits_used: operation.credits_used(),
            error,
        }),
    })
}

/// Credits or bytes at which the account's usage reaches the threshold of `kind`.
pub fn usage_threshold(kind: EventKind, limit: u64) -> u64 {
    match kind {
        EventKind::UsageLimitReached => limit,
        _ => {
            limit / 100 * USAGE_THRESHOLD_PERCENT
                + (limit % 100 * USAGE_THRESHOLD_PERCENT).div_ceil(100)
        }
    }
}

/// This operation brought the usage to a threshold in its month.
pub fn of_usage(ended: &Operation, kind: EventKind, limit: u64) -> Event {
    let period = Month { starts_at: ended.period, ends_at: ended.period.next_month_start() };
    let mark = Mark { limit, reached: usage_threshold(kind, limit) };
    let operation_id = ended.id;
    let data = match kind {
        EventKind::StorageThresholdReached => {
            json!(StorageReached { period, bytes: mark, operation_id })
        }
        _ => json!(CreditsReached { period, credits: mark, operation_id }),
    };
    Event {
        id: EventId::of_usage(ended.account, ended.period, kind),
        kind,
        timestamp: ended.completed_at.unwrap_or_else(|| ended.created_at()),
        data,
    }
}

/// A library item became public, or is public no longer.
pub fn of_library_item(change: &VisibilityChange) -> Event {
    let kind = if change.is_publication() {
        EventKind::LibraryItemPublished
    } else {
        EventKind::LibraryItemUnpublished
    };
    Event {
        id: EventId::of_library_item(change.item.bits(), u64::from(change.version), kind),
        kind,
        timestamp: change.at,
        data: json!(VisibilityChanged {
            item_id: change.item,
            visibility: change.visibility,
            version: change.version,
        }),
    }
}

/// A test delivery, requested at `now`.
pub fn of_test(id: EventId, endpoint: EndpointId, now: Timestamp) -> Event {
    let data = json!(Test { endpoint_id: endpoint });
    Event { id, kind: EventKind::WebhookTest, timestamp: now, data }
}
