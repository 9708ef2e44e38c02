//! Signing secrets as they are used: opened, and sealed anew once the server has another key.

use store::{Store, webhooks::StoredEndpoint};

use crate::secret::{SealingKey, SigningSecret, Unsealable};

impl SealingKey {
    /// Opens an endpoint's secret. One that was sealed with the key before is sealed with the present one,
    /// so that the other can go; failing to write that is no failure.
    ///
    /// # Errors
    ///
    /// [`Unsealable`].
    pub async fn open_and_renew(
        &self,
        store: &Store,
        stored: &StoredEndpoint,
    ) -> Result<SigningSecret, Unsealable> {
        let place = (stored.account, stored.endpoint.id);
        let secret = self.open(&stored.sealed_secret, place)?;
        if !self.is_present(&stored.sealed_secret) {
            let sealed = self.seal(&secret, place, &**store.random());
            if let Err(error) = store.reseal_endpoint(stored, sealed).await {
                tracing::warn!(endpoint = %stored.endpoint.id, %error, "a secret keeps its old seal");
            }
        }
        Ok(secret)
    }
}
