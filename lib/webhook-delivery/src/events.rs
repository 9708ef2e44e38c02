//! Events as endpoints receive them: identifiers and figures of the account, never content.

use domain::{
    EndpointId, EventId, EventKind, Kind, LibraryId, Operation, OperationId, Status, Timestamp,
    library::Visibility,
    webhook::{UsageResource, UsageThreshold},
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

/// The account's usage reached a mark.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UsageReached {
    /// What is used: `credits` of the month, or `storage`, the bytes that the account keeps.
    resource: UsageResource,
    /// The month.
    period: Month,
    /// Credits or bytes that the account may use.
    limit: u64,
    /// The mark: credits or bytes, 80 % of the limit or all of it.
    reached: u64,
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
    let error = operation
        .problem
        .as_ref()
        .map(|failure| OperationError { code: failure.problem.code.clone() });
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

/// This operation brought the usage to a threshold in its month.
pub fn of_usage(ended: &Operation, threshold: UsageThreshold, limit: u64) -> Event {
    Event {
        id: EventId::of_usage(ended.account, ended.period, threshold),
        kind: threshold.kind(),
        timestamp: ended.completed_at.unwrap_or_else(|| ended.created_at()),
        data: json!(UsageReached {
            resource: threshold.resource,
            period: Month { starts_at: ended.period, ends_at: ended.period.next_month_start() },
            limit,
            reached: threshold.of(limit),
            operation_id: ended.id,
        }),
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
