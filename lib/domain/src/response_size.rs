//! How large an answer may be.
//!
//! An answer leaves the function that made it as a string within JSON, so what JSON has escaped in it is
//! escaped once more on the way.

/// Bytes that a function may hand over at a time, everything included.
const LAMBDA_RESPONSE_MAX: u64 = 6_291_456;
/// Bytes of these for what goes with an answer: its headers and its envelope.
const HEADROOM: u64 = 91_456;

/// Bytes of an answer at most, as they travel: see [`escaped_len`].
pub const RESPONSE_MAX: u64 = LAMBDA_RESPONSE_MAX - HEADROOM;

/// Bytes that JSON takes on its way: each quote and each backslash in it is escaped.
pub fn escaped_len(json: &[u8]) -> u64 {
    let escaped = json.iter().filter(|byte| matches!(byte, b'"' | b'\\')).count();
    json.len() as u64 + escaped as u64
}
