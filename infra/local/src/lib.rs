//! The whole service in one process, for development and tests.
//!
//! The same routers and the same processor that run on AWS, over embedded DynamoDB, S3 and SQS.

pub mod application;
pub mod document;
pub mod environment;
pub mod files;
pub mod identity;
pub mod in_process;
pub mod issuer;
pub mod official;
pub mod pages;
pub mod poller;
pub mod remote_function;
pub mod resources;
pub mod server;
pub mod service_endpoints;
