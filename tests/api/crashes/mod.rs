//! What is left when a process dies at any of its calls, or storage misbehaves.

mod bodies;
mod crash_points;
mod storage;
mod takeover;
