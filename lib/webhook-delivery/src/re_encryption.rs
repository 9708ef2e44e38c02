//! Decrypts signing secrets, and re-encrypts them once the server has a new key.

use store::{Store, StoreError, webhooks::StoredEndpoint};

use crate::secret::{DecryptionError, EncryptionKey, SigningSecret};

/// Result of a re-encryption.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReEncrypted {
    /// The secret is now encrypted with the current key.
    Now,
    /// The secret already was encrypted with the current key.
    Before,
    /// The endpoint was deleted.
    Gone,
    /// The secret was encrypted with a key that the server does not have.
    UnknownKey,
}

impl EncryptionKey {
    /// Encrypts an endpoint's secret with the current key, unless it is already.
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
        // A further turn means that the secret was changed meanwhile.
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

    /// Decrypts an endpoint's secret. Re-encrypts it if it has the previous key, so that this key
    /// can be removed; if that write fails, it is only logged.
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
            tracing::warn!(endpoint = %stored.endpoint.id, %error, "a secret was not re-encrypted");
        }
        Ok(secret)
    }

    /// Replaces the encrypted secret that was seen; `false` if it has changed since.
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
