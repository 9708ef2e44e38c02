//! Engines that ask a language model.
//!
//! [`Llm`] does every workflow with one [`provider::Provider`]. What a model is told lies in `prompts/`, one file an
//! operation after a common beginning, `data.md`, and where prompts are written, `writing.md`; the user's material is never part of it, but stands in
//! blocks of the user's message that no text can forge (see the module `data`). What a model answers is
//! checked in full before it is believed.
//!
//! [`EngineConfig`] reads which engines a deployment has, and [`connect()`] makes them. [`moderator()`] makes
//! what judges items of the public library with the same providers.

mod answer_schema;
mod aws;
mod check;
mod config;
mod connect;
mod data;
mod http;
mod llm;
pub mod moderation;
mod operations;
mod pictures;
pub mod provider;
mod providers;
mod retry;
mod secret;
mod violation;

pub use self::moderation::{moderator, moderator_on};
pub use config::{BedrockModel, ConfigError, EngineConfig, EngineName, Http, KeySource};
pub use connect::{ConnectError, connect, connect_on};
pub use llm::{Limits, Llm};
pub use providers::{Anthropic, Bedrock, Moderations, OpenAi};
pub use secret::Secret;
