//! The whole service in one process, for development and tests.
//!
//! The same routers and the same processor that run on AWS, over embedded DynamoDB, S3 and SQS.

pub mod addresses;
pub mod assembly;
pub mod docs;
pub mod files;
pub mod identity;
pub mod invocation;
pub mod issuer;
pub mod official;
pub mod poller;
mod private;
pub mod resources;
pub mod variables;
