//! A clock moved by hand, a data folder of one's own, and the real SDK clients.
#![allow(dead_code, clippy::unwrap_used, missing_docs)]

pub mod bucket;
pub mod queue;

use std::{
    path::PathBuf,
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use aws_sdk_s3::presigning::PresigningConfig;
use aws_smithy_async::time::{SharedTimeSource, TimeSource};
use domain::{Clock, Timestamp, clock::Sleep};
use embedded::{Credentials, Embedded, Options};
use tokio::sync::watch;

/// Where the page of the API is.
pub const PAGE: &str = "http://127.0.0.1:9400";

/// Stands still until [`ManualClock::advance`].
#[derive(Debug)]
pub struct ManualClock(watch::Sender<Timestamp>);

impl ManualClock {
    pub fn new() -> Arc<Self> {
        Arc::new(Self(watch::Sender::new(Timestamp::from_millis(1_800_000_000_000))))
    }

    pub fn advance(&self, seconds: u64) {
        self.0.send_modify(|now| *now = *now + Duration::from_secs(seconds));
    }

    /// Resolves once somebody sleeps by this clock.
    pub async fn someone_sleeps(&self) {
        while self.0.receiver_count() == 0 {
            tokio::task::yield_now().await;
        }
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        *self.0.borrow()
    }

    fn sleep_until(&self, instant: Timestamp) -> Sleep {
        let mut now = self.0.subscribe();
        Box::pin(async move {
            now.wait_for(|now| *now >= instant).await.unwrap();
        })
    }
}

/// A data folder that is removed at the end of the test.
pub struct TestFolder(pub PathBuf);

impl TestFolder {
    pub fn new(name: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("embedded-test-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Self(path)
    }
}

impl Drop for TestFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub fn options(data_dir: Option<PathBuf>, clock: Arc<ManualClock>) -> Options {
    Options { data_dir, origins: vec![PAGE.to_owned()], ..Options::ephemeral(clock) }
}

/// Nothing kept, and a clock that stands still.
pub async fn start() -> (Embedded, Arc<ManualClock>) {
    let clock = ManualClock::new();
    (Embedded::start(options(None, clock.clone())).await.unwrap(), clock)
}

pub async fn start_in(folder: &TestFolder) -> Embedded {
    Embedded::start(options(Some(folder.0.clone()), ManualClock::new())).await.unwrap()
}

/// A program that has the key of the services.
pub struct Caller {
    pub urls: [String; 3],
    pub credentials: Credentials,
    pub clock: Arc<ManualClock>,
}

impl Caller {
    pub fn of(embedded: &Embedded, clock: &Arc<ManualClock>) -> Self {
        let urls = [embedded.dynamodb_url(), embedded.s3_url(), embedded.sqs_url()];
        let credentials = embedded.credentials().clone();
        Self { urls: urls.map(str::to_owned), credentials, clock: clock.clone() }
    }
}

/// A clock's time, for the SDK.
#[derive(Debug)]
struct TestTime(Arc<ManualClock>);

impl TimeSource for TestTime {
    fn now(&self) -> SystemTime {
        UNIX_EPOCH + Duration::from_millis(self.0.now().millis().unsigned_abs())
    }
}

/// Presigned URLs are valid for an hour of a clock.
pub fn an_hour(clock: &Arc<ManualClock>) -> PresigningConfig {
    let hour = PresigningConfig::builder().expires_in(Duration::from_secs(3600));
    hour.start_time(TimeSource::now(&TestTime(clock.clone()))).build().unwrap()
}

macro_rules! client {
    ($name:ident, $number:literal, $sdk:ident $(, $option:ident)*) => {
        impl Caller {
            pub fn $name(&self) -> $sdk::Client {
                let keys = self.credentials.clone();
                let credentials = $sdk::config::Credentials::new(
                    keys.access_key, keys.secret_key, None, None, "test",
                );
                let config = $sdk::Config::builder()
                    .behavior_version_latest()
                    .region($sdk::config::Region::new(Credentials::REGION))
                    .credentials_provider(credentials)
                    .retry_config($sdk::config::retry::RetryConfig::disabled())
                    .http_client(aws_smithy_http_client::Builder::new().build_http())
                    .endpoint_url(&self.urls[$number])
                    .time_source(SharedTimeSource::new(TestTime(self.clock.clone())))
                    $(.$option(true))*
                    .build();
                $sdk::Client::from_conf(config)
            }
        }
    };
}

client!(dynamodb, 0, aws_sdk_dynamodb);
client!(s3, 1, aws_sdk_s3, force_path_style);
client!(sqs, 2, aws_sdk_sqs);
