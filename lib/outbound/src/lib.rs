//! Requests to addresses that users name.
//!
//! Whoever lets a stranger choose an address lends them the position of the server in its network. So an
//! address is parsed into a [`PublicUrl`], which cannot name anything but a public web server, and every
//! request goes through a [`GuardedClient`], which connects only to addresses that it has itself checked:
//! what a name resolves to is judged at the moment of connecting, and exactly that is connected to.
//! [`Fetcher`] reads pages through it within limits.

pub mod address;
mod client;
mod error;
mod fetch;
mod resolver;
mod url;

pub use client::{GuardedClient, SetupError, read_at_most};
pub use error::{FetchError, Unreachable};
pub use fetch::{FetchLimits, Fetcher, Page};
pub use resolver::{Resolve, SystemResolver};
pub use url::{Loopback, PublicUrl, Schemes, UnsafeUrl};
