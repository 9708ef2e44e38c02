//! Finds inputs that break what `properties/picture.rs` says.
#![no_main]

#[path = "../properties/picture.rs"]
mod property;

libfuzzer_sys::fuzz_target!(|input: &[u8]| property::hold(input));
