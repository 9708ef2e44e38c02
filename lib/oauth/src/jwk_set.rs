//! Sets of public keys (RFC 7517).

use jsonwebtoken::{
    DecodingKey,
    jwk::{AlgorithmParameters, EllipticCurve, Jwk, KeyAlgorithm, KeyOperations, PublicKeyUse},
};
use serde::Deserialize;
use serde_json::Value;

use crate::Algorithm;

/// Most keys of a set.
pub const KEYS_MAX: usize = 100;

/// A document is not a key set, or is too large.
#[derive(Debug, thiserror::Error)]
pub enum JwkSetError {
    /// It is not a JSON object with `keys`.
    #[error("it is not a JSON Web Key Set")]
    Malformed(#[from] serde_json::Error),
    /// It has more than [`KEYS_MAX`] keys.
    #[error("it has more than {KEYS_MAX} keys")]
    TooMany,
}

/// A key that verifies signatures. The key fixes its algorithm; a token does not choose it.
#[derive(Clone, Debug)]
pub(crate) struct Key {
    id: Option<String>,
    algorithm: Algorithm,
    key: DecodingKey,
}

/// The usable keys of an issuer.
#[derive(Clone, Debug, Default)]
pub struct JwkSet(Vec<Key>);

#[derive(Deserialize)]
struct Document {
    keys: Vec<Value>,
}

impl JwkSet {
    /// Parses a key set. Keys of other types, for other uses or of unknown form are ignored (RFC
    /// 7517, section 5).
    ///
    /// # Errors
    ///
    /// [`JwkSetError`]
    pub fn parse(document: &[u8]) -> Result<Self, JwkSetError> {
        let Document { keys } = serde_json::from_slice(document)?;
        if keys.len() > KEYS_MAX {
            return Err(JwkSetError::TooMany);
        }
        Ok(Self(keys.into_iter().filter_map(Key::read).collect()))
    }

    /// Number of usable keys.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no usable key.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The key for a token with this `kid` and algorithm; without `kid`, the only key for the
    /// algorithm. Two matches count as none: keys are not tried in turn.
    pub(crate) fn find(&self, kid: Option<&str>, algorithm: Algorithm) -> Option<&Key> {
        let mut fitting = self.0.iter().filter(|key| {
            key.algorithm == algorithm && kid.is_none_or(|kid| key.id.as_deref() == Some(kid))
        });
        let key = fitting.next()?;
        fitting.next().is_none().then_some(key)
    }
}

impl Key {
    fn read(value: Value) -> Option<Self> {
        let jwk: Jwk = serde_json::from_value(value).ok()?;
        let (algorithm, named) = match &jwk.algorithm {
            AlgorithmParameters::RSA(_) => (Algorithm::Rs256, KeyAlgorithm::RS256),
            AlgorithmParameters::EllipticCurve(point) if point.curve == EllipticCurve::P256 => {
                (Algorithm::Es256, KeyAlgorithm::ES256)
            }
            _ => return None,
        };
        let common = &jwk.common;
        let fits = common.key_algorithm.is_none_or(|given| given == named)
            && common.public_key_use.as_ref().is_none_or(|usage| *usage == PublicKeyUse::Signature)
            && common
                .key_operations
                .as_ref()
                .is_none_or(|operations| operations.contains(&KeyOperations::Verify));
        let key = DecodingKey::from_jwk(&jwk).ok()?;
        fits.then_some(Self { id: jwk.common.key_id, algorithm, key })
    }

    /// Whether this key made the signature. False for RSA keys under 2048 bits.
    pub fn signed(&self, signing_input: &str, signature: &str) -> bool {
        let algorithm = match self.algorithm {
            Algorithm::Rs256 => jsonwebtoken::Algorithm::RS256,
            Algorithm::Es256 => jsonwebtoken::Algorithm::ES256,
        };
        jsonwebtoken::crypto::verify(signature, signing_input.as_bytes(), &self.key, algorithm)
            .unwrap_or(false)
    }
}
