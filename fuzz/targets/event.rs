//! Finds inputs that break what `properties/event.rs` says.
#![no_main]

#[path = "../properties/event.rs"]
mod property;

libfuzzer_sys::fuzz_target!(|input: &[u8]| property::hold(input));
