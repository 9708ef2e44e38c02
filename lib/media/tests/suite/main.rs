//! Which files pass as an image or a video. One program, since linking costs more than running.

#![allow(clippy::unwrap_used, missing_docs, reason = "a test fails by panicking")]

mod bounds;
mod corpus;
mod damaged_jpegs;
mod damaged_pictures;
mod damaged_videos;
mod damaged_webps;
mod disguised;
mod fuzzed;
mod hidden;
mod mutations;
mod scans;
mod support;
