//! The rules engine, with a switch for what providers do on bad days.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use engine::{Engine, EngineError, EngineIdentity, GenerateBrief, Generation, Rules};
use futures::future::{BoxFuture, pending};

/// What the engine does next.
#[derive(Clone, Debug, Default)]
pub enum Mood {
    /// It works.
    #[default]
    Works,
    /// It never answers.
    Hangs,
    /// It fails.
    Fails(EngineError),
    /// Its code is broken.
    Panics,
}

/// Delegates to the rules engine unless told otherwise; counts how often it was asked.
#[derive(Clone, Default)]
pub struct Scripted {
    mood: Arc<Mutex<Mood>>,
    asked: Arc<AtomicUsize>,
}

impl Scripted {
    /// Sets what the engine does from now on.
    pub fn set(&self, mood: Mood) {
        *self.mood.lock().expect("no test panics with it") = mood;
    }

    /// How often it was asked.
    pub fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

impl Engine for Scripted {
    fn identity(&self) -> EngineIdentity {
        Rules.identity()
    }

    fn generate<'a>(
        &'a self,
        brief: &'a GenerateBrief,
    ) -> BoxFuture<'a, Result<Generation, EngineError>> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let mood = self.mood.lock().expect("no test panics with it").clone();
        match mood {
            Mood::Works => Rules.generate(brief),
            Mood::Hangs => Box::pin(pending()),
            Mood::Fails(error) => Box::pin(async { Err(error) }),
            Mood::Panics => panic!("as the test asked"),
        }
    }
}
