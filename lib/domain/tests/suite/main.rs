//! Presets and webhooks. One program, since linking costs more than running.

mod presets;
mod webhooks;
