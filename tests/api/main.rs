//! The API as its users see it, laid out like `functions/`, then what all operations share.

mod architecture;
mod authorization;
mod costs;
mod crashes;
mod edge;
mod events;
mod history;
mod lambda;
mod library;
mod library_search;
mod mcp;
mod oauth;
mod operations;
mod presets;
mod prompts;
mod round_trips;
mod system;
mod uploads;
mod webhooks;
