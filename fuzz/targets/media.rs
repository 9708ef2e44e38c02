//! Finds inputs that break what `properties/media.rs` says.
#![no_main]

#[path = "../properties/media.rs"]
mod property;

libfuzzer_sys::fuzz_target!(|input: &[u8]| property::hold(input));
