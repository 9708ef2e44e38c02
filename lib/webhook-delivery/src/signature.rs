//! Signatures of Standard Webhooks 1.0 (<https://www.standardwebhooks.com>): HMAC-SHA256 over
//! identifier, timestamp and body.

use base64::{Engine, prelude::BASE64_STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Header with the identifier of the delivery.
pub const ID: &str = "webhook-id";
/// Header with the instant of the attempt, in seconds since the Unix epoch.
pub const TIMESTAMP: &str = "webhook-timestamp";
/// Header with signatures, separated by spaces, each with its version in front.
pub const SIGNATURE: &str = "webhook-signature";

/// Prefix of a signature with a shared secret.
const VERSION: &str = "v1,";

fn mac(secret: &[u8], id: &str, timestamp: i64, body: &[u8]) -> Hmac<Sha256> {
    #[allow(clippy::expect_used, reason = "HMAC takes keys of every length")]
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).expect("a key of any length");
    mac.update(format!("{id}.{timestamp}.").as_bytes());
    mac.update(body);
    mac
}

/// The value of [`SIGNATURE`] for a body.
pub fn sign(secret: &[u8], id: &str, timestamp: i64, body: &[u8]) -> String {
    let digest = mac(secret, id, timestamp, body).finalize().into_bytes();
    format!("{VERSION}{}", BASE64_STANDARD.encode(digest))
}

/// Whether one of the signatures in `header` is valid; compared in constant time. Does not check
/// the timestamp's age.
pub fn verify(secret: &[u8], id: &str, timestamp: i64, body: &[u8], header: &str) -> bool {
    let signatures = header.split(' ').filter_map(|signature| signature.strip_prefix(VERSION));
    signatures
        .filter_map(|signature| BASE64_STANDARD.decode(signature).ok())
        .any(|signature| mac(secret, id, timestamp, body).verify_slice(&signature).is_ok())
}
