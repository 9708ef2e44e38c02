//! Finds inputs that break what `properties/template.rs` says.
#![no_main]

#[path = "../properties/template.rs"]
mod property;

libfuzzer_sys::fuzz_target!(|input: &[u8]| property::hold(input));
