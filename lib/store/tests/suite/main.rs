//! Lists, their offset index, and calls to slow services. One program, since linking costs more than running.

#![allow(clippy::unwrap_used, missing_docs, reason = "a test fails by panicking")]

mod lists;
mod offset_index;
mod overload;
