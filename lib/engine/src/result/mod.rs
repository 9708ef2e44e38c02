//! What engines give back.

mod analysis;
mod constraint;
mod generation;
mod optimization;
mod parts;
mod refinement;
mod reversal;

pub use analysis::*;
pub use constraint::*;
pub use generation::*;
pub use optimization::*;
pub use parts::*;
pub use refinement::*;
pub use reversal::*;
