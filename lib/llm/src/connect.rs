//! Making the engines that a deployment has.

use std::sync::Arc;

use aws_config::{BehaviorVersion, Region, SdkConfig};
use domain::{Clock, Random};
use engine::{Engine, Fallback, Rules};

use crate::{
    config::{EngineConfig, EngineName, Http, KeySource},
    llm::Llm,
    provider::Provider,
    providers::{Anthropic, Bedrock, OpenAi},
    secret::Secret,
};

/// Why there is no engine.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// No secure connection can be made.
    #[error("no client for HTTPS can be made")]
    Client(#[from] reqwest::Error),
    /// A key cannot be fetched.
    #[error("the key in {place} cannot be read: {reason}")]
    Key {
        /// Where it should be.
        place: String,
        /// Why it cannot be read.
        reason: String,
    },
    /// Settings are missing; [`EngineConfig::read`] gives none that are.
    #[error("the settings of the engine {0} are missing")]
    Settings(&'static str),
}

/// The engine that `config` describes: rules alone, one language model, or several of them in order.
/// Keys are fetched here, once, and AWS is only asked where something of it is used.
///
/// # Errors
///
/// [`ConnectError`].
pub async fn connect(
    config: &EngineConfig,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
) -> Result<Arc<dyn Engine>, ConnectError> {
    connect_on(config, &aws(config).await, clock, random).await
}

/// As [`connect`], with AWS reached as `aws` says.
///
/// # Errors
///
/// [`ConnectError`].
pub async fn connect_on(
    config: &EngineConfig,
    aws: &SdkConfig,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
) -> Result<Arc<dyn Engine>, ConnectError> {
    let mut engines: Vec<Arc<dyn Engine>> = Vec::new();
    for name in &config.engines {
        engines.push(match provider(*name, config, aws).await? {
            None => Arc::new(Rules),
            Some(provider) => {
                Arc::new(Llm::new(provider, config.limits, clock.clone(), random.clone()))
            }
        });
    }
    match engines.len() {
        0 => Err(ConnectError::Settings("rules")),
        1 => Ok(engines.swap_remove(0)),
        _ => Ok(Arc::new(Fallback::new(engines, clock))),
    }
}

/// The provider that an engine asks; the rules ask none.
pub(crate) async fn provider(
    name: EngineName,
    config: &EngineConfig,
    aws: &SdkConfig,
) -> Result<Option<Box<dyn Provider>>, ConnectError> {
    Ok(Some(match name {
        EngineName::Rules => return Ok(None),
        EngineName::OpenAi => {
            let Http { base, model, key } =
                config.openai.as_ref().ok_or(ConnectError::Settings("openai"))?;
            Box::new(OpenAi::new(base, model, fetch(key.as_ref(), aws).await?)?)
        }
        EngineName::Anthropic => {
            let Http { base, model, key } =
                config.anthropic.as_ref().ok_or(ConnectError::Settings("anthropic"))?;
            Box::new(Anthropic::new(base, model, fetch(key.as_ref(), aws).await?)?)
        }
        EngineName::Bedrock => {
            let bedrock = config.bedrock.as_ref().ok_or(ConnectError::Settings("bedrock"))?;
            let region = bedrock.region.clone().map(Region::new);
            let aws = match region {
                Some(region) => aws.to_builder().region(region).build(),
                None => aws.clone(),
            };
            Box::new(Bedrock::new(&aws, &bedrock.model))
        }
    }))
}

/// AWS as the environment describes it, which is only looked at where something of it is used.
pub(crate) async fn aws(config: &EngineConfig) -> SdkConfig {
    if uses_aws(config) {
        aws_config::load_defaults(BehaviorVersion::latest()).await
    } else {
        SdkConfig::builder().build()
    }
}

fn uses_aws(config: &EngineConfig) -> bool {
    let keys = [&config.openai, &config.anthropic].into_iter().flatten();
    let kept =
        |http: &Http| matches!(http.key, Some(KeySource::Parameter(_) | KeySource::Secret(_)));
    config.bedrock.is_some() || keys.into_iter().any(kept)
}

/// The key from where it is.
pub(crate) async fn fetch(
    source: Option<&KeySource>,
    aws: &SdkConfig,
) -> Result<Option<Secret>, ConnectError> {
    let Some(source) = source else { return Ok(None) };
    let (place, text) = match source {
        KeySource::Given(key) => return Ok(Some(key.clone())),
        KeySource::Parameter(name) => {
            let place = format!("ssm:{name}");
            let client = aws_sdk_ssm::Client::new(aws);
            let answer = client.get_parameter().name(name).with_decryption(true).send().await;
            let answer = answer.map_err(|error| unreadable(&place, &error))?;
            (place, answer.parameter.and_then(|parameter| parameter.value))
        }
        KeySource::Secret(name) => {
            let place = format!("secretsmanager:{name}");
            let client = aws_sdk_secretsmanager::Client::new(aws);
            let answer = client.get_secret_value().secret_id(name).send().await;
            let answer = answer.map_err(|error| unreadable(&place, &error))?;
            (place, answer.secret_string)
        }
    };
    let usable = |text: &String| {
        let key = text.trim();
        !key.is_empty() && key.chars().all(|c| c.is_ascii_graphic())
    };
    match text.filter(usable) {
        Some(text) => Ok(Some(Secret::new(&text))),
        None => Err(ConnectError::Key { place, reason: "it has no key as plain text".to_owned() }),
    }
}

fn unreadable(place: &str, error: &(dyn std::error::Error + 'static)) -> ConnectError {
    let causes = std::iter::successors(Some(error), |error| (**error).source());
    let reason = causes.last().map(ToString::to_string).unwrap_or_default();
    ConnectError::Key { place: place.to_owned(), reason }
}
