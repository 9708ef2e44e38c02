//! Everything durable: the sole user of the AWS data services.
//!
//! One table, one bucket and a few queues. The layout of the table stands in [`keys`]; each aggregate
//! has a file of its own. Nothing here knows of HTTP: outcomes are types, not statuses.

pub mod accounts;
pub mod attempts;
pub mod body;
pub mod bucket;
pub mod connect;
pub mod dead_letters;
pub mod deletion;
pub mod directory;
pub mod error;
pub mod events;
pub mod gate;
pub mod histories;
pub mod item;
pub mod keys;
pub mod library;
pub mod library_queue;
pub mod lists;
pub mod objects;
pub mod operations;
pub mod operator;
pub mod presets;
pub mod queue;
pub mod schema;
pub mod seals;
pub mod settlement;
pub mod shelves;
pub mod start;
mod transaction;
pub mod uploads;
pub mod usage_marks;
pub mod webhooks;

use std::{fmt, sync::Arc};

use aws_sdk_dynamodb::types::KeysAndAttributes;
use domain::{Clock, Random};
use item::Attributes;

pub use aws_sdk_dynamodb::Client as DynamoDb;
pub use aws_sdk_s3::Client as S3;
pub use aws_sdk_sqs::Client as Sqs;
pub use error::StoreError;

/// Names of the resources that the store works on.
#[derive(Clone, Debug)]
pub struct Names {
    /// DynamoDB table.
    pub table: String,
    /// S3 bucket.
    pub bucket: String,
    /// URL of the SQS queue that carries operations to the processor.
    pub operations_queue_url: String,
    /// URL of the SQS queue that carries the upkeep of the library.
    pub library_queue_url: String,
    /// URL of the SQS queue that carries webhook events and deliveries.
    pub deliveries_queue_url: String,
    /// URL of the SQS queue for deliveries to endpoints that are slow or failing.
    pub slow_deliveries_queue_url: String,
}

/// The AWS clients, as they were configured by whoever wires the process.
#[derive(Clone, Debug)]
pub struct Clients {
    /// DynamoDB.
    pub dynamodb: DynamoDb,
    /// S3.
    pub s3: S3,
    /// SQS.
    pub sqs: Sqs,
}

/// Says where clients reach what was presigned, where the bucket's own address is out of their reach.
pub trait Reach: fmt::Debug + Send + Sync {
    /// The address that stands for a presigned one.
    fn address(&self, presigned: &str) -> String;
}

/// A handle on everything durable; cheap to clone.
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

    /// Hands out other addresses than the bucket's own.
    pub fn reached_by(self, reach: Arc<dyn Reach>) -> Self {
        Self { reach: Some(reach), ..self }
    }

    /// The clock that the store was given.
    pub fn clock(&self) -> &Arc<dyn Clock> {
        &self.clock
    }

    /// The source of randomness that the store was given.
    pub fn random(&self) -> &Arc<dyn Random> {
        &self.random
    }

    /// The resources that the store works on.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// Reads an item with everything written before.
    pub(crate) async fn read_item(&self, key: keys::Key) -> Result<Option<Attributes>, StoreError> {
        let answer = self
            .clients
            .dynamodb
            .get_item()
            .table_name(&self.names.table)
            .set_key(Some(key))
            .consistent_read(true)
            .send()
            .await
            .map_err(|error| StoreError::unavailable("table", error))?;
        Ok(answer.item)
    }

    /// Reads items, at most 100, with everything written before; those that there are not are left out,
    /// and the order is the table's. What the table is too busy for, or what is beyond 16 MB, is asked for
    /// again.
    pub(crate) async fn read_items(
        &self,
        keys: Vec<keys::Key>,
    ) -> Result<Vec<Attributes>, StoreError> {
        self.read_batch(keys, true).await
    }

    /// The same, with what was just written only if `strictly`; otherwise for half the units.
    pub(crate) async fn read_batch(
        &self,
        keys: Vec<keys::Key>,
        strictly: bool,
    ) -> Result<Vec<Attributes>, StoreError> {
        let mut left = keys;
        let mut items = Vec::with_capacity(left.len());
        let mut pauses = transaction::pauses().take(transaction::RETRIES);
        while !left.is_empty() {
            let wanted = KeysAndAttributes::builder()
                .consistent_read(strictly)
                .set_keys(Some(left))
                .build()
                .map_err(|error| StoreError::unavailable("table", error))?;
            let answer = self
                .clients
                .dynamodb
                .batch_get_item()
                .request_items(&self.names.table, wanted)
                .send()
                .await
                .map_err(|error| StoreError::unavailable("table", error))?;
            let mut tables = answer.responses.unwrap_or_default();
            let found = tables.remove(&self.names.table).unwrap_or_default();
            let made_progress = !found.is_empty();
            items.extend(found);
            let mut unprocessed = answer.unprocessed_keys.unwrap_or_default();
            left = unprocessed.remove(&self.names.table).map(|rest| rest.keys).unwrap_or_default();
            if !made_progress && !left.is_empty() {
                let Some(pause) = pauses.next() else {
                    return Err(StoreError::unavailable("table", "throttled"));
                };
                self.rest(pause).await;
            }
        }
        Ok(items)
    }

    /// Asks the table for an item that does not exist: an answer means that it is there.
    ///
    /// Also opens the connection, so that the first request need not.
    pub async fn ping(&self) -> Result<(), StoreError> {
        self.clients
            .dynamodb
            .get_item()
            .table_name(&self.names.table)
            .set_key(Some(keys::probe()))
            .send()
            .await
            .map_err(|error| StoreError::unavailable("table", error))?;
        Ok(())
    }
}
