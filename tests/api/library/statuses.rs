//! What each operation answers when it is not allowed, not valid or not possible: with the table of
//! authority and the tests of conflicts, every status that is declared.

use acceptance::statuses::{Resource, row};
use reqwest::Method;
use serde_json::json;

use super::{ITEMS, small};

fn resource() -> Resource {
    let title = json!({"title": "Another"});
    let wrong = json!({"title": 1});
    let all = "BatchGetItem";
    let writes = "TransactWriteItems";
    Resource {
        path: ITEMS,
        body: small("n"),
        unknown: "lib_01ARZ3NDEKTSV4RRFFQ69G5FAV",
        rows: vec![
            row(Method::GET, "", None, "?pageSize=0", None, "Query"),
            row(Method::POST, "", Some(small("n")), "", Some(wrong.clone()), writes),
            row(Method::GET, "/{id}", None, "/{id}", None, all),
            row(Method::PATCH, "/{id}", Some(title), "/{id}", Some(wrong), writes),
            row(Method::POST, "/{id}/saved", None, "/{id}/saved", None, writes),
            row(Method::POST, "/{id}/vote", None, "/{id}/vote", None, writes),
            row(Method::POST, "/{id}/publish", None, "/{id}/publish", None, writes),
            row(Method::DELETE, "/{id}/publish", None, "/{id}/publish", None, writes),
            row(Method::DELETE, "/{id}", None, "/{id}", None, writes),
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
