//! Finds inputs that break what `properties/body.rs` says.
#![no_main]

#[path = "../properties/body.rs"]
mod property;

libfuzzer_sys::fuzz_target!(|input: &[u8]| property::hold(input));
