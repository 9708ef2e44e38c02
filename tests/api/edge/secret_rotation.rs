//! The server gets another secret: what was made with the one before works as long as that is accepted.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use acceptance::{World, clock::ManualClock};
use aws_config::{Region, SdkConfig};
use aws_sdk_dynamodb::config::{Credentials, SharedCredentialsProvider};
use axum::{
    http::{HeaderMap, StatusCode},
    routing::post,
};
use domain::{AccountId, Clock, Timestamp, clock::Sleep};
use edge::{
    Secrets,
    authentication::api_key,
    input::cursor,
    runtime::{SystemClock, SystemRandom, server_secret::ServerSecret},
};
use serde_json::{Value, json};
use tokio::net::TcpListener;

#[tokio::test]
async fn keys_and_cursors_of_the_previous_secret_work_while_it_is_accepted() {
    let world = World::start().await;
    let secrets = |byte: u8| Secrets::derive(&[byte; 32]).expect("a long secret");
    let (before, after) = (secrets(1), secrets(2));
    let both = secrets(2).with_previous(&[1; 32]).expect("a long secret");
    let account = AccountId::new(&*world.clock, &SystemRandom);

    let old = api_key::mint(account, &before, &*world.clock, &SystemRandom);
    let read = api_key::parse(&old.text, &both).expect("a key of the secret before");
    assert_eq!((read.account, read.id, read.fingerprint), (account, old.id, old.fingerprint));
    assert!(api_key::parse(&old.text, &after).is_none());
    let new = api_key::mint(account, &both, &*world.clock, &SystemRandom);
    let read = api_key::parse(&new.text, &after).expect("a key of the present secret");
    assert_eq!(read.fingerprint, new.fingerprint);
    assert!(api_key::parse(&new.text, &before).is_none());

    let binding = cursor::Binding { account, list: "operations" };
    let old = cursor::encode(&before, binding, b"here");
    assert_eq!(cursor::decode(&both, binding, &old).expect("a cursor"), b"here");
    assert!(cursor::decode(&after, binding, &old).is_err());
    let new = cursor::encode(&both, binding, b"here");
    assert!(cursor::decode(&after, binding, &new).is_ok());
    assert!(cursor::decode(&before, binding, &new).is_err());
}

fn variables(
    given: &'static [(&'static str, &'static str)],
) -> impl Fn(&str) -> Option<String> + Clone {
    move |name| {
        let value = given.iter().find(|(known, _)| *known == name)?.1;
        Some(value.to_owned())
    }
}

/// The keys that a secret of one repeated character gives.
fn keys_of(character: u8) -> Secrets {
    Secrets::derive(&[character; 32]).expect("a long secret")
}

/// A key that was made with a secret of one repeated character.
fn key_of(character: u8) -> String {
    let account = AccountId::new(&SystemClock, &SystemRandom);
    api_key::mint(account, &keys_of(character), &SystemClock, &SystemRandom).text
}

const ONES: &str = "11111111111111111111111111111111";
const TWOS: &str = "22222222222222222222222222222222";

#[tokio::test]
async fn on_a_developers_machine_the_previous_secret_is_configured_and_as_long_as_any() {
    let read = |given| ServerSecret::read(variables(given));
    let aws = SdkConfig::builder().build();
    let both = read(&[("SERVER_SECRET", ONES), ("SERVER_SECRET_PREVIOUS", TWOS)]);
    let both = both.expect("a configuration").fetch(&aws, &Leaping::start()).await.expect("both");
    assert!(api_key::parse(&key_of(b'2'), &both).is_some());
    let alone = read(&[("SERVER_SECRET", ONES), ("SERVER_SECRET_PREVIOUS", "")]);
    let alone = alone.expect("a configuration").fetch(&aws, &Leaping::start()).await.expect("one");
    assert!(api_key::parse(&key_of(b'2'), &alone).is_none());
    let short = read(&[("SERVER_SECRET", ONES), ("SERVER_SECRET_PREVIOUS", "2222")]);
    let error = short.expect_err("too short").to_string();
    assert!(error.contains("SERVER_SECRET_PREVIOUS"), "{error}");
}

#[test]
fn a_function_without_a_secret_or_with_two_says_so() {
    for given in [
        &[][..],
        &[("SERVER_SECRET", ""), ("SERVER_SECRET_ID", "")],
        &[("SERVER_SECRET", ONES), ("SERVER_SECRET_ID", "arn")],
    ] {
        let error = ServerSecret::read(variables(given)).expect_err("no secret").to_string();
        assert!(error.contains("SERVER_SECRET_ID") && !error.contains(ONES), "{error}");
    }
}

/// Secrets Manager with some versions of the secret `arn`, by their labels. Its first answers are that it is busy.
async fn secrets_manager(versions: &[(&'static str, &'static str)], busy: usize) -> SdkConfig {
    let versions: HashMap<_, _> = versions.iter().copied().collect();
    let (versions, calls) = (Arc::new(versions), Arc::new(AtomicUsize::new(0)));
    let answer = move |headers: HeaderMap, body: String| {
        let body: Value = serde_json::from_str(&body).expect("JSON");
        assert_eq!(headers["x-amz-target"], "secretsmanager.GetSecretValue");
        let signed = headers["authorization"].to_str().expect("text");
        assert!(signed.contains("/eu-central-1/secretsmanager/aws4_request"), "{signed}");
        assert_eq!(body["SecretId"], "arn");
        let stage = body["VersionStage"].as_str().unwrap_or("AWSCURRENT");
        let found = if calls.fetch_add(1, Ordering::Relaxed) < busy {
            (StatusCode::SERVICE_UNAVAILABLE, json!({}))
        } else if let Some(text) = versions.get(stage) {
            (StatusCode::OK, json!({ "SecretString": text }))
        } else {
            (StatusCode::BAD_REQUEST, json!({"__type": "ResourceNotFoundException"}))
        };
        async move { (found.0, found.1.to_string()) }
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, post(answer).into_make_service()).await });
    let credentials = Credentials::new("AKIATEST", "secret", None, None, "test");
    SdkConfig::builder()
        .region(Region::new("eu-central-1"))
        .endpoint_url(format!("http://{address}"))
        .credentials_provider(SharedCredentialsProvider::new(credentials))
        .build()
}

/// A clock on which pauses take no time.
#[derive(Debug)]
struct Leaping(ManualClock);

impl Leaping {
    fn start() -> Self {
        Self(ManualClock::new(SystemClock.now()))
    }
}

impl Clock for Leaping {
    fn now(&self) -> Timestamp {
        self.0.now()
    }

    fn sleep_until(&self, instant: Timestamp) -> Sleep {
        self.0.advance(instant.since(self.now()));
        Box::pin(std::future::ready(()))
    }
}

fn stored(accept_previous: &'static str) -> ServerSecret {
    let given = match accept_previous {
        "true" => &[("SERVER_SECRET_ID", "arn"), ("ACCEPT_PREVIOUS_SECRET", "true")],
        _ => &[("SERVER_SECRET_ID", "arn"), ("ACCEPT_PREVIOUS_SECRET", "false")],
    };
    ServerSecret::read(variables(given)).expect("a configuration")
}

#[tokio::test]
async fn a_function_reads_the_secret_at_its_start_and_the_one_before_while_that_is_accepted() {
    let aws = secrets_manager(&[("AWSCURRENT", ONES), ("AWSPREVIOUS", TWOS)], 0).await;
    let both = stored("true").fetch(&aws, &Leaping::start()).await.expect("secrets");
    assert!(api_key::parse(&key_of(b'1'), &both).is_some());
    assert!(api_key::parse(&key_of(b'2'), &both).is_some());
    let alone = stored("false").fetch(&aws, &Leaping::start()).await.expect("a secret");
    assert!(api_key::parse(&key_of(b'1'), &alone).is_some());
    assert!(api_key::parse(&key_of(b'2'), &alone).is_none());
}

#[tokio::test]
async fn the_previous_secret_may_be_accepted_before_there_is_one() {
    let aws = secrets_manager(&[("AWSCURRENT", ONES)], 0).await;
    let alone = stored("true").fetch(&aws, &Leaping::start()).await.expect("a secret");
    assert!(api_key::parse(&key_of(b'1'), &alone).is_some());
}

#[tokio::test]
async fn a_function_whose_secret_is_missing_or_short_does_not_start_and_does_not_tell_it() {
    for versions in [&[][..], &[("AWSCURRENT", "short")]] {
        let aws = secrets_manager(versions, 0).await;
        let error =
            stored("true").fetch(&aws, &Leaping::start()).await.expect_err("no secret").to_string();
        assert!(!error.contains("\"short\""), "{error}");
    }
}

#[tokio::test]
async fn a_function_asks_again_for_its_secret_while_secrets_manager_is_busy() {
    let aws = secrets_manager(&[("AWSCURRENT", ONES)], 1).await;
    let secrets = stored("false").fetch(&aws, &Leaping::start()).await.expect("a secret");
    assert!(api_key::parse(&key_of(b'1'), &secrets).is_some());
    let aws = secrets_manager(&[("AWSCURRENT", ONES)], 99).await;
    let error =
        stored("false").fetch(&aws, &Leaping::start()).await.expect_err("always busy").to_string();
    assert!(error.contains("the secret arn") && error.contains("503"), "{error}");
}
