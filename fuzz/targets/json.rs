//! Finds inputs that break what `properties/json.rs` says.
#![no_main]

#[path = "../properties/json.rs"]
mod property;

libfuzzer_sys::fuzz_target!(|input: &[u8]| property::hold(input));
