//! The three services as one thing to start and stop.

use std::{fmt, path::PathBuf, sync::Arc, time::Duration};

use domain::Clock;

use crate::{
    dynamodb::DynamoDb,
    error::{ImportError, StartError, SweepError},
    folder::Folder,
    s3::S3Service,
    sqs::Sqs,
};

/// How to run the services.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder that holds all data, created if missing and locked while in use. Without one,
    /// data is gone when the services end.
    pub data_dir: Option<PathBuf>,
    /// The time that queues, object ages and (without a data folder) DynamoDB's time to live go by.
    pub clock: Arc<dyn Clock>,
    /// What S3 requests have to be signed with, and the region in which everything lies.
    pub credentials: Credentials,
    /// Where to listen.
    pub ports: Ports,
}

impl Options {
    /// Nothing kept, any free ports, the default credentials.
    pub fn ephemeral(clock: Arc<dyn Clock>) -> Self {
        Self { data_dir: None, clock, credentials: Credentials::default(), ports: Ports::default() }
    }
}

/// The one AWS identity that S3 knows. DynamoDB and SQS accept any.
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

/// Ports on 127.0.0.1; 0, the default, takes any free one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ports {
    /// The port of DynamoDB.
    pub dynamodb: u16,
    /// The port of S3.
    pub s3: u16,
    /// The port of SQS.
    pub sqs: u16,
}

/// The running services. Dropping it ends them too, but blocks the calling thread meanwhile;
/// prefer [`Embedded::shutdown`].
pub struct Embedded {
    dynamodb: DynamoDb,
    s3: S3Service,
    sqs: Sqs,
    /// Last, so that the folder is released only after everything that writes to it has ended.
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
        let Options { data_dir, clock, credentials, ports } = options;
        let folder = Folder::open(data_dir)?;
        let sqs = Sqs::start(&folder, clock.clone(), &credentials.region, ports.sqs)?;
        let s3 = S3Service::start(&folder, clock.clone(), &credentials, sqs.queues(), ports.s3)?;
        let dynamodb = DynamoDb::start(&folder, clock, ports.dynamodb)?;
        Ok(Self { dynamodb, s3, sqs, _folder: folder })
    }

    /// Where DynamoDB answers, e.g. `http://127.0.0.1:8000`.
    pub fn dynamodb_url(&self) -> &str {
        self.dynamodb.service.url()
    }

    /// Where S3 answers; clients have to use path-style addressing.
    pub fn s3_url(&self) -> &str {
        self.s3.service.url()
    }

    /// Where SQS answers. Queue URLs are `{sqs_url}/000000000000/{name}`; any host and port in
    /// front of the name is accepted, so that a kept URL outlives a change of port.
    pub fn sqs_url(&self) -> &str {
        self.sqs.service.url()
    }

    /// Removes the DynamoDB items whose time to live has passed and returns how many. Blocking.
    /// This also happens by itself every few seconds.
    ///
    /// With a data folder, time to live goes by the system's clock, not by [`Options::clock`].
    ///
    /// # Errors
    /// [`SweepError`] when the database fails.
    pub fn sweep_expired(&self) -> Result<usize, SweepError> {
        self.dynamodb.sweep_expired()
    }

    /// Puts items, each as DynamoDB's JSON has it, into a table, all of them or none, in a fraction of the
    /// time that as many requests would take. Blocking.
    ///
    /// # Errors
    /// [`ImportError`] for what is no item, and when the database fails.
    pub fn import(&self, table: &str, items: Vec<serde_json::Value>) -> Result<(), ImportError> {
        self.dynamodb.import(table, items)
    }

    /// From now on sends an S3 event message (`ObjectCreated:Put` or `ObjectCreated:Copy`) to the
    /// queue for every object created in `bucket` under `prefix` (empty: all), at least once.
    ///
    /// The subscription lasts as long as this process; messages not yet delivered outlive it, and
    /// those to a queue that does not exist wait until it does.
    pub fn notify(&self, bucket: &str, prefix: &str, queue_name: &str) {
        self.s3.storage.rules().notify(bucket, prefix, queue_name);
    }

    /// From now on objects in `bucket` under `prefix` (empty: all) vanish once they are `after`
    /// old by [`Options::clock`]. The rule lasts as long as this process.
    pub fn expire(&self, bucket: &str, prefix: &str, after: Duration) {
        self.s3.storage.rules().expire(bucket, prefix, after);
    }

    /// Ends the services and releases the data folder, within a second: requests under way have
    /// half of that to finish.
    pub async fn shutdown(self) {
        // Only a panic of a service's thread could fail here, and that has been reported.
        let _ = tokio::task::spawn_blocking(|| drop(self)).await;
    }
}

impl Drop for Embedded {
    fn drop(&mut self) {
        // All are asked first, so that they end at the same time.
        self.dynamodb.service.stop();
        self.s3.service.stop();
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
