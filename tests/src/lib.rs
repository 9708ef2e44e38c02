//! The service as a user sees it, with time, storage and engine in the hands of a test.
//!
//! A [`World`] is one running service of its own, over embedded storage that is gone when it is
//! dropped. Its clock moves only when a test moves it, its queue is worked on only when a test says
//! so, and every call that it makes to storage passes [`fault_injection`], which counts and disturbs it.

pub mod account;
mod bulk;
pub mod calls;
pub mod clock;
pub mod documented;
pub mod fault_injection;
pub mod files;
pub mod host;
pub mod issuer;
pub mod kinds;
pub mod mcp;
pub mod operations;
pub mod pages;
pub mod receiver;
pub mod resolver;
pub mod scripted_engine;
pub mod scripted_judge;
pub mod scripted_model;
mod signing;
pub mod statuses;
pub mod uploads;
pub mod world;

pub use account::{Account, Answer};
pub use world::World;
