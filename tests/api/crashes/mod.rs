//! What is left when a process dies at any of its calls, or storage misbehaves.

mod dying;
mod storage;
mod takeover;
