//! A clock moved by hand, a data folder of one's own, and the real SDK clients.
#![allow(dead_code, clippy::unwrap_used, missing_docs)]

pub mod bucket;
pub mod queue;

use std::{path::PathBuf, sync::Arc, time::Duration};

use domain::{Clock, Timestamp, clock::Sleep};
use embedded::{Credentials, Embedded, Options, Ports};
use tokio::sync::watch;

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
    Options { data_dir, clock, credentials: Credentials::default(), ports: Ports::default() }
}

/// Nothing kept, and a clock that stands still.
pub async fn start() -> (Embedded, Arc<ManualClock>) {
    let clock = ManualClock::new();
    (Embedded::start(options(None, clock.clone())).await.unwrap(), clock)
}

pub async fn start_in(folder: &TestFolder) -> Embedded {
    Embedded::start(options(Some(folder.0.clone()), ManualClock::new())).await.unwrap()
}

macro_rules! client {
    ($name:ident, $sdk:ident $(, $option:ident)*) => {
        pub fn $name(url: &str) -> $sdk::Client {
            let keys = Credentials::default();
            let credentials = $sdk::config::Credentials::new(
                keys.access_key, keys.secret_key, None, None, "test",
            );
            let config = $sdk::Config::builder()
                .behavior_version_latest()
                .region($sdk::config::Region::new(keys.region))
                .credentials_provider(credentials)
                .retry_config($sdk::config::retry::RetryConfig::disabled())
                .http_client(aws_smithy_http_client::Builder::new().build_http())
                .endpoint_url(url)
                $(.$option(true))*
                .build();
            $sdk::Client::from_conf(config)
        }
    };
}

client!(dynamodb, aws_sdk_dynamodb);
client!(s3, aws_sdk_s3, force_path_style);
client!(sqs, aws_sdk_sqs);
