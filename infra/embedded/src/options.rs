//! How the services are started.

use std::{path::PathBuf, sync::Arc};

use domain::Clock;

/// Configuration of the services.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder for all data, created if missing and locked while in use. `None` loses the data
    /// when the services end.
    pub data_dir: Option<PathBuf>,
    /// Clock of queues, object ages and (without a data folder) DynamoDB's time to live.
    pub clock: Arc<dyn Clock>,
    /// Credentials that S3 requests must be signed with, and the region of all services.
    pub credentials: Credentials,
    /// Ports to listen on.
    pub ports: Ports,
}

impl Options {
    /// No data folder, any free ports, the default credentials.
    pub fn ephemeral(clock: Arc<dyn Clock>) -> Self {
        Self { data_dir: None, clock, credentials: Credentials::default(), ports: Ports::default() }
    }
}

/// The one AWS identity that S3 accepts. DynamoDB and SQS accept any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credentials {
    /// The access key id.
    pub access_key: String,
    /// The secret access key.
    pub secret_key: String,
    /// The region, e.g. `us-east-1`.
    pub region: String,
}

impl Default for Credentials {
    fn default() -> Self {
        Self {
            access_key: "embedded".into(),
            secret_key: "embedded-secret".into(),
            region: "us-east-1".into(),
        }
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
