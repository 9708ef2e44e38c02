//! The three services, started and stopped together.

use std::fmt;

use axum::Router;

use crate::{
    credentials::Credentials,
    dynamodb::DynamoDb,
    error::{ImportError, StartError, SweepError},
    folder::Folder,
    options::Options,
    s3,
    service::Service,
    sqs::Sqs,
};

/// The running services. Dropping it stops them too, but blocks the calling thread; prefer
/// [`Embedded::shutdown`].
pub struct Embedded {
    dynamodb: DynamoDb,
    s3: Service,
    sqs: Sqs,
    credentials: Credentials,
    /// Last field: the folder is released only after everything that writes to it has ended.
    _folder: Folder,
}

impl Embedded {
    /// Opens the data and serves it; connections are accepted when this returns.
    ///
    /// # Errors
    /// [`StartError`], with nothing left running.
    pub async fn start(options: Options) -> Result<Self, StartError> {
        let task = tokio::task::spawn_blocking(|| Self::open(options)).await;
        task.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()))
    }

    fn open(options: Options) -> Result<Self, StartError> {
        let Options { data_dir, clock, ports, origins } = options;
        let folder = Folder::open(data_dir)?;
        let credentials = folder.credentials()?;
        let sqs = Sqs::start(&folder, clock.clone(), &credentials, ports.sqs)?;
        let storage = s3::Storage::open(&folder, clock.clone(), sqs.queues())?;
        let s3 = s3::start(storage, clock.clone(), &credentials, origins, ports.s3)?;
        let dynamodb = DynamoDb::start(&folder, clock, &credentials, ports.dynamodb)?;
        Ok(Self { dynamodb, s3, sqs, credentials, _folder: folder })
    }

    /// URL of DynamoDB, e.g. `http://127.0.0.1:8000`.
    pub fn dynamodb_url(&self) -> &str {
        self.dynamodb.service.url()
    }

    /// URL of S3; clients must use path-style addressing.
    pub fn s3_url(&self) -> &str {
        self.s3.url()
    }

    /// URL of SQS. Queue URLs are `{sqs_url}/000000000000/{name}`; any host and port is accepted,
    /// so that a stored URL survives a change of port.
    pub fn sqs_url(&self) -> &str {
        self.sqs.service.url()
    }

    /// What answers requests to each service, by its URL: for calls from this process, which need no connection. It
    /// still answers after the services were stopped, so callers end first.
    pub fn routers(&self) -> [(&str, Router); 3] {
        [&self.dynamodb.service, &self.s3, &self.sqs.service]
            .map(|service| (service.url(), service.router()))
    }

    /// What requests to the services are signed with.
    pub fn credentials(&self) -> &Credentials {
        &self.credentials
    }

    /// Removes the expired DynamoDB items and returns how many. Blocking. Also runs by itself every
    /// minute.
    ///
    /// With a data folder, time to live uses the system clock, not [`Options::clock`].
    ///
    /// # Errors
    /// [`SweepError`] when the database fails.
    pub fn sweep_expired(&self) -> Result<usize, SweepError> {
        self.dynamodb.sweep_expired()
    }

    /// Puts items, each in DynamoDB's JSON, into a table, all of them or none, in a fraction of the
    /// time of as many requests. Blocking.
    ///
    /// # Errors
    /// [`ImportError`] for an invalid item, and if the database fails.
    pub fn import(&self, table: &str, items: Vec<serde_json::Value>) -> Result<(), ImportError> {
        self.dynamodb.import(table, items)
    }

    /// Stops the services and releases the data folder, within a second: running requests have half
    /// of that to finish.
    pub async fn shutdown(self) {
        // This fails only if a service's thread panicked, which was already reported.
        let _ = tokio::task::spawn_blocking(|| drop(self)).await;
    }
}

impl Drop for Embedded {
    fn drop(&mut self) {
        // All are notified first, so that they end at the same time.
        self.dynamodb.service.stop();
        self.s3.stop();
        self.sqs.service.stop();
    }
}

impl fmt::Debug for Embedded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Embedded")
            .field("dynamodb_url", &self.dynamodb_url())
            .field("s3_url", &self.s3_url())
            .field("sqs_url", &self.sqs_url())
            .finish()
    }
}
