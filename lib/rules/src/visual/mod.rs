//! Prompts for pictures and clips: a description is read, then laid out as its model reads prompts.
//!
//! Models, kinds of subjects, wording and remarks are data, in `knowledge/visual/`.

pub mod asks;
mod camera;
mod chosen;
mod compose;
mod description;
mod dialect;
mod edit;
pub mod exclude;
mod exclude_words;
mod kinds;
mod language;
mod notes;
mod parameters;
mod phrase;
pub mod ratio;
pub mod rewrite;
mod sequence;
mod settings;
mod shots;
mod wording;

pub use compose::compose;
