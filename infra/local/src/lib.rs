//! The whole service in one process, for development and tests.
//!
//! The same routers and the same processor that run on AWS, over embedded DynamoDB, S3 and SQS.

pub mod assembly;
pub mod identity;
pub mod poller;
pub mod resources;
