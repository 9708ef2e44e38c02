//! An engine that takes its time, and fails at times.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use domain::{Clock as _, Timestamp, TokenUsage};
use engine::{
    Analysis, AnalyzedOptimization, Answer, Engine, EngineError, EngineIdentity, EngineKind,
    GenerateBrief, Generation, Meter, Optimization, PromptBrief, RefineBrief, Refinement, Reversal,
    ReverseBrief,
};
use rules::Rules;

use crate::{processes::Process, simulation::Simulation};

/// What a goal begins with whose result no item of the table holds.
pub const LARGE: &str = "Much about";

/// An engine in a process.
pub struct SlowEngine {
    /// What goes on around it.
    pub simulation: Arc<Simulation>,
    /// The process.
    pub process: Process,
    /// Counts the tokens of a model that it seems to ask.
    pub meter: Meter,
}

/// The tokens of each answer.
const TOKENS: TokenUsage = TokenUsage {
    requests: 1,
    input_tokens: 1_000,
    cached_input_tokens: 800,
    cache_write_tokens: 100,
    output_tokens: 200,
};

/// A text that does not become shorter by compression.
pub fn incompressible() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| {
        let mut rng = fastrand::Rng::with_seed(7);
        let letters = 0x4e00..0x9fa0;
        (0..20_000).filter_map(|_| char::from_u32(rng.u32(letters.clone()))).collect()
    })
}

impl SlowEngine {
    fn answer<'a, T: Send + 'a>(
        &'a self,
        until: Timestamp,
        works: impl FnOnce() -> Answer<'a, T>,
    ) -> Answer<'a, T> {
        let random = &self.simulation.random;
        if self.simulation.are_faults_off() {
            self.meter.add("simulated", "model", TOKENS);
            return works();
        }
        let (shortest, longest) =
            random.pick(&[(5, 500), (5, 500), (5, 500), (500, 28_000), (20_000, 200_000)]);
        let [shortest, longest] = [shortest, longest].map(Duration::from_millis);
        let time = random.time(shortest, longest);
        let failure = match random.below(20) {
            0 => Some(EngineError::Unavailable { retry_after: None }),
            1 => Some(EngineError::Timeout),
            _ => None,
        };
        let works = match failure {
            Some(error) => Box::pin(async { Err(error) }),
            None => works(),
        };
        let asked = self.process.now();
        Box::pin(async move {
            let done = asked + time;
            self.process.sleep_until(done.min(until)).await;
            if done > until {
                return Err(EngineError::Timeout);
            }
            self.meter.add("simulated", "model", TOKENS);
            works.await
        })
    }
}

impl Engine for SlowEngine {
    fn identity(&self) -> EngineIdentity {
        let kind = match self.simulation.asks_model {
            true => EngineKind::Llm,
            false => EngineKind::Rules,
        };
        EngineIdentity { kind, ..Rules.identity() }
    }

    fn metered(self: Arc<Self>, meter: &Meter) -> Arc<dyn Engine> {
        let (simulation, process) = (self.simulation.clone(), self.process.clone());
        Arc::new(Self { simulation, process, meter: meter.clone() })
    }

    fn generate<'a>(
        &'a self,
        brief: &'a GenerateBrief,
        until: Timestamp,
    ) -> Answer<'a, Generation> {
        static MADE: OnceLock<Generation> = OnceLock::new();
        self.answer(until, || {
            Box::pin(async move {
                if MADE.get().is_none() {
                    let message = "A haiku".to_owned();
                    let brief = GenerateBrief {
                        message,
                        current_prompt: None,
                        previous: None,
                        images: Vec::new(),
                        ..brief.clone()
                    };
                    let _ = MADE.set(Rules.generate(&brief, until).await?);
                }
                let mut made = MADE.get().expect("it is made").clone();
                if brief.message.starts_with(LARGE) {
                    made.prompt = incompressible().to_owned();
                }
                Ok(made)
            })
        })
    }

    fn analyze<'a>(&'a self, brief: &'a PromptBrief, until: Timestamp) -> Answer<'a, Analysis> {
        self.answer(until, || Rules.analyze(brief, until))
    }

    fn optimize<'a>(
        &'a self,
        brief: &'a PromptBrief,
        until: Timestamp,
    ) -> Answer<'a, Optimization> {
        self.answer(until, || Rules.optimize(brief, until))
    }

    fn analyze_and_optimize<'a>(
        &'a self,
        brief: &'a PromptBrief,
        until: Timestamp,
    ) -> Answer<'a, AnalyzedOptimization> {
        self.answer(until, || Rules.analyze_and_optimize(brief, until))
    }

    fn refine<'a>(&'a self, brief: &'a RefineBrief, until: Timestamp) -> Answer<'a, Refinement> {
        self.answer(until, || Rules.refine(brief, until))
    }

    fn reverse<'a>(&'a self, brief: &'a ReverseBrief, until: Timestamp) -> Answer<'a, Reversal> {
        static MADE: OnceLock<Reversal> = OnceLock::new();
        self.answer(until, || {
            Box::pin(async move {
                if MADE.get().is_none() {
                    let _ = MADE.set(Rules.reverse(brief, until).await?);
                }
                Ok(MADE.get().expect("it is made").clone())
            })
        })
    }
}
