//! What every engine shares: tokens, pages, changes, integrity, constraints.

#![allow(clippy::unwrap_used, missing_docs, reason = "a test fails by panicking")]

mod changes;
mod constraints;
mod fuzzed;
mod growing;
mod integrity;
mod integrity_nasty;
mod measure;
mod pages;
mod tokens;
mod tokens_texts;
