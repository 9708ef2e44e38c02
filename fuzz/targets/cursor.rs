//! Finds inputs that break what `properties/cursor.rs` says.
#![no_main]

#[path = "../properties/cursor.rs"]
mod property;

libfuzzer_sys::fuzz_target!(|input: &[u8]| property::hold(input));
