//! What language models were asked for, in tokens.

use std::{iter::Sum, ops::AddAssign};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Tokens that a language model has read and written, as its provider reports them. All are 0 if it reports none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TokenUsage {
    /// Answers of the model, those that could not be used included.
    pub requests: u64,
    /// Tokens read, cached ones included.
    pub input_tokens: u64,
    /// Tokens of these that came from the provider's prompt cache.
    pub cached_input_tokens: u64,
    /// Tokens of these that were written to the provider's prompt cache.
    pub cache_write_tokens: u64,
    /// Tokens written, thinking included.
    pub output_tokens: u64,
}

impl AddAssign for TokenUsage {
    fn add_assign(&mut self, other: Self) {
        self.requests = self.requests.saturating_add(other.requests);
        self.input_tokens = self.input_tokens.saturating_add(other.input_tokens);
        self.cached_input_tokens =
            self.cached_input_tokens.saturating_add(other.cached_input_tokens);
        self.cache_write_tokens = self.cache_write_tokens.saturating_add(other.cache_write_tokens);
        self.output_tokens = self.output_tokens.saturating_add(other.output_tokens);
    }
}

impl Sum<TokenUsage> for TokenUsage {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |mut sum, tokens| {
            sum += tokens;
            sum
        })
    }
}

/// The tokens of one language model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModelUsage {
    /// Name of the engine that asked it.
    #[schema(example = "anthropic")]
    pub engine: String,
    /// Name of the language model.
    pub model: String,
    /// Its tokens.
    #[serde(flatten)]
    pub tokens: TokenUsage,
}

impl ModelUsage {
    /// Adds tokens to those of the same model in `all`.
    pub fn add_to(self, all: &mut Vec<Self>) {
        let same = |known: &&mut Self| (&known.engine, &known.model) == (&self.engine, &self.model);
        match all.iter_mut().find(same) {
            Some(known) => known.tokens += self.tokens,
            None => all.push(self),
        }
    }
}
