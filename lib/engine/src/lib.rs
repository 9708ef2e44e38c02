//! The workflow engine: a brief goes in, a finished result comes out.
//!
//! Nothing here reads the network, a clock or storage, so the same brief always gives the same result.
//! [`Engine`] is the seam between workflows and the thing that does them; [`Rules`] is the offline
//! implementation, which works from data files and never claims to be a language model.

mod brief;
mod catalogue;
pub mod changes;
mod code_points;
pub mod constraints;
mod engine;
mod fallback;
pub mod integrity;
mod language;
mod messages;
pub mod page;
mod result;
mod rules;
pub mod tokens;
pub mod variables;

pub use brief::{
    GenerateBrief, Image, Material, Mode, OutputMode, PreviousVersion, PromptBrief, RefineBrief,
    ReverseBrief, Role, Turn,
};
pub use catalogue::{Model, ModelKind, TargetModel, UnknownModel, catalogue, number_of};
pub use engine::{Answer, Engine, EngineError, EngineIdentity, EngineKind};
pub use fallback::Fallback;
pub use language::language_tag;
pub use result::*;
pub use rules::{Rules, task_of, title_of};
