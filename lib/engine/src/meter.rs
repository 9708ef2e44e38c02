//! Counts what engines ask of language models.

use std::sync::{Arc, Mutex, PoisonError};

use domain::{ModelUsage, TokenUsage};

/// Counts the tokens of everything that is asked with it. Its clones share one count.
#[derive(Clone, Debug, Default)]
pub struct Meter(Arc<Mutex<Vec<ModelUsage>>>);

impl Meter {
    /// Counts tokens of a model.
    pub fn add(&self, engine: &str, model: &str, tokens: TokenUsage) {
        let usage = ModelUsage { engine: engine.to_owned(), model: model.to_owned(), tokens };
        usage.add_to(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// What was counted so far, one entry for each model, in the order in which they were asked.
    pub fn read(&self) -> Vec<ModelUsage> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
