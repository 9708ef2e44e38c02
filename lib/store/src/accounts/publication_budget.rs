//! The budget of changes of publication: each may ask a language model, and tells subscribers of it.

use std::time::Duration;

use domain::{AccountId, plan::Allowance};

use crate::{Store, StoreError, admission::Rate, keys, window::WindowCounter};

/// Length of a window.
const HOUR: Duration = Duration::from_secs(3_600);

impl Store {
    /// Counts a change of publication in the present hour, on the account item. The result tells
    /// whether this change was one too many.
    ///
    /// # Errors
    ///
    /// Storage failed.
    pub async fn count_publication_change(
        &self,
        account: AccountId,
        allowance: Allowance,
    ) -> Result<Rate, StoreError> {
        let counter = WindowCounter {
            key: keys::account_item(account),
            window: "pw",
            count: "pn",
            length: HOUR,
            lasts: None,
        };
        let counted = self.count_in_window(&counter).await?;
        Ok(Rate {
            limit: allowance.publication_changes_per_hour,
            used: counted.count,
            ends_at: counted.ends_at,
        })
    }
}
