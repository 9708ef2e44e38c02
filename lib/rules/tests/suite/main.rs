//! What the rules promise. One program, since linking costs more than running.

#![allow(clippy::unwrap_used, missing_docs, reason = "a test fails by panicking")]

mod analysis;
mod analyzing;
mod analyzing_long;
mod analyzing_rules;
mod attached;
mod clips;
mod common;
mod continuing;
mod degenerate;
mod generating;
mod growing;
mod heavy;
mod official_library;
mod optimizing;
mod optimizing_integrity;
mod pictures;
mod picturing;
mod refining;
mod refining_forms;
mod refining_kept;
mod refining_outside;
mod refining_pictures;
mod reversing;
mod reversing_prompts;
mod reversing_wording;
mod snapshots;
mod targets;
mod tasks;
mod visual_settings;
mod wording;
mod words;
