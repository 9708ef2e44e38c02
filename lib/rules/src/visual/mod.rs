//! Prompts for pictures and clips: what states a setting or excludes something goes where the model reads it, and all
//! other words stay as they were written.
//!
//! Families of models, parameters, phrases and remarks are data, in `knowledge/families.json` and
//! `knowledge/visual/`.

pub mod asks;
mod compose;
mod edit;
mod elements;
pub mod exclude;
pub mod family;
pub mod flags;
mod notes;
pub mod pasted;
mod phrase;
mod picture;
pub mod ratio;
mod read;
pub mod rewrite;
mod settings;
mod stated;

pub use compose::compose;
pub use settings::of as settings;
pub use stated::{aspects, states_otherwise};
