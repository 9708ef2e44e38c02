//! Requests to URLs that users choose.
//!
//! A stranger who chooses a URL borrows the server's position in its network. So a URL is parsed
//! into a [`PublicUrl`], which can only name a public web server, and every request goes through a
//! [`GuardedClient`], which checks the addresses that a name resolves to at the moment of
//! connecting and connects to exactly those. [`Fetcher`] uses it to read pages within limits.

pub mod address;
mod client;
mod error;
mod fetch;
mod pooled;
mod ports;
mod resolver;
mod url;

pub use client::{GuardedClient, SetupError, Transport, read_at_most};
pub use error::{FetchError, Unreachable};
pub use fetch::{FetchLimits, Fetcher, Page};
pub use ports::Ports;
pub use resolver::{Resolve, SystemResolver};
pub use url::{Loopback, PublicUrl, Schemes, UnsafeUrl};
