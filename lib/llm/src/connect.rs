//! Creates the engines of a deployment.

use std::sync::Arc;

use aws_config::{Region, SdkConfig};
use domain::{Clock, Random};
use engine::{Engine, Fallback};

use crate::{
    aws::{self, Keys},
    config::{EngineConfig, EngineName, Http},
    connect_error::ConnectError,
    llm::Llm,
    provider::Provider,
    providers::{Anthropic, Bedrock, OpenAi},
};

/// The engine that `config` describes: `rules` alone, one language model, or several of them in
/// order. Keys are fetched here, once; AWS is only called if the configuration uses it.
///
/// # Errors
///
/// [`ConnectError`].
pub async fn connect(
    config: &EngineConfig,
    rules: Arc<dyn Engine>,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
) -> Result<Arc<dyn Engine>, ConnectError> {
    connect_on(config, &aws::load(config).await, rules, clock, random).await
}

/// As [`connect`], with the given AWS configuration.
///
/// # Errors
///
/// [`ConnectError`].
pub async fn connect_on(
    config: &EngineConfig,
    aws: &SdkConfig,
    rules: Arc<dyn Engine>,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
) -> Result<Arc<dyn Engine>, ConnectError> {
    let mut engines: Vec<Arc<dyn Engine>> = Vec::new();
    let keys = Keys::new(aws, &*clock);
    for name in &config.engines {
        engines.push(match provider(*name, config, &keys).await? {
            None => rules.clone(),
            Some(provider) => Arc::new(Llm::new(
                provider,
                rules.clone(),
                config.limits,
                clock.clone(),
                random.clone(),
            )),
        });
    }
    match engines.len() {
        0 => Err(ConnectError::Settings("rules")),
        1 => Ok(engines.swap_remove(0)),
        _ => Ok(Arc::new(Fallback::new(engines, clock))),
    }
}

/// The provider of an engine; the rules have none.
pub(crate) async fn provider(
    name: EngineName,
    config: &EngineConfig,
    keys: &Keys<'_>,
) -> Result<Option<Box<dyn Provider>>, ConnectError> {
    Ok(Some(match name {
        EngineName::Rules => return Ok(None),
        EngineName::OpenAi => {
            let Http { base, model, key } =
                config.openai.as_ref().ok_or(ConnectError::Settings("openai"))?;
            Box::new(OpenAi::new(base, model, keys.fetch(key.as_ref()).await?)?)
        }
        EngineName::Anthropic => {
            let Http { base, model, key } =
                config.anthropic.as_ref().ok_or(ConnectError::Settings("anthropic"))?;
            Box::new(Anthropic::new(base, model, keys.fetch(key.as_ref()).await?)?)
        }
        EngineName::Bedrock => {
            let bedrock = config.bedrock.as_ref().ok_or(ConnectError::Settings("bedrock"))?;
            let region = bedrock.region.clone().map(Region::new);
            let aws = match region {
                Some(region) => keys.aws.to_builder().region(region).build(),
                None => keys.aws.clone(),
            };
            Box::new(Bedrock::new(&aws, &bedrock.model))
        }
    }))
}
