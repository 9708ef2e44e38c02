//! API keys: `pwk_<account>_<key id>_<secret>_<tag>`, each part in base 62 of fixed width.
//!
//! A key names its account, so that authentication is one call to that account item. The tag, a
//! truncated HMAC under a server key, is checked before any call: a made-up key costs nothing. Only
//! a fingerprint of the key is ever stored.

use domain::{AccountId, Clock, KeyId, Random, random};
use store::admission::PresentedKey;
use subtle::ConstantTimeEq;

use crate::{Secrets, secrets::Keys};

const PREFIX: &str = "pwk";
const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// Digits that hold 128 bits.
const WIDTH: usize = 22;
/// Digits that hold 64 bits.
const TAG_WIDTH: usize = 11;

/// A new key, shown to its owner once.
#[derive(Clone)]
pub struct IssuedKey {
    /// Its identifier.
    pub id: KeyId,
    /// The key itself.
    pub text: String,
    /// The stored fingerprint.
    pub fingerprint: [u8; 32],
}

fn base62(mut value: u128, width: usize) -> String {
    let mut digits = vec![b'0'; width];
    for digit in digits.iter_mut().rev() {
        *digit = DIGITS[(value % 62) as usize];
        value /= 62;
    }
    digits.into_iter().map(char::from).collect()
}

/// The value of exactly `width` digits; `None` above 128 bits, so that a value has one spelling.
fn value(text: &str, width: usize) -> Option<u128> {
    if text.len() != width {
        return None;
    }
    text.bytes().try_fold(0u128, |value, byte| {
        let digit = DIGITS.iter().position(|known| *known == byte)?;
        value.checked_mul(62)?.checked_add(digit as u128)
    })
}

fn tag(signed: &str, keys: &Keys) -> String {
    base62(u128::from(u64::from_be_bytes(keys.tag_key(signed))), TAG_WIDTH)
}

/// Makes a new key for an account, with 256 random bits in its secret.
pub fn mint(
    account: AccountId,
    secrets: &Secrets,
    clock: &dyn Clock,
    random: &dyn Random,
) -> IssuedKey {
    let id = KeyId::new(clock, random);
    let [high, low] = [random::bytes(random), random::bytes(random)].map(u128::from_be_bytes);
    let signed = format!(
        "{PREFIX}_{}_{}_{}{}",
        base62(account.bits(), WIDTH),
        base62(id.bits(), WIDTH),
        base62(high, WIDTH),
        base62(low, WIDTH),
    );
    let text = format!("{signed}_{}", tag(&signed, secrets.current()));
    IssuedKey { id, fingerprint: secrets.current().fingerprint_key(&text), text }
}

/// Whether a text has the form of a key.
pub(crate) fn has_prefix(text: &str) -> bool {
    text.split('_').next() == Some(PREFIX)
}

/// Parses a key; `None` if this server did not issue it. Its tag tells which secret it was made
/// with, and so which fingerprint is stored.
pub fn parse(text: &str, secrets: &Secrets) -> Option<PresentedKey> {
    let (signed, given) = text.rsplit_once('_')?;
    let is_made_with =
        |keys: &&Keys| bool::from(tag(signed, keys).as_bytes().ct_eq(given.as_bytes()));
    let keys = secrets.accepted().find(is_made_with)?;
    let mut parts = signed.split('_').skip(1);
    let account = AccountId::from_bits(value(parts.next()?, WIDTH)?);
    let id = KeyId::from_bits(value(parts.next()?, WIDTH)?);
    Some(PresentedKey { account, id, fingerprint: keys.fingerprint_key(text) })
}
