//! Secrets from AWS Secrets Manager.
//!
//! A function reads its secrets at start, so that they are in no variable that everybody sees who
//! may read its configuration.

mod environment;

use std::time::Duration;

use aws_sdk_secretsmanager::{
    Client,
    config::{Builder, retry::RetryConfig, timeout::TimeoutConfig},
    error::{ProvideErrorMetadata, SdkError},
    operation::get_secret_value::GetSecretValueError,
};
use domain::{Clock, Timestamp};

pub use aws_config::SdkConfig;
pub use environment::Environment;

/// For how long a reader asks, from when it was made. Lambda gives a function ten seconds to start; what it does
/// besides takes two at most.
const START_BUDGET: Duration = Duration::from_secs(7);
/// Time limit of one try.
const ATTEMPT_TIMEOUT: Duration = Duration::from_millis(2_500);
/// Least time that a try is given.
const LEAST_TIME: Duration = Duration::from_millis(500);
/// Pause before the first retry; doubles with each further one, up to [`LONGEST_PAUSE`].
const PAUSE: Duration = Duration::from_millis(200);
/// Longest pause between two tries.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);
/// Most characters of a service's words that are repeated.
const EXCERPT: usize = 300;

/// A secret cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the secret {id} cannot be read: {reason}")]
pub struct ReadError {
    /// Its name or ARN.
    pub id: String,
    /// Why it cannot be read.
    pub reason: String,
}

/// Reads secrets while a function starts. Whoever needs several reads them side by side, so that all have the time of
/// one.
#[derive(Debug)]
pub struct Reader<'a> {
    client: Client,
    clock: &'a dyn Clock,
    /// No try begins after this.
    until: Timestamp,
}

impl<'a> Reader<'a> {
    /// A reader with the region, credentials and endpoint of `aws`.
    pub fn new(aws: &SdkConfig, clock: &'a dyn Clock) -> Self {
        // Tries are repeated here: the SDK takes a right that is not known yet for a refusal.
        let config = Builder::from(aws).retry_config(RetryConfig::disabled()).build();
        Self { client: Client::from_conf(config), clock, until: clock.now() + START_BUDGET }
    }

    /// The text of a secret, by its name or ARN.
    ///
    /// # Errors
    ///
    /// [`ReadError`], after seven seconds if another try could have helped. A refusal for lack of rights is tried
    /// again too: a function may start before the right that it was deployed with is known everywhere.
    pub async fn read(&self, id: &str) -> Result<String, ReadError> {
        self.version(id, "AWSCURRENT").await?.ok_or_else(|| ReadError {
            id: id.to_owned(),
            reason: "there is no such secret".to_owned(),
        })
    }

    /// The text that a secret had before its present one; `None` if it never had another.
    ///
    /// # Errors
    ///
    /// As [`Reader::read`].
    pub async fn read_previous(&self, id: &str) -> Result<Option<String>, ReadError> {
        self.version(id, "AWSPREVIOUS").await
    }

    /// The text of a version of a secret; `None` if there is no such version.
    async fn version(&self, id: &str, stage: &str) -> Result<Option<String>, ReadError> {
        let unreadable = |reason| ReadError { id: id.to_owned(), reason };
        let mut pause = PAUSE;
        loop {
            let time = self.until.since(self.clock.now()).clamp(LEAST_TIME, ATTEMPT_TIMEOUT);
            let limits = TimeoutConfig::builder().operation_timeout(time).build();
            let asked = self.client.get_secret_value().secret_id(id).version_stage(stage);
            let answer = asked.customize().config_override(Builder::new().timeout_config(limits));
            let error = match answer.send().await {
                Ok(found) => {
                    let text = found.secret_string.ok_or_else(|| "it has no text".to_owned());
                    return text.map(Some).map_err(unreadable);
                }
                Err(error) => error,
            };
            if error
                .as_service_error()
                .is_some_and(GetSecretValueError::is_resource_not_found_exception)
            {
                return Ok(None);
            }
            let next = self.clock.now() + pause;
            if !is_transient(&error) || next + LEAST_TIME > self.until {
                return Err(unreadable(reason(&error)));
            }
            tracing::warn!(error = %reason(&error), "a secret is asked for again");
            self.clock.sleep_until(next).await;
            pause = LONGEST_PAUSE.min(pause * 2);
        }
    }
}

/// Whether another try may succeed.
fn is_transient(error: &SdkError<GetSecretValueError>) -> bool {
    match error {
        SdkError::ServiceError(refused) => {
            let status = refused.raw().status();
            // Rights that a deployment grants are known everywhere some seconds later (AWS, "Changes that I make are
            // not always immediately visible").
            let is_passing =
                |code: &str| code == "AccessDeniedException" || code.contains("Throttl");
            status.is_server_error()
                || status.as_u16() == 429
                || refused.err().code().is_some_and(is_passing)
        }
        SdkError::DispatchFailure(failure) => failure.is_io() || failure.is_timeout(),
        SdkError::TimeoutError(_) | SdkError::ResponseError(_) => true,
        _ => false,
    }
}

/// What an error says: the service's own words, or the last cause, since the outer ones only say which step failed.
fn reason(error: &SdkError<GetSecretValueError>) -> String {
    let words = match error {
        SdkError::ServiceError(refused) => {
            let status = refused.raw().status().as_u16();
            let [code, message] = [refused.err().code(), refused.err().message()];
            format!("status {status}: {} {}", code.unwrap_or_default(), message.unwrap_or_default())
        }
        _ => std::iter::successors(Some(error as &dyn std::error::Error), |error| error.source())
            .last()
            .map(ToString::to_string)
            .unwrap_or_default(),
    };
    words.chars().take(EXCERPT).collect()
}
