//! The operator's tool, as a program. One program, since linking costs more than running.

#![allow(clippy::unwrap_used, missing_docs, reason = "a test fails by panicking")]

mod accounts;
mod admin;
mod library;
mod operations;
mod queues;
mod table;
mod webhooks;
