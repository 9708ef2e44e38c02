//! A language model whose answers a test writes.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    time::Duration,
};

use domain::TokenUsage;
use futures::future::{BoxFuture, ready};
use llm::{
    Limits, Llm,
    provider::{Completion, Provider, ProviderError, Request},
};
use rules::Rules;
use serde_json::{Value, json};

use crate::World;

/// The tokens of each answer.
pub const TOKENS: TokenUsage = TokenUsage {
    requests: 1,
    input_tokens: 1_000,
    cached_input_tokens: 800,
    cache_write_tokens: 100,
    output_tokens: 200,
};

/// What a request to the model comes to.
pub type Sent = Result<Completion, ProviderError>;

/// A provider that plays what a test wrote, in order; then it is not available.
#[derive(Clone, Debug)]
pub struct ScriptedModel {
    name: &'static str,
    script: Arc<Mutex<VecDeque<Sent>>>,
}

impl ScriptedModel {
    /// A model of the provider `name`.
    pub fn new(name: &'static str, script: impl IntoIterator<Item = Sent>) -> Self {
        Self { name, script: Arc::new(Mutex::new(script.into_iter().collect())) }
    }

    /// An engine that asks it, in the time of `world`.
    pub fn engine(self, world: &World) -> Llm {
        let limits = Limits { timeout: Duration::from_secs(60), max_output_tokens: 1_000 };
        let (clock, random) = (world.store.clock().clone(), world.store.random().clone());
        Llm::new(Box::new(self), Arc::new(Rules), limits, clock, random)
    }
}

/// An answer with [`TOKENS`].
pub fn answered(answer: Value) -> Sent {
    Ok(Completion { answer: Ok(answer), usage: TOKENS })
}

/// An answer with [`TOKENS`] that is worth nothing.
pub fn wasted(error: ProviderError) -> Sent {
    Ok(Completion { answer: Err(error), usage: TOKENS })
}

/// The answer to a refinement that applies `feedback` as a whole.
pub fn refinement(feedback: &str, prompt: &str) -> Value {
    json!({
        "reasoning": "As the feedback asks.",
        "prompt": prompt,
        "systemPrompt": null,
        "negativePrompt": null,
        "parameters": [],
        "removed": [],
        "feedbackItems": [{"text": feedback, "status": "applied", "reason": "It is done."}],
        "variables": [],
    })
}

impl Provider for ScriptedModel {
    fn name(&self) -> &'static str {
        self.name
    }

    fn model(&self) -> &str {
        "scripted-1"
    }

    fn complete<'a>(&'a self, _: &'a Request<'a>, _: Duration) -> BoxFuture<'a, Sent> {
        let next = self.script.lock().expect("no test panics with it").pop_front();
        let gone =
            ProviderError::Server { status: 503, retry_after: Some(Duration::from_secs(900)) };
        Box::pin(ready(next.unwrap_or(Err(gone))))
    }
}
