//! The development server, as a program. One program, since linking costs more than running.

#![allow(clippy::unwrap_used, missing_docs, reason = "a test fails by panicking")]

mod collection;
mod command_line;
mod connections;
mod docs;
mod gateway;
mod hosted;
mod issuer;
mod kill;
mod listen;
mod server;
mod webhook_kill;
mod workbench;
