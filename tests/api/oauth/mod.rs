//! Access tokens as credentials of the whole API.

mod accounts;
mod config;
mod keys;
mod metadata;
mod refused;
