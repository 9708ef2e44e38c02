//! Finds inputs that break what `properties/pattern.rs` says.
#![no_main]

#[path = "../properties/pattern.rs"]
mod property;

libfuzzer_sys::fuzz_target!(|input: &[u8]| property::hold(input));
