//! What all engines share: the trait, briefs, results, the catalogue of target models, and what checks a result.
//!
//! A brief goes in, and a finished result comes out. [`Engine`] is the seam between workflows and the thing that does
//! them.

mod brief;
mod catalogue;
pub mod changes;
pub mod constraints;
mod engine;
mod fallback;
pub mod integrity;
mod meter;
pub mod page;
pub mod prompt;
mod result;
pub mod tokens;
pub mod violation;

pub use brief::*;
pub use catalogue::{Model, ModelKind, TargetModel, catalogue, number_of};
pub use engine::{Answer, Engine, EngineError, EngineIdentity, EngineKind};
pub use fallback::Fallback;
pub use meter::Meter;
pub use result::*;
pub use violation::Violation;
