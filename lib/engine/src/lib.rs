//! The workflow engine: a brief goes in, a finished result comes out.
//!
//! Nothing here reads the network, a clock or storage, so the same brief always gives the same result.
//! [`Engine`] is the seam between workflows and the thing that does them; [`Rules`] is the offline
//! implementation, which works from data files and never claims to be a language model.

mod brief;
mod catalogue;
pub mod changes;
pub mod constraints;
mod engine;
mod fallback;
pub mod integrity;
pub mod page;
mod result;
pub mod tokens;

pub use brief::{
    GenerateBrief, Image, Material, Mode, OutputMode, PreviousVersion, PromptBrief, RefineBrief,
    ReverseBrief, Role, Turn,
};
pub use catalogue::{Model, ModelKind, TargetModel, UnknownModel, catalogue, number_of};
pub use engine::{Answer, Engine, EngineError, EngineIdentity, EngineKind};
pub use fallback::Fallback;
pub use result::*;
