//! How the services are started.

use std::{path::PathBuf, sync::Arc};

use domain::Clock;

/// Configuration of the services.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder for all data, created if missing and locked while in use. `None` loses the data
    /// when the services end.
    pub data_dir: Option<PathBuf>,
    /// Clock of signatures, queues, object ages and (without a data folder) DynamoDB's time to live.
    pub clock: Arc<dyn Clock>,
    /// Ports to listen on.
    pub ports: Ports,
    /// Origins of the API's pages, e.g. `http://127.0.0.1:9400`: they may read and write the buckets as far as they
    /// sign their requests.
    pub origins: Vec<String>,
}

impl Options {
    /// No data folder, any free ports, no pages.
    pub fn ephemeral(clock: Arc<dyn Clock>) -> Self {
        Self { data_dir: None, clock, ports: Ports::default(), origins: Vec::new() }
    }
}

/// Ports on 127.0.0.1; 0, the default, selects any free one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ports {
    /// The port of DynamoDB.
    pub dynamodb: u16,
    /// The port of S3.
    pub s3: u16,
    /// The port of SQS.
    pub sqs: u16,
}
