//! Signing secrets as they are used: opened, and encrypted anew once the server has another key.

use store::{Store, StoreError, webhooks::StoredEndpoint};

use crate::secret::{DecryptionError, EncryptionKey, SigningSecret};

/// What became of a secret's seal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReEncrypted {
    /// It has the present key's now.
    Now,
    /// It had that before.
    Before,
    /// Its endpoint is no more.
    Gone,
    /// It was made with a key that is not at hand.
    UnknownKey,
}

impl EncryptionKey {
    /// Gives an endpoint's secret the present key's seal, unless it has that.
    ///
    /// # Errors
    ///
    /// Storage failed.
    pub async fn re_encrypt(
        &self,
        store: &Store,
        mut seen: StoredEndpoint,
    ) -> Result<ReEncrypted, StoreError> {
        let owner = (seen.account, seen.endpoint.id);
        // Each further turn means that somebody else has changed the secret meanwhile.
        loop {
            if self.is_current(&seen.encrypted_secret) {
                return Ok(ReEncrypted::Before);
            }
            let Ok(secret) = self.decrypt(&seen.encrypted_secret, owner) else {
                return Ok(ReEncrypted::UnknownKey);
            };
            if self.write_re_encrypted(store, &seen, &secret).await? {
                return Ok(ReEncrypted::Now);
            }
            match store.endpoint(owner.0, owner.1).await? {
                Some(stored) => seen = stored,
                None => return Ok(ReEncrypted::Gone),
            }
        }
    }

    /// Opens an endpoint's secret. One that was encrypted with the key before is encrypted with the present one,
    /// so that the other can go; failing to write that is no failure.
    ///
    /// # Errors
    ///
    /// [`DecryptionError`].
    pub async fn decrypt_and_re_encrypt(
        &self,
        store: &Store,
        stored: &StoredEndpoint,
    ) -> Result<SigningSecret, DecryptionError> {
        let owner = (stored.account, stored.endpoint.id);
        let secret = self.decrypt(&stored.encrypted_secret, owner)?;
        if !self.is_current(&stored.encrypted_secret)
            && let Err(error) = self.write_re_encrypted(store, stored, &secret).await
        {
            tracing::warn!(endpoint = %stored.endpoint.id, %error, "a secret is not re-encrypted");
        }
        Ok(secret)
    }

    /// Writes the present key's seal over the one that was seen; `false` if that is not there any more.
    async fn write_re_encrypted(
        &self,
        store: &Store,
        seen: &StoredEndpoint,
        secret: &SigningSecret,
    ) -> Result<bool, StoreError> {
        let encrypted = self.encrypt(secret, (seen.account, seen.endpoint.id), &**store.random());
        store.replace_encrypted_secret(seen, encrypted).await
    }
}
