//! Creates the engines of a deployment.

use std::sync::Arc;

use aws_config::Region;
use domain::{Clock, Random};
use engine::{Engine, Fallback};

use crate::{
    config::{EngineConfig, EngineName, Http},
    connect_error::ConnectError,
    llm::Llm,
    provider::Provider,
    provider_keys::ProviderKeys,
    providers::{Anthropic, Bedrock, OpenAi},
};

/// The engine that `config` describes: `rules` alone, one language model, or several of them in
/// order.
///
/// # Errors
///
/// [`ConnectError`].
pub fn connect(
    config: &EngineConfig,
    keys: &ProviderKeys,
    rules: Arc<dyn Engine>,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
) -> Result<Arc<dyn Engine>, ConnectError> {
    let mut engines: Vec<Arc<dyn Engine>> = Vec::new();
    for name in &config.engines {
        engines.push(match provider(*name, config, keys)? {
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
pub(crate) fn provider(
    name: EngineName,
    config: &EngineConfig,
    keys: &ProviderKeys,
) -> Result<Option<Box<dyn Provider>>, ConnectError> {
    Ok(Some(match name {
        EngineName::Rules => return Ok(None),
        EngineName::OpenAi => {
            let Http { base, model, .. } =
                config.openai.as_ref().ok_or(ConnectError::Settings("openai"))?;
            Box::new(OpenAi::new(base, model, keys.openai.clone())?.with_effort(config.effort))
        }
        EngineName::Anthropic => {
            let Http { base, model, .. } =
                config.anthropic.as_ref().ok_or(ConnectError::Settings("anthropic"))?;
            Box::new(
                Anthropic::new(base, model, keys.anthropic.clone())?.with_effort(config.effort),
            )
        }
        EngineName::Bedrock => {
            let bedrock = config.bedrock.as_ref().ok_or(ConnectError::Settings("bedrock"))?;
            let region = bedrock.region.clone().map(Region::new);
            let aws = match region {
                Some(region) => keys.aws.to_builder().region(region).build(),
                None => keys.aws.clone(),
            };
            Box::new(Bedrock::new(&aws, &bedrock.model).with_effort(config.effort))
        }
    }))
}
