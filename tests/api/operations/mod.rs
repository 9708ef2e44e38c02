mod cancel;
mod list;
mod read;
