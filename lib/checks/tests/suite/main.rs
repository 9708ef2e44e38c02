//! What prompts demand, and what answers make of it.

#![allow(clippy::unwrap_used, missing_docs, reason = "a test fails by panicking")]

mod builders;
mod common;
mod kinds;
mod owners;
mod readings;
mod robust;
mod schemas;
mod structures;
mod verdicts;
mod work;
