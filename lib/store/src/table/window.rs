//! Counts events in windows of fixed length: one update, and a second one for the first event of a
//! window.

use std::time::Duration;

use aws_sdk_dynamodb::{
    error::SdkError,
    operation::update_item::{UpdateItemError, UpdateItemOutput},
    types::{ReturnValue, ReturnValuesOnConditionCheckFailure},
};
use domain::Timestamp;

use crate::{
    Store, StoreError,
    item::{ItemReader, number},
    keys::{Key, TTL},
};

/// How often a count retries because another one has opened the window.
const MAX_RETRIES: u32 = 8;

/// A counter of events by window.
pub(crate) struct WindowCounter {
    /// Its item.
    pub key: Key,
    /// Attribute with the number of the present window since the epoch.
    pub window: &'static str,
    /// Attribute with the events counted in it.
    pub count: &'static str,
    /// Length of a window.
    pub length: Duration,
    /// For how long the item is needed after a window opens; `None` if it is another record's item,
    /// which has to exist.
    pub lasts: Option<Duration>,
}

/// What a counter says after an event.
pub(crate) struct WindowCount {
    /// Events in the present window, this one included.
    pub count: u32,
    /// When the window ends.
    pub ends_at: Timestamp,
}

/// How an event is counted.
#[derive(Clone, Copy)]
enum Step {
    /// In the stored window.
    Add,
    /// As the first of a new window; `None` if there was no window before.
    Open(Option<i64>),
}

impl Store {
    /// Counts an event in the present window.
    ///
    /// # Errors
    ///
    /// Storage failed.
    pub(crate) async fn count_in_window(
        &self,
        counter: &WindowCounter,
    ) -> Result<WindowCount, StoreError> {
        let length = i64::try_from(counter.length.as_millis()).unwrap_or(i64::MAX);
        let present = self.clock.now().millis() / length;
        let mut step = Step::Add;
        for _ in 0..MAX_RETRIES {
            let error = match self.send_step(counter, step, present).await {
                Ok(output) => {
                    let item = output.attributes.unwrap_or_default();
                    let reader = ItemReader(&item);
                    let next = (reader.number(counter.window)? + 1) * length;
                    return Ok(WindowCount {
                        count: reader.count(counter.count),
                        ends_at: Timestamp::from_millis(next),
                    });
                }
                Err(error) => error,
            };
            let Some(UpdateItemError::ConditionalCheckFailedException(failed)) =
                error.as_service_error()
            else {
                return Err(StoreError::unavailable("table", error));
            };
            let stored = failed.item().and_then(|it| ItemReader(it).number(counter.window).ok());
            step = match stored {
                Some(stored) if stored >= present => Step::Add,
                other => Step::Open(other),
            };
        }
        Err(StoreError::unavailable("table", "the window of a counter keeps moving"))
    }

    async fn send_step(
        &self,
        counter: &WindowCounter,
        step: Step,
        present: i64,
    ) -> Result<UpdateItemOutput, SdkError<UpdateItemError>> {
        let WindowCounter { window, count, .. } = counter;
        let mut update = self
            .clients
            .dynamodb
            .update_item()
            .table_name(&self.names.table)
            .set_key(Some(counter.key.clone()))
            .expression_attribute_values(":one", number(1))
            .expression_attribute_values(":present", number(present))
            .return_values(ReturnValue::AllNew)
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        let mut open = format!("SET {window} = :present, {count} = :one");
        if let (Step::Open(_), Some(lasts)) = (step, counter.lasts) {
            open.push_str(", #ttl = :ttl");
            let expiry = self.clock.now() + lasts;
            update = update
                .expression_attribute_names("#ttl", TTL)
                .expression_attribute_values(":ttl", number(expiry.seconds_up()));
        }
        let update = match step {
            // The stored window may be ahead of this machine's clock; then it is the present one.
            Step::Add => update
                .update_expression(format!("SET {count} = {count} + :one"))
                .condition_expression(format!("{window} >= :present")),
            Step::Open(None) if counter.lasts.is_some() => update
                .update_expression(open)
                .condition_expression(format!("attribute_not_exists({window})")),
            Step::Open(None) => update.update_expression(open).condition_expression(format!(
                "attribute_exists(pk) AND attribute_not_exists({window})"
            )),
            Step::Open(Some(stored)) => update
                .update_expression(open)
                .condition_expression(format!("{window} = :stored"))
                .expression_attribute_values(":stored", number(stored)),
        };
        self.update_with_retry(update).await
    }
}
