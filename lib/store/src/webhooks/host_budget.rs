//! The budget of deliveries to one host that several endpoints of an account share.

use std::time::Duration;

use domain::{AccountId, webhook::HOST_DELIVERIES_PER_SECOND};
use sha2::{Digest, Sha256};

use crate::{Store, StoreError, keys, window::WindowCounter};

/// For how long a counter is kept after its last window has opened.
const COUNTER_TTL: Duration = Duration::from_secs(3_600);

/// A number for a host, from the first bytes of its SHA-256.
pub fn host_number(host: &str) -> u32 {
    let digest = Sha256::digest(host);
    u32::from_be_bytes([digest[0], digest[1], digest[2], digest[3]])
}

impl Store {
    /// Counts a delivery to a host in the present second. `false` if it is one too many:
    /// [`HOST_DELIVERIES_PER_SECOND`] are allowed.
    ///
    /// # Errors
    ///
    /// Storage failed.
    pub async fn count_delivery_to_host(
        &self,
        account: AccountId,
        host: u32,
    ) -> Result<bool, StoreError> {
        let counter = WindowCounter {
            key: keys::webhook_host(account, host),
            window: "w",
            count: "n",
            length: Duration::from_secs(1),
            lasts: Some(COUNTER_TTL),
        };
        Ok(self.count_in_window(&counter).await?.count <= HOST_DELIVERIES_PER_SECOND)
    }
}
