//! Keys derived from the server secret, and from the previous one during a rotation.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The server secret is shorter than [`Secrets::MIN_LEN`] bytes.
#[derive(Debug, thiserror::Error)]
#[error("the server secret must have at least {} bytes", Secrets::MIN_LEN)]
pub struct WeakSecret;

/// One key per purpose, so that a value made for one is invalid for another; and the keys of the
/// previous secret, while values made with it are still accepted.
#[derive(Clone)]
pub struct Secrets {
    current: Keys,
    previous: Option<Keys>,
}

/// The keys of one secret.
#[derive(Clone)]
pub(crate) struct Keys {
    key_tag: [u8; 32],
    key_fingerprint: [u8; 32],
    cursor: [u8; 32],
    encryption: [u8; 32],
}

/// HMAC-SHA256 (RFC 2104) of the concatenated parts.
pub(crate) fn hmac(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    #[allow(clippy::expect_used, reason = "HMAC takes keys of every length")]
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("a key of any length");
    for part in parts {
        // Lengths keep ("ab", "c") and ("a", "bc") apart.
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

impl Secrets {
    /// Fewest bytes of the server secret.
    pub const MIN_LEN: usize = 32;

    /// Derives the keys.
    pub fn derive(secret: &[u8]) -> Result<Self, WeakSecret> {
        Ok(Self { current: Keys::derive(secret)?, previous: None })
    }

    /// Also accepts what was made with the previous secret: API keys, cursors, encrypted secrets.
    pub fn with_previous(self, secret: &[u8]) -> Result<Self, WeakSecret> {
        Ok(Self { previous: Some(Keys::derive(secret)?), ..self })
    }

    /// The keys for new values.
    pub(crate) fn current(&self) -> &Keys {
        &self.current
    }

    /// All accepted keys, the current ones first.
    pub(crate) fn accepted(&self) -> impl Iterator<Item = &Keys> {
        std::iter::once(&self.current).chain(&self.previous)
    }

    /// The keys that encrypt signing secrets of webhooks: the current one, and the previous one.
    pub fn encryption_keys(&self) -> ([u8; 32], Option<[u8; 32]>) {
        (self.current.encryption, self.previous.as_ref().map(|keys| keys.encryption))
    }
}

impl Keys {
    fn derive(secret: &[u8]) -> Result<Self, WeakSecret> {
        if secret.len() < Secrets::MIN_LEN {
            return Err(WeakSecret);
        }
        let key = |purpose: &str| hmac(secret, &[purpose.as_bytes()]);
        Ok(Self {
            key_tag: key("api-key-tag"),
            key_fingerprint: key("api-key-fingerprint"),
            cursor: key("cursor"),
            encryption: key("webhook-secret-sealing"),
        })
    }

    pub(crate) fn tag_key(&self, text: &str) -> [u8; 8] {
        let [a, b, c, d, e, f, g, h, ..] = hmac(&self.key_tag, &[text.as_bytes()]);
        [a, b, c, d, e, f, g, h]
    }

    pub(crate) fn fingerprint_key(&self, text: &str) -> [u8; 32] {
        hmac(&self.key_fingerprint, &[text.as_bytes()])
    }

    pub(crate) fn sign_cursor(&self, parts: &[&[u8]]) -> [u8; 32] {
        hmac(&self.cursor, parts)
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secrets")
    }
}
