//! Transactions that are sent again, and requests that are refused.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use aws_sdk_dynamodb::{
    Client,
    error::ProvideErrorMetadata,
    types::{
        AttributeDefinition, AttributeValue, BillingMode, KeySchemaElement, KeyType, Put,
        ScalarAttributeType, TransactWriteItem,
    },
};

use bytes::Bytes;
use domain::Clock;
use embedded::{Embedded, ServiceName};

use crate::support::{self, ManualClock};

/// A client of services that have the table "items", and their clock.
async fn fixture() -> (Embedded, Client, Arc<ManualClock>) {
    let (embedded, clock) = support::start().await;
    let client = support::Caller::of(&embedded, &clock).dynamodb();
    let key = KeySchemaElement::builder().attribute_name("id").key_type(KeyType::Hash);
    let id = AttributeDefinition::builder().attribute_name("id");
    let id = id.attribute_type(ScalarAttributeType::S).build().unwrap();
    let table = client.create_table().table_name("items").attribute_definitions(id);
    let table = table.key_schema(key.build().unwrap()).billing_mode(BillingMode::PayPerRequest);
    table.send().await.unwrap();
    (embedded, client, clock)
}

/// Creates an item that must not exist. Returns the code of the error, if there is one.
async fn create(client: &Client, id: &str, token: &str) -> Option<String> {
    let put = Put::builder().table_name("items").item("id", AttributeValue::S(id.to_owned()));
    let put = put.condition_expression("attribute_not_exists(id)").build().unwrap();
    let item = TransactWriteItem::builder().put(put).build();
    let transaction = client.transact_write_items().transact_items(item);
    let sent = transaction.client_request_token(token).send().await;
    sent.err().and_then(|error| error.code().map(str::to_owned))
}

#[tokio::test]
async fn a_transaction_that_is_sent_again_within_ten_minutes_is_answered_and_not_done_again() {
    let (_embedded, client, clock) = fixture().await;
    assert_eq!(create(&client, "a", "first").await, None);
    clock.advance(599);
    assert_eq!(create(&client, "a", "first").await, None);
    let other = create(&client, "b", "first").await;
    assert_eq!(other.as_deref(), Some("IdempotentParameterMismatchException"));
    clock.advance(1);
    let late = create(&client, "a", "first").await;
    assert_eq!(late.as_deref(), Some("TransactionCanceledException"));
}

#[tokio::test]
async fn a_transaction_that_was_cancelled_may_be_sent_again_with_its_token() {
    let (_embedded, client, _) = fixture().await;
    assert_eq!(create(&client, "a", "first").await, None);
    let failed = create(&client, "a", "second").await;
    assert_eq!(failed.as_deref(), Some("TransactionCanceledException"));
    let again = create(&client, "a", "second").await;
    assert_eq!(again.as_deref(), Some("TransactionCanceledException"));
}

#[tokio::test]
async fn a_token_has_1_to_36_characters() {
    let (_embedded, client, _) = fixture().await;
    assert_eq!(create(&client, "a", &"t".repeat(36)).await, None);
    for token in ["", &"t".repeat(37)] {
        assert_eq!(create(&client, "b", token).await.as_deref(), Some("ValidationException"));
    }
}

#[tokio::test]
async fn a_wrong_value_is_a_validation_error_and_a_wrong_type_a_serialization_error() {
    let (embedded, client, clock) = fixture().await;
    let put = client.put_item().table_name("items").item("id", AttributeValue::S("a".to_owned()));
    let put = put.item("number", AttributeValue::N("x".to_owned())).send().await;
    assert_eq!(put.unwrap_err().code(), Some("ValidationException"));
    let request = http::Request::post(embedded.dynamodb_url())
        .header("x-amz-target", "DynamoDB_20120810.PutItem")
        .body(Bytes::from(r#"{"TableName": "items", "Item": {"id": {"S": 1}}}"#))
        .unwrap();
    let request = embedded.credentials().sign(ServiceName::DynamoDb, request, clock.now());
    let answer = reqwest::Client::new().execute(request.try_into().unwrap()).await.unwrap();
    let answer = answer.text().await.unwrap();
    assert!(answer.contains("SerializationException"), "{answer}");
}
