//! Signing secrets as they are used: opened, and sealed anew once the server has another key.

use store::{Store, StoreError, webhooks::StoredEndpoint};

use crate::secret::{SealingKey, SigningSecret, Unsealable};

/// What became of a secret's seal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resealed {
    /// It has the present key's now.
    Now,
    /// It had that before.
    Before,
    /// Its endpoint is no more.
    Gone,
    /// It was made with a key that is not at hand.
    UnknownKey,
}

impl SealingKey {
    /// Gives an endpoint's secret the present key's seal, unless it has that.
    ///
    /// # Errors
    ///
    /// Storage failed.
    pub async fn renew(
        &self,
        store: &Store,
        mut seen: StoredEndpoint,
    ) -> Result<Resealed, StoreError> {
        let place = (seen.account, seen.endpoint.id);
        // Each further turn means that somebody else has changed the secret meanwhile.
        loop {
            if self.is_present(&seen.sealed_secret) {
                return Ok(Resealed::Before);
            }
            let Ok(secret) = self.open(&seen.sealed_secret, place) else {
                return Ok(Resealed::UnknownKey);
            };
            if self.reseal(store, &seen, &secret).await? {
                return Ok(Resealed::Now);
            }
            match store.endpoint(place.0, place.1).await? {
                Some(stored) => seen = stored,
                None => return Ok(Resealed::Gone),
            }
        }
    }

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
        if !self.is_present(&stored.sealed_secret)
            && let Err(error) = self.reseal(store, stored, &secret).await
        {
            tracing::warn!(endpoint = %stored.endpoint.id, %error, "a secret keeps its old seal");
        }
        Ok(secret)
    }

    /// Writes the present key's seal over the one that was seen; `false` if that is not there any more.
    async fn reseal(
        &self,
        store: &Store,
        seen: &StoredEndpoint,
        secret: &SigningSecret,
    ) -> Result<bool, StoreError> {
        let sealed = self.seal(secret, (seen.account, seen.endpoint.id), &**store.random());
        store.reseal_endpoint(seen, sealed).await
    }
}
