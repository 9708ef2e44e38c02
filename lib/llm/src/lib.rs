//! Engines that ask a language model.
//!
//! [`Llm`] runs every workflow with one [`provider::Provider`]. The system prompts are in
//! `prompts/`: each is `data.md`, shared parts such as `writing.md`, and the operation's own file, and ends with what is
//! known of the target model. Nothing of one request stands in it, so that providers can cache it.
//! The user's material is never part of them, but is sent in blocks of the user's message that no
//! text can forge (see the module `data`). A model's answer is checked in full before it is used.
//!
//! [`EngineConfig`] reads which engines a deployment has, and [`connect()`] creates them.
//! [`moderator()`] creates the judge of items of the public library, with the same providers.

mod answer_schema;
mod check;
mod config;
mod connect;
mod connect_error;
mod data;
mod effort;
mod evidence;
mod http;
mod llm;
mod model;
pub mod moderation;
mod operations;
mod pictures;
pub mod provider;
mod provider_keys;
mod providers;
mod retry;
mod secret;

pub use self::moderation::moderator;
pub use config::{
    BedrockModel, ConfigError, EngineConfig, EngineName, Http, KeySource, WithoutVerdict,
    read_identity, read_prices,
};
pub use connect::connect;
pub use connect_error::ConnectError;
pub use effort::Effort;
pub use llm::Llm;
pub use model::Model;
pub use provider_keys::ProviderKeys;
pub use providers::{Anthropic, Bedrock, Moderations, OpenAi};
pub use retry::Limits;
pub use secret::Secret;
