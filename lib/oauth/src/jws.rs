//! Signed tokens in compact serialization (RFC 7515, section 7.1).

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, IgnoredAny},
};

use crate::JwkSet;

/// Most bytes of a token.
pub const TOKEN_MAX: usize = 8192;

/// Why a token is not accepted; the messages are for its sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// It has more than [`TOKEN_MAX`] bytes.
    #[error("it is longer than {TOKEN_MAX} characters")]
    TooLong,
    /// It is not a compact JWS whose header and claims are JSON objects of the right form.
    #[error("it is not a well-formed signed JSON Web Token")]
    Malformed,
    /// Its header requires extensions; none is supported.
    #[error("its header names critical extensions")]
    Critical,
    /// It is unsigned, or signed with another algorithm.
    #[error("its algorithm is neither RS256 nor ES256")]
    Algorithm,
    /// It is another kind of token, for example an ID token.
    #[error("its type is not at+jwt")]
    Type,
    /// It lacks this claim.
    #[error("it lacks the claim {0}")]
    MissingClaim(&'static str),
    /// Its issuer is not one of those configured.
    #[error("its issuer is not trusted here")]
    Issuer,
    /// It was issued for another audience.
    #[error("its audience does not include this API")]
    Audience,
    /// Its subject is empty or longer than 255 characters.
    #[error("its subject must have 1 to 255 characters")]
    Subject,
    /// It has expired.
    #[error("it has expired")]
    Expired,
    /// Its `nbf` or `iat` is in the future.
    #[error("it is not valid yet")]
    NotYetValid,
    /// It requires a proof of possession (RFC 7800), which this service does not check.
    #[error("it is bound to a key of its client, which this API cannot check")]
    SenderConstrained,
    /// Its issuer has no key that fits.
    #[error("its issuer has no such key")]
    UnknownKey,
    /// The signature does not match the key.
    #[error("its signature is wrong")]
    Signature,
}

/// The accepted algorithms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    Rs256,
    /// ECDSA on P-256 with SHA-256.
    Es256,
}

/// The header parameters that matter. Parameters that carry keys (`jku`, `jwk`, `x5u`, `x5c`) are
/// not read at all; a repeated parameter is an error.
#[derive(Deserialize)]
struct Header {
    alg: String,
    typ: Option<String>,
    kid: Option<String>,
    #[serde(default, deserialize_with = "present")]
    crit: bool,
}

/// Parses a JSON object. (Serde would also accept an array of the members' values in order.)
pub(crate) fn object<T: DeserializeOwned>(json: &[u8]) -> Result<T, TokenError> {
    let begins = json.iter().find(|byte| !byte.is_ascii_whitespace());
    if begins != Some(&b'{') {
        return Err(TokenError::Malformed);
    }
    serde_json::from_slice(json).map_err(|_| TokenError::Malformed)
}

/// Whether a member exists, with any value.
pub(crate) fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    IgnoredAny::deserialize(deserializer).map(|_| true)
}

/// A parsed token; untrusted until [`Jws::verify`].
#[derive(Clone, Debug)]
pub struct Jws<'a> {
    signing_input: &'a str,
    signature: &'a str,
    algorithm: Algorithm,
    kid: Option<String>,
    typ: Option<String>,
    payload: Vec<u8>,
}

impl<'a> Jws<'a> {
    /// Parses a token.
    ///
    /// # Errors
    ///
    /// [`TokenError::TooLong`], [`TokenError::Malformed`], [`TokenError::Critical`] and
    /// [`TokenError::Algorithm`].
    pub fn parse(text: &'a str) -> Result<Self, TokenError> {
        if text.len() > TOKEN_MAX {
            return Err(TokenError::TooLong);
        }
        let (signing_input, signature) = text.rsplit_once('.').ok_or(TokenError::Malformed)?;
        let (header, payload) = signing_input.split_once('.').ok_or(TokenError::Malformed)?;
        // No padding, no other alphabet, no stray bits: one token has one spelling. The alphabet
        // has no dot, so a third one is an error.
        let decoded = |part| URL_SAFE_NO_PAD.decode(part).map_err(|_| TokenError::Malformed);
        let header: Header = object(&decoded(header)?)?;
        if header.crit {
            return Err(TokenError::Critical);
        }
        let algorithm = match header.alg.as_str() {
            "RS256" => Algorithm::Rs256,
            "ES256" => Algorithm::Es256,
            _ => return Err(TokenError::Algorithm),
        };
        Ok(Self {
            signing_input,
            signature,
            algorithm,
            kid: header.kid,
            typ: header.typ,
            payload: decoded(payload)?,
        })
    }

    /// The media type in `typ`, without `application/`.
    pub fn media_type(&self) -> Option<String> {
        let typ = self.typ.as_ref()?.to_ascii_lowercase();
        Some(typ.strip_prefix("application/").map(ToOwned::to_owned).unwrap_or(typ))
    }

    /// The `kid` of the header.
    pub fn kid(&self) -> Option<&str> {
        self.kid.as_deref()
    }

    /// The `alg` of the header.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The claims, as JSON.
    pub fn payload(&self) -> &[u8] {
        &self.payload
    }

    /// Verifies the signature with the one key of the set that fits.
    ///
    /// # Errors
    ///
    /// [`TokenError::UnknownKey`] and [`TokenError::Signature`].
    pub fn verify(&self, keys: &JwkSet) -> Result<(), TokenError> {
        let key = keys.find(self.kid(), self.algorithm).ok_or(TokenError::UnknownKey)?;
        if key.signed(self.signing_input, self.signature) {
            Ok(())
        } else {
            Err(TokenError::Signature)
        }
    }
}
