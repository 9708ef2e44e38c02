//! Unguessable, unique identifiers.

use std::fmt::Write;

/// 128 random bits as 32 hex digits.
///
/// # Panics
/// If the operating system has no random source.
pub(crate) fn token() -> String {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).expect("the operating system provides randomness");
    hex(&bytes)
}

/// A random identifier in the form of a UUID (RFC 9562, version 4).
pub(crate) fn uuid() -> String {
    let token = token();
    format!(
        "{}-{}-4{}-a{}-{}",
        &token[..8],
        &token[8..12],
        &token[13..16],
        &token[17..20],
        &token[20..]
    )
}

/// `bytes` in lower-case hex.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
