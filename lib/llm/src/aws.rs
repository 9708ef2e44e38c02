//! AWS configuration, and API keys from Parameter Store and Secrets Manager.

use aws_config::SdkConfig;
use aws_secrets::{ReadError, Reader};
use domain::Clock;

use crate::{
    config::{EngineConfig, Http, KeySource},
    connect_error::ConnectError,
    secret::Secret,
};

/// AWS configuration from the environment, which is only read if the engines use AWS.
pub(crate) async fn load(config: &EngineConfig) -> SdkConfig {
    let keys = [&config.openai, &config.anthropic].into_iter().flatten();
    let stored = |http: &Http| matches!(http.key, Some(KeySource::Stored(_)));
    if config.bedrock.is_some() || keys.into_iter().any(stored) {
        aws_secrets::environment().await
    } else {
        SdkConfig::builder().build()
    }
}

/// Reads keys from AWS.
#[derive(Debug)]
pub(crate) struct Keys<'a> {
    /// Region, credentials and endpoint.
    pub aws: &'a SdkConfig,
    clock: &'a dyn Clock,
}

impl<'a> Keys<'a> {
    /// Keys that `aws` gives.
    pub fn new(aws: &'a SdkConfig, clock: &'a dyn Clock) -> Self {
        Self { aws, clock }
    }

    /// Fetches the key from its source.
    pub async fn fetch(&self, source: Option<&KeySource>) -> Result<Option<Secret>, ConnectError> {
        let place = match source {
            None => return Ok(None),
            Some(KeySource::Given(key)) => return Ok(Some(key.clone())),
            Some(KeySource::Stored(place)) => place,
        };
        let text = Reader::new(self.aws, self.clock)?.read(place).await?;
        let text = text.trim();
        if text.is_empty() || !text.chars().all(|c| c.is_ascii_graphic()) {
            let reason = "it has no key as plain text".to_owned();
            return Err(ReadError { place: place.to_string(), reason }.into());
        }
        Ok(Some(Secret::new(text)))
    }
}
