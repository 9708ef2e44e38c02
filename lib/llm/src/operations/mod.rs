//! One file for each operation: the request to the model, the schema of its answer, and the result.

mod analyze;
mod generate;
mod moderate;
mod optimize;
mod parts;
mod refine;
mod reverse;
mod structure;
mod vision;

pub(crate) use analyze::analyze;
pub(crate) use generate::generate;
pub(crate) use moderate::{FIELDS, Field, moderate};
pub(crate) use optimize::{analyze_and_optimize, optimize};
pub(crate) use refine::refine;
pub(crate) use reverse::reverse;
