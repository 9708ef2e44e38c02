//! Secrets from AWS Secrets Manager and Parameter Store.
//!
//! A function reads its secrets at start, so that they are in no variable that everybody sees who
//! may read its configuration. Each is one signed request. The SDKs of the two services would do
//! the same, but one of them alone takes longer to compile than all that the engines link.

mod environment;
mod request;

use std::{fmt, time::Duration};

use domain::{Clock, Timestamp};
use reqwest::Client;
use serde_json::{Value, json};

pub use aws_config::SdkConfig;
pub use environment::Environment;
use request::{Failure, Request};

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

/// Where a secret is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the parameter store of AWS Systems Manager, by name or ARN.
    Parameter(String),
    /// In AWS Secrets Manager, by name or ARN.
    Secret(String),
}

impl Place {
    /// Parses `ssm:<parameter>` or `secretsmanager:<secret>`.
    pub fn parse(text: &str) -> Option<Self> {
        match text.split_once(':')? {
            (_, "") => None,
            ("ssm", name) => Some(Self::Parameter(name.to_owned())),
            ("secretsmanager", name) => Some(Self::Secret(name.to_owned())),
            _ => None,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parameter(name) => write!(f, "ssm:{name}"),
            Self::Secret(name) => write!(f, "secretsmanager:{name}"),
        }
    }
}

/// A secret cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the secret in {place} cannot be read: {reason}")]
pub struct ReadError {
    /// Where it is stored.
    pub place: String,
    /// Why it cannot be read.
    pub reason: String,
}

/// Reads secrets while a function starts. Whoever needs several reads them side by side, so that all have the time of
/// one.
#[derive(Debug)]
pub struct Reader<'a> {
    aws: &'a SdkConfig,
    clock: &'a dyn Clock,
    client: Client,
    /// No try begins after this.
    until: Timestamp,
}

impl<'a> Reader<'a> {
    /// A reader with the region, credentials and endpoint of `aws`, which was loaded from `environment`.
    ///
    /// # Errors
    ///
    /// The system has no usable store of certificates.
    pub fn new(
        environment: Environment,
        aws: &'a SdkConfig,
        clock: &'a dyn Clock,
    ) -> Result<Self, reqwest::Error> {
        let client = environment.client()?;
        Ok(Self { aws, clock, client, until: clock.now() + START_BUDGET })
    }

    /// The secret that is stored at `place`.
    ///
    /// # Errors
    ///
    /// [`ReadError`], after seven seconds if another try could have helped. A refusal for lack of rights is tried
    /// again too: a function may start before the right that it was deployed with is known everywhere.
    pub async fn read(&self, place: &Place) -> Result<String, ReadError> {
        let request = match place {
            Place::Parameter(name) => {
                Request::parameter(json!({"Name": name, "WithDecryption": true}))
            }
            Place::Secret(name) => Request::secret(json!({"SecretId": name})),
        };
        self.ask(&request)
            .await
            .map_err(|failure| ReadError { place: place.to_string(), reason: failure.to_string() })
    }

    /// The value that a secret of Secrets Manager had before its present one; `None` if it never
    /// had another.
    ///
    /// # Errors
    ///
    /// As [`Reader::read`].
    pub async fn read_previous(&self, secret: &str) -> Result<Option<String>, ReadError> {
        let request = Request::secret(json!({"SecretId": secret, "VersionStage": "AWSPREVIOUS"}));
        match self.ask(&request).await {
            Ok(text) => Ok(Some(text)),
            Err(Failure::Missing(_)) => Ok(None),
            Err(failure) => Err(ReadError {
                place: Place::Secret(format!("{secret} (AWSPREVIOUS)")).to_string(),
                reason: failure.to_string(),
            }),
        }
    }

    async fn ask(&self, request: &Request) -> Result<String, Failure> {
        let mut pause = PAUSE;
        loop {
            let now = self.clock.now();
            let time = self.until.since(now).clamp(LEAST_TIME, ATTEMPT_TIMEOUT);
            let sent = request.send(&self.client, self.aws, now, time);
            let failure = match sent.await.and_then(|answer| text(request, &answer)) {
                Ok(text) => return Ok(text),
                Err(failure) => failure,
            };
            let next = self.clock.now() + pause;
            if !failure.is_transient() || next + LEAST_TIME > self.until {
                return Err(failure);
            }
            tracing::warn!(error = %failure, "a secret is asked for again");
            self.clock.sleep_until(next).await;
            pause = LONGEST_PAUSE.min(pause * 2);
        }
    }
}

fn text(request: &Request, answer: &Value) -> Result<String, Failure> {
    let text = answer.pointer(request.value).and_then(Value::as_str);
    text.map(str::to_owned).ok_or_else(|| Failure::Refused("it has no text".to_owned()))
}
