//! Errors of starting, importing and sweeping.

use std::{io, path::PathBuf};

/// Why [`Embedded::start`](crate::Embedded::start) failed; each message is one sentence for the
/// terminal.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// Another program listens on the port.
    #[error("Port {port} for {service} is already in use.")]
    PortInUse {
        /// "DynamoDB", "S3" or "SQS".
        service: &'static str,
        /// The port.
        port: u16,
    },
    /// The loopback listener could not be opened for another reason.
    #[error("{service} cannot listen on port {port} of 127.0.0.1: {reason}.")]
    Listen {
        /// "DynamoDB", "S3" or "SQS".
        service: &'static str,
        /// The port; 0 means any.
        port: u16,
        /// Error of the operating system.
        reason: io::Error,
    },
    /// Another process serves this data folder.
    #[error("The data folder {} is in use by another process.", path.display())]
    DataDirInUse {
        /// The data folder.
        path: PathBuf,
    },
    /// The data folder cannot be created, read or written.
    #[error("The data folder {} cannot be used: {reason}.", path.display())]
    DataDir {
        /// The folder, or the file in it that failed.
        path: PathBuf,
        /// Error of the operating system.
        reason: io::Error,
    },
    /// A database in the data folder cannot be opened.
    #[error("The data of {service} cannot be opened: {reason}.")]
    Storage {
        /// "DynamoDB", "S3" or "SQS".
        service: &'static str,
        /// Error of the storage engine.
        reason: String,
    },
    /// The operating system refused a thread or an event loop.
    #[error("{service} cannot start its thread: {reason}.")]
    Thread {
        /// "DynamoDB", "S3" or "SQS".
        service: &'static str,
        /// Error of the operating system.
        reason: io::Error,
    },
}

/// Why items could not be imported: an invalid item, or the storage engine's message.
#[derive(Debug, thiserror::Error)]
#[error("The items cannot be imported: {0}.")]
pub struct ImportError(pub(crate) String);

/// Why a sweep of expired items failed: the storage engine's message.
#[derive(Debug, thiserror::Error)]
#[error("Expired items cannot be removed: {0}.")]
pub struct SweepError(pub(crate) String);
