mod bodies;
pub mod delete;
mod directory;
mod list;
mod read;
mod rename;
