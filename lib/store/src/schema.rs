//! The table as it must exist: the development server and tests create it from here, and the
//! deployment template is tested against it.

use aws_sdk_dynamodb::{
    error::SdkError,
    types::{
        AttributeDefinition, BillingMode, GlobalSecondaryIndex, KeySchemaElement, KeyType,
        Projection, ProjectionType, ScalarAttributeType, TimeToLiveSpecification,
    },
};

use crate::{DynamoDb, StoreError, keys};

/// Creates the table with its index and time to live, unless it exists.
pub async fn create_table(client: &DynamoDb, table: &str) -> Result<(), StoreError> {
    let unavailable =
        |error: Box<dyn std::error::Error + Send + Sync>| StoreError::unavailable("table", error);
    if client.describe_table().table_name(table).send().await.is_ok() {
        return Ok(());
    }
    let attribute = |name: &str| {
        AttributeDefinition::builder()
            .attribute_name(name)
            .attribute_type(ScalarAttributeType::S)
            .build()
    };
    let key = |name: &str, kind: KeyType| {
        KeySchemaElement::builder().attribute_name(name).key_type(kind).build()
    };
    let mut definitions = Vec::new();
    for name in [keys::PK, keys::SK, keys::LIST_PK, keys::LIST_SK] {
        definitions.push(attribute(name).map_err(|error| unavailable(error.into()))?);
    }
    let schema = |hash: &str, range: &str| {
        Ok::<_, StoreError>(vec![
            key(hash, KeyType::Hash).map_err(|error| unavailable(error.into()))?,
            key(range, KeyType::Range).map_err(|error| unavailable(error.into()))?,
        ])
    };
    let index = GlobalSecondaryIndex::builder()
        .index_name(keys::LIST)
        .set_key_schema(Some(schema(keys::LIST_PK, keys::LIST_SK)?))
        .projection(
            Projection::builder()
                .projection_type(ProjectionType::Include)
                .set_non_key_attributes(Some(keys::LIST_ATTRIBUTES.map(str::to_owned).to_vec()))
                .build(),
        )
        .build()
        .map_err(|error| unavailable(error.into()))?;
    let created = client
        .create_table()
        .table_name(table)
        .billing_mode(BillingMode::PayPerRequest)
        .set_attribute_definitions(Some(definitions))
        .set_key_schema(Some(schema(keys::PK, keys::SK)?))
        .global_secondary_indexes(index)
        .send()
        .await;
    match created.map_err(SdkError::into_service_error) {
        Ok(_) => {}
        // By a try whose answer got lost, or by somebody else meanwhile.
        Err(error) if error.is_resource_in_use_exception() => {}
        Err(error) => return Err(unavailable(error.into())),
    }
    let ttl = TimeToLiveSpecification::builder()
        .attribute_name(keys::TTL)
        .enabled(true)
        .build()
        .map_err(|error| unavailable(error.into()))?;
    client
        .update_time_to_live()
        .table_name(table)
        .time_to_live_specification(ttl)
        .send()
        .await
        .map_err(|error| unavailable(error.into()))?;
    Ok(())
}
