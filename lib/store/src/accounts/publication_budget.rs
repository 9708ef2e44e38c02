//! The budget of changes of publication: each may ask a language model, and tells subscribers of it.

use aws_sdk_dynamodb::{
    operation::update_item::UpdateItemError,
    types::{ReturnValue, ReturnValuesOnConditionCheckFailure},
};
use domain::{AccountId, Timestamp, plan::Allowance};

use crate::{
    Store, StoreError,
    admission::Rate,
    item::{Attributes, ItemReader, number},
    keys,
};

/// Length of a window in milliseconds.
const WINDOW_MILLIS: i64 = 3_600_000;
/// How often a count retries because another one has moved the window.
const MAX_RETRIES: u32 = 8;

impl Store {
    /// Counts a change of publication in the present hour, on the account item. One update, and a second one at the
    /// first change of an hour. The result tells whether this change was one too many.
    ///
    /// # Errors
    ///
    /// Storage failed.
    pub async fn count_publication_change(
        &self,
        account: AccountId,
        allowance: Allowance,
    ) -> Result<Rate, StoreError> {
        let present = self.clock.now().millis() / WINDOW_MILLIS;
        let mut passed = None;
        for _ in 0..MAX_RETRIES {
            let update = self
                .clients
                .dynamodb
                .update_item()
                .table_name(&self.names.table)
                .set_key(Some(keys::account_item(account)))
                .expression_attribute_values(":one", number(1))
                .expression_attribute_values(":present", number(present))
                .return_values(ReturnValue::AllNew)
                .return_values_on_condition_check_failure(
                    ReturnValuesOnConditionCheckFailure::AllOld,
                );
            // The stored window may be ahead of this machine's clock; then it is the present one.
            let update = match passed {
                None => update
                    .update_expression("SET pn = pn + :one")
                    .condition_expression("pw >= :present"),
                Some(None) => update
                    .update_expression("SET pw = :present, pn = :one")
                    .condition_expression("attribute_exists(pk) AND attribute_not_exists(pw)"),
                Some(Some(stored)) => update
                    .update_expression("SET pw = :present, pn = :one")
                    .condition_expression("pw = :stored")
                    .expression_attribute_values(":stored", number(stored)),
            };
            let error = match self.update_with_retry(update).await {
                Ok(output) => return rate(&output.attributes.unwrap_or_default(), allowance),
                Err(error) => error,
            };
            let Some(UpdateItemError::ConditionalCheckFailedException(failed)) =
                error.as_service_error()
            else {
                return Err(StoreError::unavailable("table", error));
            };
            let stored = failed.item().map(|item| ItemReader(item).number("pw").ok());
            passed = match stored {
                Some(Some(stored)) if stored >= present => None,
                other => Some(other.flatten()),
            };
        }
        Err(StoreError::unavailable("table", "the window of publications keeps moving"))
    }
}

fn rate(account_item: &Attributes, allowance: Allowance) -> Result<Rate, StoreError> {
    let reader = ItemReader(account_item);
    let window = reader.number("pw")?;
    Ok(Rate {
        limit: allowance.publication_changes_per_hour,
        used: reader.count("pn"),
        ends_at: Timestamp::from_millis((window + 1) * WINDOW_MILLIS),
    })
}
