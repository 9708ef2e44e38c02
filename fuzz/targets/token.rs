//! Finds inputs that break what `properties/token.rs` says.
#![no_main]

#[path = "../properties/token.rs"]
mod property;

libfuzzer_sys::fuzz_target!(|input: &[u8]| property::hold(input));
