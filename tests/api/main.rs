//! The API as its users see it, laid out like `functions/`, then what all operations share.

mod architecture;
mod authority;
mod crashes;
mod edge;
mod history;
mod lambda;
mod operations;
mod prompts;
mod round_trips;
mod system;
mod uploads;
