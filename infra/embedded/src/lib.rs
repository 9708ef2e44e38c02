//! DynamoDB, S3 and SQS for a developer's machine: three loopback servers in one process.
//!
//! Code under test uses the real AWS SDKs with an endpoint URL. With a data folder, every
//! acknowledged call survives the death of the process (but not a power cut: commits reach the
//! operating system, not necessarily the disk). This crate is for development and tests, never for
//! production.
//!
//! - DynamoDB is the crate `dynoxide`.
//! - S3 is the protocol crate `s3s` over a folder of immutable files and an SQLite index.
//! - SQS is a small server of the AWS JSON 1.0 protocol over SQLite.
//!
//! All three verify signatures. The key is the data folder's, and new for each start without one.

mod credentials;
mod dynamodb;
mod embedded;
mod error;
mod folder;
mod in_process;
mod options;
pub mod private_file;
mod random;
mod s3;
mod service;
mod sigv4;
mod sqs;
pub mod web_pages;

pub use credentials::Credentials;
pub use embedded::Embedded;
pub use error::{ImportError, StartError, SweepError};
pub use folder::Folder;
pub use in_process::{InProcess, ServiceName};
pub use options::{Options, Ports};
