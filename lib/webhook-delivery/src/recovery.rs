//! Sends failed deliveries again.

use std::time::Duration;

use domain::{
    Timestamp,
    webhook::{HOST_DELIVERIES_PER_SECOND, RECOVERED_MAX},
};
use futures::{TryStreamExt, stream};
use store::{
    Store, StoreError,
    webhooks::{StoredEndpoint, deliveries::FailedDeliveries, queue::Notification},
};

/// Records that are written at once.
const WRITES_AT_ONCE: usize = 10;

/// What was sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// How many deliveries were queued.
    pub queued: u32,
    /// Whether there are more that failed.
    pub has_more: bool,
}

/// Sends the deliveries to an endpoint again that have failed, of events since an instant, the oldest
/// first: at most [`RECOVERED_MAX`].
///
/// They are enqueued first and recorded second. If that fails in between, they still count as
/// failed until they are attempted, and can be sent again: of two messages for one delivery only one claims the attempt.
///
/// # Errors
///
/// Storage or the queue failed.
pub async fn recover(
    store: &Store,
    stored: &StoredEndpoint,
    since: Timestamp,
) -> Result<Recovered, StoreError> {
    let (account, endpoint) = (stored.account, stored.endpoint.id);
    let now = store.clock().now();
    let FailedDeliveries { deliveries, has_more } =
        store.failed_deliveries(account, endpoint, since, RECOVERED_MAX).await?;
    let messages: Vec<_> = (0..)
        .zip(&deliveries)
        .map(|(number, failed)| {
            // No faster than the host's budget: what exceeds that would only come back later.
            let due = now + Duration::from_secs(number / u64::from(HOST_DELIVERIES_PER_SECOND));
            failed.recovered(account, endpoint, due, &**store.random())
        })
        .collect();
    let notifications: Vec<_> = messages.iter().cloned().map(Notification::Delivery).collect();
    store.enqueue_notifications(&notifications).await?;
    stream::iter(deliveries.iter().zip(&messages).map(Ok))
        .try_for_each_concurrent(WRITES_AT_ONCE, async |(failed, message)| {
            store.record_recovery(failed, message).await.map(drop)
        })
        .await?;
    Ok(Recovered { queued: u32::try_from(messages.len()).unwrap_or(u32::MAX), has_more })
}
