//! All durable state. Only this crate uses the AWS data services.
//!
//! One table, one bucket and a few queues. [`keys`] has the layout of the table; each aggregate has
//! a folder. Nothing here knows HTTP: outcomes are types, not status codes.

pub mod accounts;
pub mod attempt_timeout;
pub mod body;
pub mod bucket;
pub mod connect;
pub mod dead_letters;
pub mod error;
pub mod history;
pub mod library;
pub mod list;
pub mod listings;
pub mod operations;
pub mod presets;
mod queue;
mod request_metadata;
pub mod response_time;
pub mod table;
pub mod uploads;
pub mod webhooks;

use std::{
    fmt,
    sync::{Arc, LazyLock},
};

use domain::{Clock, Random};

pub use accounts::admission;
pub use aws_sdk_dynamodb::Client as DynamoDb;
pub use aws_sdk_s3::Client as S3;
pub use aws_sdk_sqs::Client as Sqs;
pub use error::StoreError;
use response_time::ResponseTime;
pub(crate) use table::{item, retry, transaction, window};
pub use table::{keys, schema};

/// Names of the resources that the store works on.
#[derive(Clone, Debug)]
pub struct Names {
    /// DynamoDB table.
    pub table: String,
    /// S3 bucket.
    pub bucket: String,
    /// URL of the SQS queue that carries operations to the processor.
    pub operations_queue_url: String,
    /// URL of the SQS queue that carries background jobs of the library.
    pub library_queue_url: String,
    /// URL of the SQS queue that carries webhook events and deliveries.
    pub deliveries_queue_url: String,
    /// URL of the SQS queue for deliveries to slow or failing endpoints.
    pub slow_deliveries_queue_url: String,
}

/// What is made when it is used first.
pub type OnFirstUse<T> = Arc<LazyLock<T, Box<dyn FnOnce() -> T + Send>>>;

/// The AWS clients, configured by the caller.
#[derive(Clone, Debug)]
pub struct Clients {
    /// DynamoDB.
    pub dynamodb: DynamoDb,
    /// S3.
    pub s3: OnFirstUse<S3>,
    /// SQS.
    pub sqs: OnFirstUse<Sqs>,
    /// How long DynamoDB takes to answer.
    pub table_response_time: ResponseTime,
}

/// Maps presigned URLs to addresses that clients can reach, where the bucket's address is not
/// reachable for them.
pub trait Reach: fmt::Debug + Send + Sync {
    /// The address that replaces a presigned one.
    fn address(&self, presigned: &str) -> String;
}

/// A handle on all durable state; cheap to clone.
#[derive(Clone, Debug)]
pub struct Store {
    pub(crate) clients: Clients,
    pub(crate) names: Arc<Names>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) random: Arc<dyn Random>,
    pub(crate) reach: Option<Arc<dyn Reach>>,
}

impl Store {
    /// A store over the given clients and resources.
    pub fn new(
        clients: Clients,
        names: Names,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
    ) -> Self {
        Self { clients, names: Arc::new(names), clock, random, reach: None }
    }

    /// Replaces the bucket's address in presigned URLs.
    pub fn reached_by(self, reach: Arc<dyn Reach>) -> Self {
        Self { reach: Some(reach), ..self }
    }

    /// The clock of the store.
    pub fn clock(&self) -> &Arc<dyn Clock> {
        &self.clock
    }

    /// The source of randomness of the store.
    pub fn random(&self) -> &Arc<dyn Random> {
        &self.random
    }

    /// The resources that the store works on.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// Whether the table answers so slowly that new work would end too late.
    pub fn is_overloaded(&self) -> bool {
        self.clients.table_response_time.is_overloaded()
    }
}
