//! The rules engine or another one, with a switch for what providers do on bad days.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use domain::{Clock, Timestamp};
use engine::{
    Analysis, AnalyzedOptimization, Answer, Engine, EngineError, EngineIdentity, GenerateBrief,
    Generation, Image, Material, Meter, Optimization, PromptBrief, RefineBrief, Refinement,
    Reversal, ReverseBrief,
};
use futures::{FutureExt, future::pending};
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
    /// It works without an end.
    Endless,
    /// Its code is broken.
    Panics,
}

/// Delegates to the rules engine, or to the one that takes its place, unless told otherwise; counts how often it was
/// asked.
#[derive(Clone)]
pub struct ScriptedEngine {
    inner: Arc<Mutex<Arc<dyn Engine>>>,
    meter: Meter,
    behavior: Arc<Mutex<Behavior>>,
    asked: Arc<AtomicUsize>,
    seen: Arc<Mutex<Vec<Image>>>,
}

impl Default for ScriptedEngine {
    fn default() -> Self {
        Self {
            inner: Arc::new(Mutex::new(Arc::new(Rules))),
            meter: Meter::default(),
            behavior: Arc::default(),
            asked: Arc::default(),
            seen: Arc::default(),
        }
    }
}

impl ScriptedEngine {
    /// Delegates to `engine` from now on.
    pub fn replace(&self, engine: impl Engine + 'static) {
        *self.inner.lock().expect("no test panics with it") = Arc::new(engine);
    }

    fn inner(&self) -> Arc<dyn Engine> {
        self.inner.lock().expect("no test panics with it").clone().metered(&self.meter)
    }

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
            Behavior::Endless => loop {
                budget::spend(1);
            },
            Behavior::Panics => panic!("as the test asked"),
        }
    }
}

impl Engine for ScriptedEngine {
    fn identity(&self) -> EngineIdentity {
        self.inner().identity()
    }

    fn metered(self: Arc<Self>, meter: &Meter) -> Arc<dyn Engine> {
        Arc::new(Self { meter: meter.clone(), ..(*self).clone() })
    }

    fn generate<'a>(
        &'a self,
        brief: &'a GenerateBrief,
        until: Timestamp,
    ) -> Answer<'a, Generation> {
        self.see(&brief.images);
        let engine = self.inner();
        self.answer(until, move || async move { engine.generate(brief, until).await }.boxed())
    }

    fn analyze<'a>(&'a self, brief: &'a PromptBrief, until: Timestamp) -> Answer<'a, Analysis> {
        self.see(&brief.images);
        let engine = self.inner();
        self.answer(until, move || async move { engine.analyze(brief, until).await }.boxed())
    }

    fn optimize<'a>(
        &'a self,
        brief: &'a PromptBrief,
        until: Timestamp,
    ) -> Answer<'a, Optimization> {
        self.see(&brief.images);
        let engine = self.inner();
        self.answer(until, move || async move { engine.optimize(brief, until).await }.boxed())
    }

    fn analyze_and_optimize<'a>(
        &'a self,
        brief: &'a PromptBrief,
        until: Timestamp,
    ) -> Answer<'a, AnalyzedOptimization> {
        self.see(&brief.images);
        let engine = self.inner();
        self.answer(until, move || {
            async move { engine.analyze_and_optimize(brief, until).await }.boxed()
        })
    }

    fn refine<'a>(&'a self, brief: &'a RefineBrief, until: Timestamp) -> Answer<'a, Refinement> {
        self.see(&brief.images);
        let engine = self.inner();
        self.answer(until, move || async move { engine.refine(brief, until).await }.boxed())
    }

    fn reverse<'a>(&'a self, brief: &'a ReverseBrief, until: Timestamp) -> Answer<'a, Reversal> {
        match &brief.material {
            Material::Image(image) => self.see(std::slice::from_ref(image)),
            Material::Video { frames, .. } => self.see(frames),
            Material::Text(_) | Material::Page(_) => self.see(&[]),
        }
        let engine = self.inner();
        self.answer(until, move || async move { engine.reverse(brief, until).await }.boxed())
    }
}
