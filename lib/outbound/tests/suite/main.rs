//! Which addresses are called, and how. One program, since linking costs more than running.

#![allow(clippy::unwrap_used, missing_docs, reason = "a test fails by panicking")]

mod addresses;
mod checking;
mod fetching;
mod posting;
mod support;
mod urls;
