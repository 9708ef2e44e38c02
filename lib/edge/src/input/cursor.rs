//! Cursors: opaque, signed, and bound to the account and filters that they were made for.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use domain::AccountId;
use subtle::ConstantTimeEq;

use super::invalid;
use crate::{ApiError, Secrets, secrets::Keys};

/// Bytes of a cursor's signature.
const SIGNATURE: usize = 16;

/// The list that a cursor belongs to: it is invalid for any other.
#[derive(Clone, Copy, Debug)]
pub struct Binding<'a> {
    /// Owner of the list.
    pub account: AccountId,
    /// Name of the list, with its filters.
    pub list: &'a str,
}

fn sign(keys: &Keys, binding: Binding<'_>, position: &[u8]) -> [u8; 32] {
    let account = binding.account.bits().to_be_bytes();
    keys.sign_cursor(&[&account, binding.list.as_bytes(), position])
}

/// Makes a cursor that holds `position`.
pub fn encode(secrets: &Secrets, binding: Binding<'_>, position: &[u8]) -> String {
    let mut bytes = sign(secrets.current(), binding, position)[..SIGNATURE].to_vec();
    bytes.extend_from_slice(position);
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

/// The error for a cursor that is none of the list that the request asks for.
pub fn foreign() -> ApiError {
    invalid(
        "query.cursor",
        "must be the nextCursor of an answer to the same list with the same filters",
    )
}

/// The position in a cursor made by [`encode`] with the same binding.
///
/// # Errors
///
/// [`foreign`]
pub fn decode(secrets: &Secrets, binding: Binding<'_>, cursor: &str) -> Result<Vec<u8>, ApiError> {
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(cursor).map_err(|_| foreign())?;
    let (signature, position) = bytes.split_at_checked(SIGNATURE).ok_or_else(foreign)?;
    let is_signed_with =
        |keys: &Keys| bool::from(sign(keys, binding, position)[..SIGNATURE].ct_eq(signature));
    if secrets.accepted().any(is_signed_with) { Ok(position.to_vec()) } else { Err(foreign()) }
}
