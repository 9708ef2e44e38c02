mod bodies;
pub mod delete;
mod list;
mod offset_index;
mod read;
mod rename;
