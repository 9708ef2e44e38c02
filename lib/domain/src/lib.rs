//! Types and rules of the Prompt Workflow Service, without I/O.
//!
//! Nothing here knows HTTP, AWS or an async runtime. It decides what a plan allows, how an
//! operation changes its status and what an identifier looks like.

pub mod clock;
pub mod history;
pub mod id;
pub mod library;
pub mod minhash;
pub mod model_usage;
pub mod operation;
pub mod plan;
pub mod preset;
pub mod prices;
pub mod random;
pub mod response_size;
pub mod scope;
pub mod upload;
pub mod webhook;

pub use clock::{Clock, Timestamp};
pub use history::{HistoryId, HistoryType};
pub use id::{
    AccountId, ChangeId, DeliveryId, EndpointId, EventId, GenerationId, InvalidId, KeyId,
    LibraryId, OperationId, OptimizationId, PresetId, RefinementId, RequestId, UploadId, VersionId,
};
pub use model_usage::{ModelUsage, TokenUsage};
pub use operation::{Failure, Kind, Loss, Operation, Problem, Status};
pub use plan::Plan;
pub use preset::Preset;
pub use random::Random;
pub use scope::{Scope, Scopes};
pub use upload::{Upload, UploadScope, UploadStatus};
pub use webhook::{Endpoint, EventKind, EventKinds};
