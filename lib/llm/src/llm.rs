//! The engine that asks a language model.

use std::{fmt, sync::Arc};

use domain::{Clock, Random, Timestamp};
use engine::{
    Analysis, AnalyzedOptimization, Answer, Engine, EngineIdentity, GenerateBrief, Generation,
    Material, Meter, Optimization, PromptBrief, RefineBrief, Refinement, Reversal, ReverseBrief,
};
use futures::FutureExt;
use image_analysis::recover;

use crate::{model::Model, operations, provider::Provider, retry::Limits};

/// Runs the workflows with a language model, and checks its answers. Another engine, offline, says what is known of a
/// prompt, and judges versions by it. A picture that contains its prompt needs no model: it goes to that engine.
pub struct Llm {
    model: Model,
    offline: Arc<dyn Engine>,
}

impl Llm {
    /// An engine that uses `provider`, and `offline`, which answers at once, for what needs no model.
    pub fn new(
        provider: Box<dyn Provider>,
        offline: Arc<dyn Engine>,
        limits: Limits,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
    ) -> Self {
        Self { model: Model::new(provider, limits, clock, random), offline }
    }
}

impl fmt::Debug for Llm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Llm").field("model", &self.model).finish_non_exhaustive()
    }
}

impl Engine for Llm {
    fn identity(&self) -> EngineIdentity {
        self.model.identity()
    }

    fn metered(self: Arc<Self>, meter: &Meter) -> Arc<dyn Engine> {
        Arc::new(Self { model: self.model.metered(meter), offline: self.offline.clone() })
    }

    fn generate<'a>(
        &'a self,
        brief: &'a GenerateBrief,
        until: Timestamp,
    ) -> Answer<'a, Generation> {
        operations::generate(&self.model, brief, until).boxed()
    }

    fn analyze<'a>(&'a self, brief: &'a PromptBrief, until: Timestamp) -> Answer<'a, Analysis> {
        operations::analyze(&self.model, &*self.offline, brief, until).boxed()
    }

    fn optimize<'a>(
        &'a self,
        brief: &'a PromptBrief,
        until: Timestamp,
    ) -> Answer<'a, Optimization> {
        operations::optimize(&self.model, &*self.offline, brief, until).boxed()
    }

    fn analyze_and_optimize<'a>(
        &'a self,
        brief: &'a PromptBrief,
        until: Timestamp,
    ) -> Answer<'a, AnalyzedOptimization> {
        operations::analyze_and_optimize(&self.model, &*self.offline, brief, until).boxed()
    }

    fn refine<'a>(&'a self, brief: &'a RefineBrief, until: Timestamp) -> Answer<'a, Refinement> {
        operations::refine(&self.model, brief, until).boxed()
    }

    fn reverse<'a>(&'a self, brief: &'a ReverseBrief, until: Timestamp) -> Answer<'a, Reversal> {
        if matches!(&brief.material, Material::Image(image) if recover(&image.bytes).is_some()) {
            return self.offline.reverse(brief, until);
        }
        operations::reverse(&self.model, brief, until).boxed()
    }
}
