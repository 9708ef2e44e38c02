//! What is wrong with an answer.

pub(crate) use engine::violation::{Violation, summary};
