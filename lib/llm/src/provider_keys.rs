//! What is read from AWS for the engines of a deployment: configuration, and API keys from Secrets Manager.

use aws_config::SdkConfig;
use aws_secrets::{ReadError, Reader};
use domain::Clock;
use futures::future::try_join;

use crate::{
    config::{EngineConfig, Http, KeySource},
    connect_error::ConnectError,
    secret::Secret,
};

/// The keys of a deployment's providers, and its AWS configuration. They are read once, when a function starts, for all
/// that work with the providers.
#[derive(Debug)]
pub struct ProviderKeys {
    pub(crate) aws: SdkConfig,
    pub(crate) openai: Option<Secret>,
    pub(crate) anthropic: Option<Secret>,
}

impl ProviderKeys {
    /// Fetches the keys of the engines that `config` names, with the AWS configuration of the environment. AWS is only
    /// called if the configuration uses it.
    ///
    /// # Errors
    ///
    /// [`ConnectError`].
    pub async fn fetch(config: &EngineConfig, clock: &dyn Clock) -> Result<Self, ConnectError> {
        let keys = [&config.openai, &config.anthropic].into_iter().flatten();
        let stored = |http: &Http| matches!(http.key, Some(KeySource::Stored(_)));
        let aws = if config.bedrock.is_some() || keys.into_iter().any(stored) {
            config.environment.load().await
        } else {
            SdkConfig::builder().build()
        };
        Self::fetch_on(config, &aws, clock).await
    }

    /// As [`ProviderKeys::fetch`], with the given AWS configuration.
    ///
    /// # Errors
    ///
    /// [`ConnectError`].
    pub async fn fetch_on(
        config: &EngineConfig,
        aws: &SdkConfig,
        clock: &dyn Clock,
    ) -> Result<Self, ConnectError> {
        let (openai, anthropic) = try_join(
            key(config.openai.as_ref(), aws, clock),
            key(config.anthropic.as_ref(), aws, clock),
        )
        .await?;
        Ok(Self { aws: aws.clone(), openai, anthropic })
    }
}

async fn key(
    http: Option<&Http>,
    aws: &SdkConfig,
    clock: &dyn Clock,
) -> Result<Option<Secret>, ConnectError> {
    let id = match http.and_then(|http| http.key.as_ref()) {
        None => return Ok(None),
        Some(KeySource::Given(key)) => return Ok(Some(key.clone())),
        Some(KeySource::Stored(id)) => id,
    };
    let text = Reader::new(aws, clock).read(id).await?;
    let text = text.trim();
    if text.is_empty() || !text.chars().all(|c| c.is_ascii_graphic()) {
        let reason = "it has no key as plain text".to_owned();
        return Err(ReadError { id: id.clone(), reason }.into());
    }
    Ok(Some(Secret::new(text)))
}
