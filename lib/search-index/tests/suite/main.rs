//! Searches, compared with an oracle. One program, since linking costs more than running.

#![allow(clippy::unwrap_used, missing_docs, reason = "a test fails by panicking")]

mod bytes;
mod oracle;
mod random;
mod text;
