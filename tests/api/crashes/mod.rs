//! What is left when a process dies at any of its calls, or storage misbehaves.

mod crash_points;
mod storage;
mod takeover;
