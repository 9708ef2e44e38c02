//! What a browser does: presigned URLs and cross-origin requests.
#![allow(clippy::unwrap_used)]

use crate::support::{self, ManualClock, PAGE};

use std::{
    io::{Read, Write},
    net::{Shutdown, TcpStream},
};

use aws_sdk_s3::{Client, presigning::PresigningConfig};
use embedded::Embedded;
use reqwest::{Method, RequestBuilder, StatusCode};

const BUCKET: &str = "things";

async fn fixture() -> (Embedded, Client) {
    let (embedded, clock) = support::start().await;
    let s3 = support::Caller::of(&embedded, &clock).s3();
    s3.create_bucket().bucket(BUCKET).send().await.unwrap();
    (embedded, s3)
}

/// An hour of a clock that nobody moves.
fn an_hour() -> PresigningConfig {
    support::an_hour(&ManualClock::new())
}

/// A presigned upload of five bytes of text, without its body.
async fn upload(s3: &Client, key: &str) -> RequestBuilder {
    let put = s3.put_object().bucket(BUCKET).key(key).content_type("text/plain").content_length(5);
    let presigned = put.presigned(an_hour()).await.unwrap();
    let mut request = reqwest::Client::new().put(presigned.uri());
    for (name, value) in presigned.headers().filter(|(name, _)| *name != "content-length") {
        request = request.header(name, value);
    }
    request
}

async fn status(request: RequestBuilder) -> StatusCode {
    request.send().await.unwrap().status()
}

async fn exists(s3: &Client, key: &str) -> bool {
    s3.head_object().bucket(BUCKET).key(key).send().await.is_ok()
}

#[tokio::test]
async fn a_presigned_upload_is_stored_and_downloaded_by_a_presigned_url() {
    let (_embedded, s3) = fixture().await;
    assert_eq!(status(upload(&s3, "a b").await.body("hello")).await, StatusCode::OK);
    let get = s3.get_object().bucket(BUCKET).key("a b").presigned(an_hour()).await.unwrap();
    let got = reqwest::get(get.uri()).await.unwrap();
    assert_eq!(got.headers()["content-type"], "text/plain");
    assert_eq!(got.text().await.unwrap(), "hello");
}

#[tokio::test]
async fn a_presigned_upload_of_another_type_is_refused() {
    let (_embedded, s3) = fixture().await;
    let put = s3.put_object().bucket(BUCKET).key("k").content_type("text/plain").content_length(5);
    let presigned = put.presigned(an_hour()).await.unwrap();
    let request = reqwest::Client::new().put(presigned.uri());
    let request = request.header("content-type", "text/html").body("hello");
    assert_eq!(status(request).await, StatusCode::FORBIDDEN);
    assert!(!exists(&s3, "k").await);
}

#[tokio::test]
async fn a_presigned_upload_of_another_length_is_refused() {
    let (_embedded, s3) = fixture().await;
    assert_eq!(status(upload(&s3, "k").await.body("hello!")).await, StatusCode::FORBIDDEN);
    assert!(!exists(&s3, "k").await);
}

#[tokio::test]
async fn a_presigned_upload_that_does_not_fit_its_digest_is_refused() {
    let (_embedded, s3) = fixture().await;
    for header in ["x-amz-content-sha256", "x-amz-checksum-sha256"] {
        let digest = match header {
            "x-amz-content-sha256" => "0".repeat(64),
            _ => "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=".to_owned(),
        };
        let wrong = upload(&s3, "k").await.header(header, digest).body("hello");
        assert_eq!(status(wrong).await, StatusCode::BAD_REQUEST, "{header}");
        assert!(!exists(&s3, "k").await);
    }
}

#[tokio::test]
async fn the_holder_of_a_presigned_url_adds_nothing_that_aws_reads() {
    let (_embedded, s3) = fixture().await;
    s3.put_object()
        .bucket(BUCKET)
        .key("secret")
        .body(b"other".to_vec().into())
        .send()
        .await
        .unwrap();
    for (name, value) in [
        ("x-amz-copy-source", "things/secret"),
        ("x-amz-content-sha256", "STREAMING-UNSIGNED-PAYLOAD-TRAILER"),
        ("x-amz-decoded-content-length", "3"),
        ("x-amz-meta-owner", "me"),
    ] {
        let request = upload(&s3, "k").await.header(name, value).body("hello");
        assert_eq!(status(request).await, StatusCode::BAD_REQUEST, "{name}");
        assert!(!exists(&s3, "k").await);
    }
}

#[tokio::test]
async fn an_upload_cut_short_is_not_stored() {
    let (embedded, s3) = fixture().await;
    let put = s3.put_object().bucket(BUCKET).key("k").presigned(an_hour()).await.unwrap();
    let host = embedded.s3_url().strip_prefix("http://").unwrap();
    let target = put.uri().strip_prefix(embedded.s3_url()).unwrap();
    let mut connection = TcpStream::connect(host).unwrap();
    write!(connection, "PUT {target} HTTP/1.1\r\nhost: {host}\r\ncontent-length: 5\r\n").unwrap();
    write!(connection, "connection: close\r\n\r\nhe").unwrap();
    connection.shutdown(Shutdown::Write).unwrap();
    // Whatever the answer is, the server is done with the upload once it has hung up.
    let _ = connection.read_to_end(&mut Vec::new());
    assert!(!exists(&s3, "k").await);
}

#[tokio::test]
async fn a_presigned_url_fits_only_its_key_and_its_method() {
    let (_embedded, s3) = fixture().await;
    let get = s3.get_object().bucket(BUCKET).key("k").presigned(an_hour()).await.unwrap();
    let other = get.uri().replacen("/k?", "/other?", 1);
    assert_eq!(status(reqwest::Client::new().get(other)).await, StatusCode::FORBIDDEN);
    assert_eq!(status(reqwest::Client::new().put(get.uri())).await, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn a_request_without_a_signature_is_refused() {
    let (embedded, s3) = fixture().await;
    s3.put_object().bucket(BUCKET).key("k").send().await.unwrap();
    let url = format!("{}/{BUCKET}/k", embedded.s3_url());
    assert_eq!(status(reqwest::Client::new().get(url)).await, StatusCode::FORBIDDEN);
}

const STRANGER: &str = "https://example.com";

/// What a browser asks before it sends a page's request to a URL.
fn preflight(url: &str, origin: &str, method: &str, headers: &str) -> RequestBuilder {
    reqwest::Client::new()
        .request(Method::OPTIONS, url)
        .header("origin", origin)
        .header("access-control-request-method", method)
        .header("access-control-request-headers", headers)
}

async fn upload_url(s3: &Client) -> String {
    let put = s3.put_object().bucket(BUCKET).key("k").content_type("text/plain");
    put.presigned(an_hour()).await.unwrap().uri().to_owned()
}

#[tokio::test]
async fn a_page_of_any_origin_may_upload_by_a_presigned_url() {
    let (_embedded, s3) = fixture().await;
    let url = upload_url(&s3).await;
    for origin in [PAGE, STRANGER, "http://localhost:3000", "null"] {
        let headers = "content-type,if-none-match";
        let answer = preflight(&url, origin, "PUT", headers).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK);
        assert_eq!(answer.headers()["access-control-allow-origin"], origin);
        assert_eq!(answer.headers()["access-control-allow-headers"], headers);
        assert!(answer.headers()["access-control-allow-methods"].to_str().unwrap().contains("PUT"));
        let put = upload(&s3, "k").await.header("origin", origin).body("hello");
        let answer = put.send().await.unwrap();
        assert_eq!(answer.headers()["access-control-allow-origin"], origin);
        assert_eq!(answer.headers()["access-control-expose-headers"], "etag");
    }
    assert_eq!(
        s3.head_object().bucket(BUCKET).key("k").send().await.unwrap().content_length(),
        Some(5)
    );
}

#[tokio::test]
async fn only_a_page_of_the_api_may_do_more() {
    let (embedded, s3) = fixture().await;
    let object = format!("{}/{BUCKET}/k", embedded.s3_url());
    let presigned = upload_url(&s3).await;
    for method in ["GET", "PUT"] {
        assert_eq!(status(preflight(&object, PAGE, method, "")).await, StatusCode::OK);
        assert_eq!(status(preflight(&object, STRANGER, method, "")).await, StatusCode::FORBIDDEN);
        assert_eq!(status(preflight(&presigned, STRANGER, method, "")).await, StatusCode::OK);
    }
    for (url, origin) in [(&object, PAGE), (&presigned, PAGE), (&presigned, STRANGER)] {
        assert_eq!(status(preflight(url, origin, "DELETE", "")).await, StatusCode::FORBIDDEN);
        let answer = status(preflight(url, origin, "PUT", "x-other")).await;
        assert_eq!(answer, StatusCode::FORBIDDEN);
    }
    let get = s3.get_object().bucket(BUCKET).key("none").presigned(an_hour()).await.unwrap();
    let readers = [
        (get.uri(), PAGE, Some(PAGE)),
        (get.uri(), STRANGER, Some(STRANGER)),
        (object.as_str(), STRANGER, None),
    ];
    for (url, origin, seen) in readers {
        let answer = reqwest::Client::new().get(url).header("origin", origin).send().await.unwrap();
        let open_to = answer.headers().get("access-control-allow-origin");
        assert_eq!(open_to.map(|origin| origin.to_str().unwrap()), seen);
    }
}
