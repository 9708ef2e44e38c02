//! The table's schema. The development server and tests create the table from it, the operator's
//! tool compares and repairs it, and the deployment template is tested against it.

use std::{collections::HashSet, time::Duration};

use aws_sdk_dynamodb::{
    error::SdkError,
    operation::update_table::builders::UpdateTableFluentBuilder,
    types::{
        AttributeDefinition, BillingMode, CreateGlobalSecondaryIndexAction,
        DeleteGlobalSecondaryIndexAction, GlobalSecondaryIndex, GlobalSecondaryIndexDescription,
        GlobalSecondaryIndexUpdate, IndexStatus, KeySchemaElement, KeyType, Projection,
        ProjectionType, ScalarAttributeType, TableDescription, TimeToLiveSpecification,
        TimeToLiveStatus,
    },
};

use crate::{DynamoDb, Store, StoreError, keys};

/// Pause between two polls of an index that is being created or deleted.
const LOOK_PAUSE: Duration = Duration::from_secs(5);

/// A difference between a table and its schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Drift {
    /// The table does not exist.
    Missing,
    /// The table has other keys. Keys of a table cannot be changed.
    Keys,
    /// Time to live is off: expired items are not deleted.
    NoTimeToLive,
    /// The index is missing.
    NoIndex,
    /// The index has other keys.
    IndexKeys,
    /// The index lacks these attributes, so lists would lack what they show.
    IndexLacksAttributes(Vec<String>),
}

impl Drift {
    /// Whether [`Store::repair`] can repair it.
    pub fn is_repairable(&self) -> bool {
        !matches!(self, Self::Missing | Self::Keys)
    }

    /// Whether the repair deletes the index and creates it again: lists fail meanwhile.
    pub fn interrupts_lists(&self) -> bool {
        matches!(self, Self::IndexKeys | Self::IndexLacksAttributes(_))
    }
}

type Boxed = Box<dyn std::error::Error + Send + Sync>;

fn unavailable(error: impl Into<Boxed>) -> StoreError {
    StoreError::unavailable("table", error)
}

fn definitions() -> Result<Vec<AttributeDefinition>, StoreError> {
    let names = [keys::PK, keys::SK, keys::LIST_PK, keys::LIST_SK];
    let defined = names.map(|name| {
        let definition = AttributeDefinition::builder().attribute_name(name);
        definition.attribute_type(ScalarAttributeType::S).build().map_err(unavailable)
    });
    defined.into_iter().collect()
}

fn key_schema(hash: &str, range: &str) -> Result<Vec<KeySchemaElement>, StoreError> {
    let parts = [(hash, KeyType::Hash), (range, KeyType::Range)].map(|(name, kind)| {
        let element = KeySchemaElement::builder().attribute_name(name).key_type(kind);
        element.build().map_err(unavailable)
    });
    parts.into_iter().collect()
}

fn projection() -> Projection {
    Projection::builder()
        .projection_type(ProjectionType::Include)
        .set_non_key_attributes(Some(keys::LIST_ATTRIBUTES.map(str::to_owned).to_vec()))
        .build()
}

/// Creates the table with its index and time to live, unless it exists.
pub async fn create_table(client: &DynamoDb, table: &str) -> Result<(), StoreError> {
    if client.describe_table().table_name(table).send().await.is_ok() {
        return Ok(());
    }
    let index = GlobalSecondaryIndex::builder()
        .index_name(keys::LIST)
        .set_key_schema(Some(key_schema(keys::LIST_PK, keys::LIST_SK)?))
        .projection(projection())
        .build()
        .map_err(unavailable)?;
    let created = client
        .create_table()
        .table_name(table)
        .billing_mode(BillingMode::PayPerRequest)
        .set_attribute_definitions(Some(definitions()?))
        .set_key_schema(Some(key_schema(keys::PK, keys::SK)?))
        .global_secondary_indexes(index)
        .send()
        .await;
    match created.map_err(SdkError::into_service_error) {
        Ok(_) => {}
        // By a try whose response got lost, or by another process.
        Err(error) if error.is_resource_in_use_exception() => {}
        Err(error) => return Err(unavailable(error)),
    }
    enable_time_to_live(client, table).await
}

async fn enable_time_to_live(client: &DynamoDb, table: &str) -> Result<(), StoreError> {
    let ttl = TimeToLiveSpecification::builder().attribute_name(keys::TTL).enabled(true).build();
    client
        .update_time_to_live()
        .table_name(table)
        .time_to_live_specification(ttl.map_err(unavailable)?)
        .send()
        .await
        .map_err(unavailable)?;
    Ok(())
}

impl Store {
    /// Compares the table with its schema; empty if there is no drift.
    pub async fn drift(&self) -> Result<Vec<Drift>, StoreError> {
        let Some(table) = self.describe().await? else { return Ok(vec![Drift::Missing]) };
        let mut found = Vec::new();
        if !has_keys(table.key_schema(), [keys::PK, keys::SK]) {
            found.push(Drift::Keys);
        }
        match list_index(&table) {
            None => found.push(Drift::NoIndex),
            Some(index) if !has_keys(index.key_schema(), [keys::LIST_PK, keys::LIST_SK]) => {
                found.push(Drift::IndexKeys);
            }
            Some(index) => {
                let missing_attributes = missing_attributes(index);
                if !missing_attributes.is_empty() {
                    found.push(Drift::IndexLacksAttributes(missing_attributes));
                }
            }
        }
        let (dynamodb, name) = (&self.clients.dynamodb, &self.names.table);
        let ttl = dynamodb.describe_time_to_live().table_name(name).send().await;
        let ttl = ttl.map_err(unavailable)?.time_to_live_description;
        let enabled = [Some(&TimeToLiveStatus::Enabled), Some(&TimeToLiveStatus::Enabling)];
        let is_on = ttl.as_ref().is_some_and(|ttl| {
            enabled.contains(&ttl.time_to_live_status()) && ttl.attribute_name() == Some(keys::TTL)
        });
        if !is_on {
            found.push(Drift::NoTimeToLive);
        }
        Ok(found)
    }

    /// Repairs a drift, if it is repairable, and waits until that is done. `progress` is called at
    /// each poll while an index is created or deleted.
    pub async fn repair(&self, drift: &Drift, progress: impl Fn()) -> Result<(), StoreError> {
        match drift {
            Drift::Missing | Drift::Keys => Ok(()),
            Drift::NoTimeToLive => {
                enable_time_to_live(&self.clients.dynamodb, &self.names.table).await
            }
            Drift::NoIndex => self.create_index(&progress).await,
            Drift::IndexKeys | Drift::IndexLacksAttributes(_) => {
                self.drop_index(&progress).await?;
                self.create_index(&progress).await
            }
        }
    }

    async fn create_index(&self, progress: &impl Fn()) -> Result<(), StoreError> {
        let create = CreateGlobalSecondaryIndexAction::builder()
            .index_name(keys::LIST)
            .set_key_schema(Some(key_schema(keys::LIST_PK, keys::LIST_SK)?))
            .projection(projection())
            .build()
            .map_err(unavailable)?;
        let change = GlobalSecondaryIndexUpdate::builder().create(create).build();
        let update = self.update_table().set_attribute_definitions(Some(definitions()?));
        update.global_secondary_index_updates(change).send().await.map_err(unavailable)?;
        let is_ready = |table: &TableDescription| {
            list_index(table).and_then(|index| index.index_status()) == Some(&IndexStatus::Active)
        };
        self.wait_until(is_ready, progress).await
    }

    async fn drop_index(&self, progress: &impl Fn()) -> Result<(), StoreError> {
        let delete = DeleteGlobalSecondaryIndexAction::builder().index_name(keys::LIST).build();
        let change =
            GlobalSecondaryIndexUpdate::builder().delete(delete.map_err(unavailable)?).build();
        let update = self.update_table().global_secondary_index_updates(change);
        update.send().await.map_err(unavailable)?;
        self.wait_until(|table| list_index(table).is_none(), progress).await
    }

    fn update_table(&self) -> UpdateTableFluentBuilder {
        self.clients.dynamodb.update_table().table_name(&self.names.table)
    }

    async fn wait_until(
        &self,
        is_done: impl Fn(&TableDescription) -> bool,
        progress: &impl Fn(),
    ) -> Result<(), StoreError> {
        loop {
            let table = self.describe().await?.ok_or_else(|| unavailable("the table is gone"))?;
            if is_done(&table) {
                return Ok(());
            }
            progress();
            self.sleep_with_jitter(LOOK_PAUSE).await;
        }
    }

    async fn describe(&self) -> Result<Option<TableDescription>, StoreError> {
        let (dynamodb, name) = (&self.clients.dynamodb, &self.names.table);
        match dynamodb.describe_table().table_name(name).send().await {
            Ok(described) => Ok(described.table),
            Err(error) => match error.into_service_error() {
                error if error.is_resource_not_found_exception() => Ok(None),
                error => Err(unavailable(error)),
            },
        }
    }

    /// Approximate number of items of the table; AWS updates it every few hours.
    pub async fn item_estimate(&self) -> Result<u64, StoreError> {
        let count = self.describe().await?.and_then(|table| table.item_count());
        Ok(count.and_then(|count| u64::try_from(count).ok()).unwrap_or(0))
    }
}

fn list_index(table: &TableDescription) -> Option<&GlobalSecondaryIndexDescription> {
    table.global_secondary_indexes().iter().find(|index| index.index_name() == Some(keys::LIST))
}

fn has_keys(schema: &[KeySchemaElement], [hash, range]: [&str; 2]) -> bool {
    let stands = schema.iter().map(|part| (part.attribute_name(), part.key_type().clone()));
    stands.collect::<HashSet<_>>()
        == HashSet::from([(hash, KeyType::Hash), (range, KeyType::Range)])
}

/// Attributes that lists show and the index does not project.
fn missing_attributes(index: &GlobalSecondaryIndexDescription) -> Vec<String> {
    let Some(projection) = index.projection() else { return Vec::new() };
    if projection.projection_type() == Some(&ProjectionType::All) {
        return Vec::new();
    }
    let has: HashSet<&str> = projection.non_key_attributes().iter().map(String::as_str).collect();
    let wanted = keys::LIST_ATTRIBUTES.into_iter();
    wanted.filter(|name| !has.contains(name)).map(ToOwned::to_owned).collect()
}
