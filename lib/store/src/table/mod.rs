//! The table: its keys, its schema, and the calls that all aggregates share.

pub(crate) mod item;
pub mod keys;
pub(crate) mod retry;
pub mod schema;
pub(crate) mod transaction;
pub(crate) mod window;

use aws_sdk_dynamodb::{
    error::SdkError,
    operation::{
        query::builders::QueryFluentBuilder,
        update_item::{UpdateItemError, builders::UpdateItemFluentBuilder},
    },
    types::{DeleteRequest, KeysAndAttributes, PutRequest, WriteRequest},
};
use domain::Timestamp;

use self::item::Attributes;
use crate::{
    Store, StoreError,
    keys::{PK, SK},
};

/// Retries of a batch read of which DynamoDB leaves everything unprocessed.
const READ_RETRIES: usize = 10;
/// Retries of a batch of writes of which DynamoDB leaves some unprocessed.
const WRITE_RETRIES: usize = 8;
/// Writes that one call may have.
const WRITES_PER_BATCH: usize = 25;

/// The deletion of an item, for [`Store::write_all`].
pub(crate) fn deletion(key: keys::Key) -> Result<WriteRequest, StoreError> {
    let request = DeleteRequest::builder().set_key(Some(key)).build();
    let request = request.map_err(|error| StoreError::unavailable("table", error))?;
    Ok(WriteRequest::builder().delete_request(request).build())
}

/// The insertion of an item, or its replacement, for [`Store::write_all`].
pub(crate) fn insertion(item: Attributes) -> Result<WriteRequest, StoreError> {
    let request = PutRequest::builder().set_item(Some(item)).build();
    let request = request.map_err(|error| StoreError::unavailable("table", error))?;
    Ok(WriteRequest::builder().put_request(request).build())
}

impl Store {
    /// Reads an item with a consistent read.
    pub(crate) async fn get_item(&self, key: keys::Key) -> Result<Option<Attributes>, StoreError> {
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

    /// Reads at most 100 items with consistent reads, in no particular order; missing ones are left
    /// out. Keys that DynamoDB leaves unprocessed, because of throttling or its limit of 16 MB, are
    /// read again.
    pub(crate) async fn batch_get(
        &self,
        keys: Vec<keys::Key>,
    ) -> Result<Vec<Attributes>, StoreError> {
        self.batch_get_with(keys, true).await
    }

    /// The same, with consistent reads only if `consistent`; eventually consistent ones cost half
    /// the units.
    pub(crate) async fn batch_get_with(
        &self,
        keys: Vec<keys::Key>,
        consistent: bool,
    ) -> Result<Vec<Attributes>, StoreError> {
        let mut left = keys;
        let mut items = Vec::with_capacity(left.len());
        let mut pauses = retry::backoff().take(READ_RETRIES);
        while !left.is_empty() {
            let wanted = KeysAndAttributes::builder()
                .consistent_read(consistent)
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
                self.sleep_with_jitter(pause).await;
            }
        }
        Ok(items)
    }

    /// Executes writes of different items, in no particular order and without a transaction.
    pub(crate) async fn write_all(&self, writes: Vec<WriteRequest>) -> Result<(), StoreError> {
        let mut writes = writes.into_iter();
        loop {
            let mut left: Vec<_> = writes.by_ref().take(WRITES_PER_BATCH).collect();
            if left.is_empty() {
                return Ok(());
            }
            let mut pauses = retry::backoff().take(WRITE_RETRIES);
            while !left.is_empty() {
                let answer = self
                    .clients
                    .dynamodb
                    .batch_write_item()
                    .request_items(&self.names.table, left)
                    .send()
                    .await
                    .map_err(|error| StoreError::unavailable("table", error))?;
                let mut tables = answer.unprocessed_items.unwrap_or_default();
                left = tables.remove(&self.names.table).unwrap_or_default();
                if !left.is_empty() {
                    let Some(pause) = pauses.next() else {
                        return Err(StoreError::unavailable("table", "throttled"));
                    };
                    self.sleep_with_jitter(pause).await;
                }
            }
        }
    }

    /// Deletes the items that a query finds, if `is_meant` of their keys.
    pub(crate) async fn delete_found(
        &self,
        query: QueryFluentBuilder,
        is_meant: impl Fn(&Attributes) -> bool,
    ) -> Result<(), StoreError> {
        let mut pages = query.projection_expression(format!("{PK}, {SK}")).into_paginator().send();
        while let Some(page) =
            pages.try_next().await.map_err(|error| StoreError::unavailable("table", error))?
        {
            let found = page.items.unwrap_or_default().into_iter().filter(|item| is_meant(item));
            self.write_all(found.map(deletion).collect::<Result<_, _>>()?).await?;
        }
        Ok(())
    }

    /// Reads an item that does not exist. Success means that the table is reachable.
    ///
    /// Also opens the connection, so that the first request is faster.
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

    /// Sends an update; `false` if its condition does not hold.
    pub(crate) async fn update_if(
        &self,
        update: UpdateItemFluentBuilder,
    ) -> Result<bool, StoreError> {
        self.update_if_until(update, self.clock.now() + retry::PATIENCE).await
    }

    /// The same; after conflicts it tries again until `deadline`.
    pub(crate) async fn update_if_until(
        &self,
        update: UpdateItemFluentBuilder,
        deadline: Timestamp,
    ) -> Result<bool, StoreError> {
        match self.retry_until(deadline, || update.clone().send()).await {
            Ok(_) => Ok(true),
            Err(SdkError::ServiceError(error))
                if matches!(error.err(), UpdateItemError::ConditionalCheckFailedException(_)) =>
            {
                Ok(false)
            }
            Err(error) => Err(StoreError::unavailable("table", error)),
        }
    }
}
