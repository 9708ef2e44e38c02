//! Events as endpoints receive them: identifiers and figures of the account, never content.

use domain::{
    EndpointId, EventId, EventKind, Operation, Status, Timestamp, webhook::USAGE_THRESHOLD_PERCENT,
};
use serde_json::json;
use store::{library::VisibilityChange, webhooks::queue::Event};

/// The end of an operation; `None` unless it has succeeded or failed.
pub fn of_operation(operation: &Operation) -> Option<Event> {
    let kind = match operation.status {
        Status::Succeeded => EventKind::OperationSucceeded,
        Status::Failed => EventKind::OperationFailed,
        Status::Pending | Status::Running | Status::Cancelled => return None,
    };
    let error = operation.problem.as_ref().map(|problem| json!({"code": problem.code}));
    Some(Event {
        id: EventId::of_operation(operation.id, kind),
        kind,
        timestamp: operation.completed_at.unwrap_or_else(|| operation.created_at()),
        data: json!({
            "operationId": operation.id,
            "kind": operation.kind,
            "status": operation.status,
            "createdAt": operation.created_at(),
            "completedAt": operation.completed_at,
            "creditsUsed": operation.credits_used(),
            "error": error,
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
    let resource = match kind {
        EventKind::StorageThresholdReached => "bytes",
        _ => "credits",
    };
    Event {
        id: EventId::of_usage(ended.account, ended.period, kind),
        kind,
        timestamp: ended.completed_at.unwrap_or_else(|| ended.created_at()),
        data: json!({
            "period": {"startsAt": ended.period, "endsAt": ended.period.next_month_start()},
            resource: {"limit": limit, "reached": usage_threshold(kind, limit)},
            "operationId": ended.id,
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
        data: json!({
            "itemId": change.item,
            "visibility": change.visibility,
            "version": change.version,
        }),
    }
}

/// A test delivery, requested at `now`.
pub fn of_test(id: EventId, endpoint: EndpointId, now: Timestamp) -> Event {
    let data = json!({"endpointId": endpoint});
    Event { id, kind: EventKind::WebhookTest, timestamp: now, data }
}
