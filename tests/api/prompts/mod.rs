mod asynchronous;
mod generate;
mod history;
mod idempotency;
mod limits;
