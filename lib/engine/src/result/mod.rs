//! What engines give back.

mod analysis;
mod constraint;
mod generation;
mod optimization;
mod parts;
mod refinement;
mod reversal;

pub use analysis::{
    Analysis, Difficulty, Finding, Metric, MetricName, Metrics, ModelFit, Rating, Severity,
};
pub(crate) use constraint::ParametersForm;
pub use constraint::{
    Constraint, ConstraintKind, ConstraintParameters, CountParameters, NoParameters, Relation,
    TextParameters, ValueParameters, WordsParameters,
};
pub use generation::{Generation, Section};
pub use optimization::{AnalyzedOptimization, Optimization, OptimizedVersion, VersionLabel};
pub use parts::{
    Change, ChangeOp, CodeBlockIntegrity, ComparedConstraint, ConstraintIntegrity, Integrity,
    ProtectedKind, Requested, Technique, TokenEstimate, TokenMethod, Variable, VariableIntegrity,
};
pub use refinement::{FeedbackItem, FeedbackStatus, Refinement};
pub use reversal::{
    Heading, KeyElement, Provenance, Recovery, Reversal, ReverseKind, Shot, Style, Swatch,
    TextStructure,
};
