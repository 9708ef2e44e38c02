//! What the rules promise. One program, since linking costs more than running.

#![allow(clippy::unwrap_used, missing_docs, reason = "a test fails by panicking")]

mod analysis;
mod analyzing;
mod analyzing_long;
mod analyzing_quality;
mod analyzing_rules;
mod analyzing_truth;
mod attached;
mod changing;
mod changing_wishes;
mod clips;
mod common;
mod continuing;
mod degenerate;
mod framing;
mod goal_forms;
mod goals;
mod growing;
mod heavy;
mod official_library;
mod optimizing;
mod optimizing_content;
mod optimizing_honesty;
mod optimizing_integrity;
mod optimizing_mends;
mod optimizing_parts;
mod pictures;
mod picturing;
mod refining;
mod refining_asks;
mod refining_kept;
mod refining_pictures;
mod refining_wishes;
mod reversing;
mod reversing_code;
mod reversing_prompts;
mod reversing_wording;
mod snapshots;
mod targets;
mod tasks;
mod visual_settings;
mod visual_shots;
mod wording;
mod words;
