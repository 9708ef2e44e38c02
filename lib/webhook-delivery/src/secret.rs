//! Signing secrets of endpoints, and their encryption at rest.

use std::fmt;

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use base64::{Engine, prelude::BASE64_STANDARD};
use domain::{AccountId, EndpointId, Random, random};
use sha2::{Digest, Sha256};

/// Prefix of a secret's text (Standard Webhooks 1.0).
const PREFIX: &str = "whsec_";
/// Bytes of a secret.
const LENGTH: usize = 32;
/// First byte of an encrypted secret: the cipher, so that another one can follow.
const AES_GCM: u8 = 2;
/// Bytes of a key's identifier.
const KEY_ID: usize = 4;

/// Key that an endpoint's deliveries are signed with. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct SigningSecret([u8; LENGTH]);

impl SigningSecret {
    /// A new random secret.
    pub fn new(random: &dyn Random) -> Self {
        Self(random::bytes(random))
    }

    /// The secret as its owner receives it, once.
    pub fn text(&self) -> String {
        format!("{PREFIX}{}", BASE64_STANDARD.encode(self.0))
    }

    /// The bytes to sign with.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for SigningSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SigningSecret")
    }
}

/// The bytes of a secret's text, with or without its prefix and of any length.
pub fn parse(text: &str) -> Option<Vec<u8>> {
    BASE64_STANDARD.decode(text.strip_prefix(PREFIX).unwrap_or(text)).ok()
}

/// An encrypted secret was changed, belongs to another endpoint, or has an unknown key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the signing secret cannot be decrypted")]
pub struct DecryptionError;

/// The keys that encrypt secrets: the current one, and during a rotation the previous one.
#[derive(Clone)]
pub struct EncryptionKey {
    current: Key,
    previous: Option<Key>,
}

impl fmt::Debug for EncryptionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EncryptionKey")
    }
}

impl EncryptionKey {
    /// The current key, and the previous one, which only decrypts.
    pub fn of((current, previous): ([u8; 32], Option<[u8; 32]>)) -> Self {
        Self { current: Key(current), previous: previous.map(Key) }
    }

    /// Encrypts a secret with AES-256-GCM (NIST SP 800-38D) under a random nonce. The endpoint is
    /// authenticated, so the result decrypts for no other. Layout: cipher, key identifier, nonce,
    /// ciphertext and tag.
    pub fn encrypt(
        &self,
        secret: &SigningSecret,
        (account, endpoint): (AccountId, EndpointId),
        random: &dyn Random,
    ) -> Vec<u8> {
        let nonce: [u8; NONCE_LEN] = random::bytes(random);
        let mut encrypted = vec![AES_GCM];
        encrypted.extend_from_slice(&self.current.id());
        encrypted.extend_from_slice(&nonce);
        let mut text = secret.0;
        let aad = Aad::from(associated_data(account, endpoint));
        #[allow(clippy::expect_used, reason = "AES-GCM encrypts every text as short as this")]
        let tag = self
            .current
            .cipher()
            .seal_in_place_separate_tag(Nonce::assume_unique_for_key(nonce), aad, &mut text)
            .expect("a short text");
        encrypted.extend_from_slice(&text);
        encrypted.extend_from_slice(tag.as_ref());
        encrypted
    }

    /// Decrypts a secret of the endpoint.
    ///
    /// # Errors
    ///
    /// [`DecryptionError`].
    pub fn decrypt(
        &self,
        encrypted: &[u8],
        (account, endpoint): (AccountId, EndpointId),
    ) -> Result<SigningSecret, DecryptionError> {
        let (id, rest) = key_of(encrypted).ok_or(DecryptionError)?;
        let mut keys = std::iter::once(&self.current).chain(&self.previous);
        let key = keys.find(|key| key.id() == *id).ok_or(DecryptionError)?;
        let (nonce, rest) = rest.split_at_checked(NONCE_LEN).ok_or(DecryptionError)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| DecryptionError)?;
        let mut text = rest.to_vec();
        let aad = Aad::from(associated_data(account, endpoint));
        let text =
            key.cipher().open_in_place(nonce, aad, &mut text).map_err(|_| DecryptionError)?;
        text.as_ref().try_into().map(SigningSecret).map_err(|_| DecryptionError)
    }

    /// Whether a secret was encrypted with the current key.
    pub fn is_current(&self, encrypted: &[u8]) -> bool {
        key_of(encrypted).is_some_and(|(id, _)| *id == self.current.id())
    }
}

/// The identifier of the key, and the bytes after it.
fn key_of(encrypted: &[u8]) -> Option<(&[u8; KEY_ID], &[u8])> {
    let [AES_GCM, rest @ ..] = encrypted else { return None };
    rest.split_first_chunk()
}

#[derive(Clone)]
struct Key([u8; 32]);

impl Key {
    /// Identifies the key without revealing it.
    fn id(&self) -> [u8; KEY_ID] {
        let [a, b, c, d, ..] = <[u8; 32]>::from(Sha256::digest(self.0));
        [a, b, c, d]
    }

    fn cipher(&self) -> LessSafeKey {
        #[allow(clippy::expect_used, reason = "the key has the length that the cipher takes")]
        let key = UnboundKey::new(&AES_256_GCM, &self.0).expect("32 bytes");
        LessSafeKey::new(key)
    }
}

/// What an encrypted secret is bound to.
fn associated_data(account: AccountId, endpoint: EndpointId) -> [u8; 32] {
    let mut associated_data = [0; 32];
    associated_data[..16].copy_from_slice(&account.bits().to_be_bytes());
    associated_data[16..].copy_from_slice(&endpoint.bits().to_be_bytes());
    associated_data
}
