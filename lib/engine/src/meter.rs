//! Counts what engines ask of language models, and says whether they may ask.

use std::sync::{Arc, Mutex, PoisonError};

use domain::{ModelUsage, Timestamp, TokenUsage};

use crate::EngineError;

/// Counts the tokens of everything that is asked with it. Its clones share one count.
#[derive(Clone, Debug, Default)]
pub struct Meter {
    counted: Arc<Mutex<Vec<ModelUsage>>>,
    refused_until: Option<Timestamp>,
}

impl Meter {
    /// A meter with which no language model is asked, since the operator's budget is spent until then.
    pub fn refusing_until(until: Timestamp) -> Self {
        Self { refused_until: Some(until), ..Self::default() }
    }

    /// Whether a language model may be asked.
    ///
    /// # Errors
    ///
    /// [`EngineError::BudgetSpent`].
    pub fn may_ask(&self) -> Result<(), EngineError> {
        self.refused_until.map_or(Ok(()), |until| Err(EngineError::BudgetSpent { until }))
    }

    /// Counts tokens of a model.
    pub fn add(&self, engine: &str, model: &str, tokens: TokenUsage) {
        let usage = ModelUsage { engine: engine.to_owned(), model: model.to_owned(), tokens };
        usage.add_to(&mut self.counted.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// What was counted so far, one entry for each model, in the order in which they were asked.
    pub fn read(&self) -> Vec<ModelUsage> {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
