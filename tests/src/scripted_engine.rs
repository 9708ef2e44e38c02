//! The rules engine, with a switch for what providers do on bad days.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use domain::{Clock, Timestamp};
use engine::{
    Analysis, AnalyzedOptimization, Answer, Engine, EngineError, EngineIdentity, GenerateBrief,
    Generation, Image, Material, Optimization, PromptBrief, RefineBrief, Refinement, Reversal,
    ReverseBrief,
};
use futures::future::pending;
use rules::Rules;

/// What the engine does next.
#[derive(Clone, Debug, Default)]
pub enum Behavior {
    /// It works.
    #[default]
    Works,
    /// It never answers.
    Hangs,
    /// It waits until nobody waits for it any more, by this clock, and then gives up.
    GivesUp(Arc<dyn Clock>),
    /// It works, but not before an instant of this clock.
    WorksAt(Arc<dyn Clock>, Timestamp),
    /// It fails.
    Fails(EngineError),
    /// Its code is broken.
    Panics,
}

/// Delegates to the rules engine unless told otherwise; counts how often it was asked.
#[derive(Clone, Default)]
pub struct ScriptedEngine {
    behavior: Arc<Mutex<Behavior>>,
    asked: Arc<AtomicUsize>,
    seen: Arc<Mutex<Vec<Image>>>,
}

impl ScriptedEngine {
    /// Sets what the engine does from now on.
    pub fn set(&self, behavior: Behavior) {
        *self.behavior.lock().expect("no test panics with it") = behavior;
    }

    /// How often it was asked.
    pub fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

impl ScriptedEngine {
    /// The pictures of the last brief.
    pub fn seen(&self) -> Vec<Image> {
        self.seen.lock().expect("no test panics with it").clone()
    }

    fn see(&self, images: &[Image]) {
        *self.seen.lock().expect("no test panics with it") = images.to_vec();
    }

    fn answer<'a, T: Send + 'a>(
        &self,
        until: Timestamp,
        works: impl FnOnce() -> Answer<'a, T> + Send + 'a,
    ) -> Answer<'a, T> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let behavior = self.behavior.lock().expect("no test panics with it").clone();
        match behavior {
            Behavior::Works => works(),
            Behavior::Hangs => Box::pin(pending()),
            Behavior::GivesUp(clock) => Box::pin(async move {
                clock.sleep_until(until).await;
                Err(EngineError::Timeout)
            }),
            Behavior::WorksAt(clock, instant) => Box::pin(async move {
                clock.sleep_until(instant).await;
                works().await
            }),
            Behavior::Fails(error) => Box::pin(async { Err(error) }),
            Behavior::Panics => panic!("as the test asked"),
        }
    }
}

impl Engine for ScriptedEngine {
    fn identity(&self) -> EngineIdentity {
        Rules.identity()
    }

    fn generate<'a>(
        &'a self,
        brief: &'a GenerateBrief,
        until: Timestamp,
    ) -> Answer<'a, Generation> {
        self.see(&brief.images);
        self.answer(until, move || Rules.generate(brief, until))
    }

    fn analyze<'a>(&'a self, brief: &'a PromptBrief, until: Timestamp) -> Answer<'a, Analysis> {
        self.see(&brief.images);
        self.answer(until, move || Rules.analyze(brief, until))
    }

    fn optimize<'a>(
        &'a self,
        brief: &'a PromptBrief,
        until: Timestamp,
    ) -> Answer<'a, Optimization> {
        self.see(&brief.images);
        self.answer(until, move || Rules.optimize(brief, until))
    }

    fn analyze_and_optimize<'a>(
        &'a self,
        brief: &'a PromptBrief,
        until: Timestamp,
    ) -> Answer<'a, AnalyzedOptimization> {
        self.see(&brief.images);
        self.answer(until, move || Rules.analyze_and_optimize(brief, until))
    }

    fn refine<'a>(&'a self, brief: &'a RefineBrief, until: Timestamp) -> Answer<'a, Refinement> {
        self.see(&brief.images);
        self.answer(until, move || Rules.refine(brief, until))
    }

    fn reverse<'a>(&'a self, brief: &'a ReverseBrief, until: Timestamp) -> Answer<'a, Reversal> {
        match &brief.material {
            Material::Image(image) => self.see(std::slice::from_ref(image)),
            Material::Video { frames, .. } => self.see(frames),
            Material::Text(_) | Material::Page(_) => self.see(&[]),
        }
        self.answer(until, move || Rules.reverse(brief, until))
    }
}
