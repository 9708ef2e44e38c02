//! Language-model engines against strict stubs of the providers' wire protocols.
#![allow(clippy::unwrap_used, missing_docs)]

mod answers;
mod bounds;
mod caching;
mod config;
mod connecting;
mod corrections;
mod dialect;
mod errors;
mod evidence;
mod fallback;
mod injections;
mod integrity;
mod large;
mod moderating;
mod pictures;
mod recorded;
mod requests;
mod results;
mod secrecy;
mod servers;
mod strictness;
mod stub;
mod time;
mod usage;
mod world;
