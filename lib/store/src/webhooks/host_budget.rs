//! The budgets of deliveries to one host.

use std::time::Duration;

use domain::{AccountId, webhook::HOST_DELIVERIES_PER_SECOND};
use sha2::{Digest, Sha256};

use crate::{Store, StoreError, keys, window::WindowCounter};

/// For how long a counter is kept after its last window has opened.
const COUNTER_TTL: Duration = Duration::from_secs(3_600);

/// A number for a host, from the first bytes of its SHA-256: so many that nobody finds a name of their own with the number
/// of another host, and proves that one by it.
pub fn host_number(host: &str) -> i64 {
    let digest: [u8; 32] = Sha256::digest(host).into();
    let [a, b, c, d, e, f, g, h, ..] = digest;
    i64::from_be_bytes([a, b, c, d, e, f, g, h])
}

/// What shares a budget of [`HOST_DELIVERIES_PER_SECOND`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostBudget {
    /// Deliveries to the endpoints of one host, and test deliveries.
    Endpoints,
    /// What is sent again. It may last for minutes, and takes nothing from events and tests.
    Recovery,
}

impl Store {
    /// Counts a delivery to a host in the present second. `false` if it is one too many for its budget.
    ///
    /// # Errors
    ///
    /// Storage failed.
    pub async fn count_delivery_to_host(
        &self,
        account: AccountId,
        host: i64,
        budget: HostBudget,
    ) -> Result<bool, StoreError> {
        let (window, count) = match budget {
            HostBudget::Endpoints => ("w", "n"),
            HostBudget::Recovery => ("rw", "rn"),
        };
        let counter = WindowCounter {
            key: keys::webhook_host(account, host),
            window,
            count,
            length: Duration::from_secs(1),
            lasts: Some(COUNTER_TTL),
        };
        Ok(self.count_in_window(&counter).await?.count <= HOST_DELIVERIES_PER_SECOND)
    }
}
