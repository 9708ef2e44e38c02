//! Presets, prices and webhooks. One program, since linking costs more than running.

#![allow(clippy::unwrap_used, missing_docs, reason = "a test fails by panicking")]

mod fuzzed;
mod presets;
mod prices;
mod webhooks;
