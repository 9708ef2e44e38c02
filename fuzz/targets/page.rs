//! Finds inputs that break what `properties/page.rs` says.
#![no_main]

#[path = "../properties/page.rs"]
mod property;

libfuzzer_sys::fuzz_target!(|input: &[u8]| property::hold(input));
