//! How large a response may be.
//!
//! A function returns a response to Lambda as a string in JSON, so the quotes and backslashes of
//! its own JSON are escaped once more.

/// Bytes of a Lambda response payload, everything included.
const LAMBDA_RESPONSE_MAX: u64 = 6_291_456;
/// Bytes of these that are reserved for headers and envelope.
const HEADROOM: u64 = 91_456;

/// Bytes of a response at most, escaped: see [`escaped_len`].
pub const RESPONSE_MAX: u64 = LAMBDA_RESPONSE_MAX - HEADROOM;

/// Bytes that JSON has in a Lambda response: each quote and each backslash is escaped.
pub fn escaped_len(json: &[u8]) -> u64 {
    let escaped = json.iter().filter(|byte| matches!(byte, b'"' | b'\\')).count();
    json.len() as u64 + escaped as u64
}
