//! Prompts for pictures and clips: what states a setting or excludes something goes where the model reads it, and all
//! other words stay as they were written.
//!
//! Families of models, parameters, phrases and remarks are data, in `knowledge/families.json` and
//! `knowledge/visual/`.

pub mod asks;
mod compose;
mod elements;
mod exclude;
pub mod family;
pub mod flags;
mod notes;
mod phrase;
pub mod picture;
pub mod ratio;
mod read;
mod settings;

pub use compose::compose;
pub use notes::{aspects, states_otherwise};
pub use settings::of as settings;
