//! Analysis of images and clips. One program, since linking costs more than running.

#![allow(clippy::unwrap_used, missing_docs, reason = "a test fails by panicking")]

mod clips;
mod features;
mod files;
mod fitting;
mod fuzzed;
mod graphs;
mod hostile;
mod large;
mod recovering;
mod work;
