//! Who may call: whoever has the key of the data folder.

use std::sync::Arc;

use bytes::Bytes;
use domain::Clock;
use embedded::{Credentials, Embedded, ServiceName};
use http::Request;
use reqwest::StatusCode;

use crate::support::{
    self, Caller, ManualClock, TestFolder,
    bucket::{self, BUCKET},
};

/// Requests that only read, to each service.
fn requests(embedded: &Embedded) -> [(ServiceName, Request<Bytes>); 3] {
    let post = |url: &str, target: &str| {
        let request = Request::post(url).header("x-amz-target", target);
        request.body(Bytes::from_static(b"{}")).unwrap()
    };
    let list = Request::get(format!("{}/things?list-type=2", embedded.s3_url()));
    [
        (ServiceName::DynamoDb, post(embedded.dynamodb_url(), "DynamoDB_20120810.ListTables")),
        (ServiceName::Sqs, post(embedded.sqs_url(), "AmazonSQS.ListQueues")),
        (ServiceName::S3, list.body(Bytes::new()).unwrap()),
    ]
}

async fn said(request: Request<Bytes>) -> String {
    let sent = reqwest::Client::new().execute(request.try_into().unwrap()).await;
    sent.unwrap().text().await.unwrap()
}

/// What each service says to a request that was signed and then changed.
async fn answers(
    embedded: &Embedded,
    keys: &Credentials,
    clock: &ManualClock,
    change: impl Fn(Request<Bytes>) -> Request<Bytes>,
) -> [String; 3] {
    let [dynamodb, sqs, s3] = requests(embedded)
        .map(|(service, request)| said(change(keys.sign(service, request, clock.now()))));
    [dynamodb.await, sqs.await, s3.await]
}

fn assert_codes(answers: &[String; 3], codes: [&str; 3]) {
    for (answer, code) in answers.iter().zip(codes) {
        assert!(answer.contains(code), "{answer}, not {code}");
    }
}

#[tokio::test]
async fn all_services_want_the_key_of_the_folder() {
    let (embedded, clock) = support::start().await;
    let keys = embedded.credentials();
    let right = answers(&embedded, keys, &clock, |request| request).await;
    // There is no bucket.
    assert_codes(&right, ["TableNames", "QueueUrls", "NoSuchBucket"]);

    let unsigned = answers(&embedded, keys, &clock, |mut request| {
        request.headers_mut().remove("authorization");
        request
    });
    assert_codes(
        &unsigned.await,
        ["MissingAuthenticationToken", "MissingAuthenticationToken", "AccessDenied"],
    );
    let stranger = answers(&embedded, &Credentials::random(), &clock, |request| request).await;
    assert_codes(&stranger, ["UnrecognizedClient", "UnrecognizedClient", "InvalidAccessKeyId"]);
    let guess = Credentials { access_key: keys.access_key.clone(), ..Credentials::random() };
    let guessed = answers(&embedded, &guess, &clock, |request| request).await;
    assert_codes(&guessed, ["InvalidSignature", "InvalidSignature", "SignatureDoesNotMatch"]);
}

#[tokio::test]
async fn a_request_that_was_changed_is_refused() {
    let (embedded, clock) = support::start().await;
    let changed = answers(&embedded, embedded.credentials(), &clock, |request| {
        let (mut parts, _) = request.into_parts();
        if parts.uri.query().is_some() {
            parts.uri = parts.uri.to_string().replace("things", "others").parse().unwrap();
        }
        Request::from_parts(parts, Bytes::from_static(b"{ }"))
    });
    assert_codes(&changed.await, ["InvalidSignature", "InvalidSignature", "SignatureDoesNotMatch"]);
}

#[tokio::test]
async fn a_request_is_valid_for_minutes_by_the_clock_of_the_services() {
    let (embedded, clock) = support::start().await;
    let old = ManualClock::new();
    clock.advance(300);
    let in_time = answers(&embedded, embedded.credentials(), &old, |request| request).await;
    assert_codes(&in_time, ["TableNames", "QueueUrls", "NoSuchBucket"]);
    clock.advance(601);
    let late = answers(&embedded, embedded.credentials(), &old, |request| request).await;
    assert_codes(&late, ["InvalidSignature", "InvalidSignature", "RequestTimeTooSkewed"]);
}

#[tokio::test]
async fn a_presigned_url_expires_by_the_clock_of_the_services() {
    let f = bucket::fixture().await;
    f.put("k", "hello").await;
    let get = f.s3.get_object().bucket(BUCKET).key("k").presigned(support::an_hour(&f.clock));
    let url = get.await.unwrap().uri().to_owned();
    f.clock.advance(3600);
    assert_eq!(reqwest::get(&url).await.unwrap().text().await.unwrap(), "hello");
    f.clock.advance(1);
    assert_eq!(reqwest::get(&url).await.unwrap().status(), StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn a_folder_keeps_its_key_for_its_owner_alone() {
    let (folder, other) = (TestFolder::new("key"), TestFolder::new("other-key"));
    let first = support::start_in(&folder).await;
    let key = first.credentials().clone();
    first.shutdown().await;
    let again = support::start_in(&folder).await;
    assert_eq!(*again.credentials(), key);
    assert_ne!(*support::start_in(&other).await.credentials(), key);
    let found = Credentials::of_folder(&folder.0).unwrap();
    let caller = Caller { credentials: found, ..Caller::of(&again, &ManualClock::new()) };
    caller.sqs().list_queues().send().await.unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let file = std::fs::metadata(folder.0.join("access-key.json")).unwrap();
        assert_eq!(file.permissions().mode() & 0o777, 0o600);
    }
}

#[tokio::test]
async fn each_start_without_a_folder_has_a_new_key() {
    let clock: Arc<ManualClock> = ManualClock::new();
    let start = || Embedded::start(support::options(None, clock.clone()));
    let (first, second) = (start().await.unwrap(), start().await.unwrap());
    assert_ne!(first.credentials(), second.credentials());
}
