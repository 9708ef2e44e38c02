mod bodies;
pub mod delete;
mod list;
mod read;
mod rename;
