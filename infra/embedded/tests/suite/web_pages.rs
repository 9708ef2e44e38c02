//! What a browser may send here for a page of somebody else.

use embedded::Embedded;
use reqwest::{RequestBuilder, StatusCode};

use crate::support;

/// A request that lists what a service has, as a page would send it.
fn listing(url: &str, target: &str) -> RequestBuilder {
    reqwest::Client::new().post(url).header("x-amz-target", target).body("{}")
}

fn listings(embedded: &Embedded) -> [RequestBuilder; 3] {
    [
        listing(embedded.dynamodb_url(), "DynamoDB_20120810.DescribeTable"),
        listing(embedded.sqs_url(), "AmazonSQS.ListQueues"),
        reqwest::Client::new().get(embedded.s3_url()),
    ]
}

async fn is_refused(request: RequestBuilder) -> bool {
    let answer = request.send().await.unwrap();
    let is_forbidden = answer.status() == StatusCode::FORBIDDEN;
    // A refusal for want of a signature is XML or JSON.
    is_forbidden && !answer.text().await.unwrap().starts_with(['<', '{'])
}

#[tokio::test]
async fn a_web_page_calls_neither_dynamodb_nor_sqs() {
    let (embedded, _clock) = support::start().await;
    for origin in ["https://example.com", "http://127.0.0.1:9400", "null"] {
        let [dynamodb, sqs, _] = listings(&embedded);
        assert!(is_refused(dynamodb.header("origin", origin)).await, "{origin}");
        assert!(is_refused(sqs.header("origin", origin)).await, "{origin}");
    }
}

#[tokio::test]
async fn a_name_that_is_not_this_machines_is_refused() {
    let (embedded, _clock) = support::start().await;
    let port = embedded.s3_url().rsplit(':').next().unwrap().to_owned();
    for host in ["rebound.example", "127.0.0.1.example", "localhost.example", "10.0.0.1", "[::2]"] {
        for request in listings(&embedded) {
            let request = request.header("host", format!("{host}:{port}"));
            assert!(is_refused(request).await, "{host}");
        }
    }
    for host in ["localhost", "LOCALHOST", "127.0.0.1", "[::1]", "host.docker.internal"] {
        for request in listings(&embedded) {
            let request = request.header("host", format!("{host}:{port}"));
            assert!(!is_refused(request).await, "{host}");
        }
    }
}
