//! Reading a text: what of it must be kept letter by letter, its lists and its sentences, in any language.

pub mod code_points;
mod cover;
mod ends;
pub mod imperative;
pub mod language;
pub mod list;
pub mod literals;
mod sentences;
pub mod variables;
mod visible;

pub use cover::Cover;
pub use ends::{head, tail};
pub use literals::Literals;
pub use sentences::{sentences, sentences_in};
pub use visible::{is_unspaced, is_visible};
