//! What prompts demand, what answers make of it, and how tests are written for other runners.

#![allow(clippy::unwrap_used, missing_docs, reason = "a test fails by panicking")]

mod builders;
mod common;
mod exports;
mod kinds;
mod readings;
mod robust;
mod schemas;
mod structures;
mod verdicts;
mod work;
