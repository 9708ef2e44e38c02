//! Several engines in order of preference.

use std::{sync::Arc, time::Duration};

use domain::{Clock, Timestamp};
use futures::FutureExt;
use futures::future::{Either, select};

use crate::{
    Analysis, AnalyzedOptimization, Answer, Engine, EngineError, EngineIdentity, GenerateBrief,
    Generation, Meter, Optimization, PromptBrief, RefineBrief, Refinement, Reversal, ReverseBrief,
};

/// Time kept back for each engine that could still be asked.
const RESERVE: Duration = Duration::from_secs(3);

/// Asks engines in order until one gives a result. A result names the engine that made it, so a caller
/// sees when it was not the first.
///
/// Content that one engine rejects is not shown to the next: a rejection is an answer. Every other
/// failure passes the brief on. Whoever is not the last gets 3 s less for every engine behind it, and
/// is given up when that time is over.
pub struct Fallback {
    engines: Vec<Arc<dyn Engine>>,
    clock: Arc<dyn Clock>,
}

impl Fallback {
    /// Asks `engines` in this order.
    ///
    /// # Panics
    ///
    /// If there is no engine.
    pub fn new(engines: Vec<Arc<dyn Engine>>, clock: Arc<dyn Clock>) -> Self {
        assert!(!engines.is_empty(), "a fallback needs engines");
        Self { engines, clock }
    }

    async fn first<'a, T>(
        &'a self,
        until: Timestamp,
        ask: impl Fn(&'a dyn Engine, Timestamp) -> Answer<'a, T>,
    ) -> Result<T, EngineError> {
        let mut failure = EngineError::Timeout;
        for (behind, engine) in (0..self.engines.len() as u32).rev().zip(&self.engines) {
            let cut = until - RESERVE.saturating_mul(behind);
            // The last engine is not cut off: it is told the end, and may be one that needs no time.
            if behind > 0 && cut <= self.clock.now() {
                continue;
            }
            let answer = ask(engine.as_ref(), cut);
            let answer = if behind == 0 {
                answer.await
            } else {
                match select(answer, self.clock.sleep_until(cut)).await {
                    Either::Left((answer, _)) => answer,
                    Either::Right(_) => Err(EngineError::Timeout),
                }
            };
            match answer {
                Ok(_) | Err(EngineError::Rejected { .. }) => return answer,
                Err(error) => failure = error,
            }
        }
        Err(failure)
    }
}

impl Engine for Fallback {
    /// The first engine's.
    fn identity(&self) -> EngineIdentity {
        self.engines[0].identity()
    }

    fn metered(self: Arc<Self>, meter: &Meter) -> Arc<dyn Engine> {
        let engines = self.engines.iter().map(|engine| engine.clone().metered(meter)).collect();
        Arc::new(Self { engines, clock: self.clock.clone() })
    }

    fn generate<'a>(
        &'a self,
        brief: &'a GenerateBrief,
        until: Timestamp,
    ) -> Answer<'a, Generation> {
        self.first(until, move |engine, until| engine.generate(brief, until)).boxed()
    }

    fn analyze<'a>(&'a self, brief: &'a PromptBrief, until: Timestamp) -> Answer<'a, Analysis> {
        self.first(until, move |engine, until| engine.analyze(brief, until)).boxed()
    }

    fn optimize<'a>(
        &'a self,
        brief: &'a PromptBrief,
        until: Timestamp,
    ) -> Answer<'a, Optimization> {
        self.first(until, move |engine, until| engine.optimize(brief, until)).boxed()
    }

    fn analyze_and_optimize<'a>(
        &'a self,
        brief: &'a PromptBrief,
        until: Timestamp,
    ) -> Answer<'a, AnalyzedOptimization> {
        self.first(until, move |engine, until| engine.analyze_and_optimize(brief, until)).boxed()
    }

    fn refine<'a>(&'a self, brief: &'a RefineBrief, until: Timestamp) -> Answer<'a, Refinement> {
        self.first(until, move |engine, until| engine.refine(brief, until)).boxed()
    }

    fn reverse<'a>(&'a self, brief: &'a ReverseBrief, until: Timestamp) -> Answer<'a, Reversal> {
        self.first(until, move |engine, until| engine.reverse(brief, until)).boxed()
    }
}
