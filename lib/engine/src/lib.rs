//! The workflow engine: a brief goes in, a finished result comes out.
//!
//! Nothing here reads the network, a clock or storage, so the same brief always gives the same result.
//! [`Engine`] is the seam between workflows and the thing that does them; [`Rules`] is the offline
//! implementation, which works from data files and never claims to be a language model.

mod brief;
mod catalogue;
mod engine;
mod language;
mod messages;
mod result;
mod rules;
pub mod tokens;
pub mod variables;

pub use brief::{GenerateBrief, Mode, OutputMode, PreviousVersion, Role, Turn};
pub use catalogue::{Model, ModelKind, TargetModel, UnknownModel, catalogue};
pub use engine::{Engine, EngineError, EngineIdentity, EngineKind};
pub use result::{Generation, Section, Technique, TokenEstimate, TokenMethod, Variable};
pub use rules::Rules;
