//! What is accepted as an access token, and above all what is not.

mod accepted;
mod attacks;
mod discovery;
mod frozen;
mod keyring;
mod support;
mod vectors;
