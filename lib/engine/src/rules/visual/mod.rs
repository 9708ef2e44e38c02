//! Prompts for pictures and clips: a description is read, then laid out as its model reads prompts.
//!
//! Models, kinds of subjects, wording and remarks are data, in `knowledge/visual/`.

pub mod asks;
mod camera;
mod compose;
mod description;
mod dialect;
mod edit;
pub mod exclude;
mod kinds;
mod language;
mod notes;
pub mod parameters;
mod phrase;
pub mod ratio;
mod settings;
mod shots;
mod wording;

pub use compose::compose;
