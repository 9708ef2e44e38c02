//! What is accepted as an access token, and above all what is not.

mod accepted;
mod attacks;
mod discovery;
mod frozen;
mod fuzzed;
mod jwks_cache;
mod support;
mod vectors;
