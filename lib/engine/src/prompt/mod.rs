//! A prompt as its author wrote it: what it stands in, and what of it is material to work on.

pub mod container;
pub mod mask;
mod span;

pub use container::Container;
pub use mask::Mask;
pub use span::Span;
