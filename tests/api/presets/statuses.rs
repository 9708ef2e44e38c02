//! What each operation answers when it is not allowed, not valid or not possible: with the table of
//! authority, every status that is declared.

use acceptance::statuses::{Resource, row};
use reqwest::Method;
use serde_json::json;

use super::{PRESETS, small};

fn resource() -> Resource {
    let values = json!({"values": {}});
    let wrong = json!({"values": 1});
    Resource {
        path: PRESETS,
        body: small("n"),
        unknown: "pst_01ARZ3NDEKTSV4RRFFQ69G5FAV",
        rows: vec![
            row(Method::GET, "", None, "?limit=0", None, "Query"),
            row(Method::POST, "", Some(small("n")), "", Some(wrong.clone()), "TransactWriteItems"),
            row(Method::GET, "/{id}", None, "/{id}", None, "GetItem"),
            row(Method::PATCH, "/{id}", Some(values.clone()), "/{id}", Some(json!({})), "GetItem"),
            row(Method::POST, "/{id}/render", Some(values), "/{id}/render", Some(wrong), "GetItem"),
            row(Method::DELETE, "/{id}", None, "/{id}", None, "GetItem"),
        ],
    }
}

#[tokio::test]
async fn what_is_not_valid_is_400() {
    resource().assert_bad_requests().await;
}

#[tokio::test]
async fn what_exceeds_the_rate_is_429() {
    resource().assert_too_many_requests().await;
}

#[tokio::test]
async fn what_storage_refuses_is_500_and_works_afterwards() {
    resource().assert_internal_errors().await;
}
