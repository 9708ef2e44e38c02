//! The operator's tool, as a program. One program, since linking costs more than running.

mod accounts;
mod admin;
mod library;
mod operations;
mod queues;
mod table;
mod webhooks;
