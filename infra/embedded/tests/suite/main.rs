//! The embedded services, through the AWS SDK. One program, since linking costs more than running.

#![allow(clippy::unwrap_used, missing_docs, reason = "a test fails by panicking")]

mod dynamodb;
mod lifetime;
mod presigned;
mod s3_objects;
mod s3_uploads;
mod signatures;
mod sqs_messages;
mod sqs_queues;
mod support;
mod web_pages;
