//! Which addresses are called, and how. One program, since linking costs more than running.

mod addresses;
mod checking;
mod fetching;
mod posting;
mod support;
mod urls;
