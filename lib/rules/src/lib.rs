//! The engine that works without a language model.

mod analyze;
mod convert;
mod dialect;
mod draft;
mod generate;
mod goal;
mod knowledge;
mod optimize;
mod outline;
mod refine;
mod reverse;
mod split;
mod task;
mod title;
mod visual;
mod wording;

use std::sync::Arc;

use domain::Timestamp;
use futures::FutureExt;

use self::wording::{Voice, said};
use engine::{
    Analysis, AnalyzedOptimization, Answer, Engine, EngineIdentity, GenerateBrief, Generation,
    Image, Material, Meter, Mode, Optimization, PromptBrief, RefineBrief, Refinement, Reversal,
    ReverseBrief, TargetModel, tokens,
};
use text::language;

/// Characters of a prompt that its name is taken from.
const NAMING: usize = 2_000;

/// The offline engine: deterministic rules over data files.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rules;

impl Rules {
    /// Loads what the first result would otherwise wait for in every language: knowledge, messages and the tokenizer's
    /// vocabulary. Patterns are made when a text of their language comes.
    pub fn warm_up() {
        let _ = knowledge::recipe("", "en");
        let _ = Voice::of("de");
        let _ = tokens::estimate("", TargetModel::default());
    }
}

impl Engine for Rules {
    fn identity(&self) -> EngineIdentity {
        EngineIdentity::rules()
    }

    fn metered(self: Arc<Self>, _: &Meter) -> Arc<dyn Engine> {
        self
    }

    fn generate<'a>(&'a self, brief: &'a GenerateBrief, _: Timestamp) -> Answer<'a, Generation> {
        async move {
            let prompt = brief.current_prompt.as_deref().unwrap_or_default();
            reading(&[&brief.message, prompt], &brief.language, || generate::generate(brief))
        }
        .boxed()
    }

    fn analyze<'a>(&'a self, brief: &'a PromptBrief, _: Timestamp) -> Answer<'a, Analysis> {
        async move {
            let mut made = reading(&texts(brief), &brief.language, || analyze::analyze(brief))?;
            made.model_fit.notes.extend(notes(&brief.images, &brief.language));
            Ok(made)
        }
        .boxed()
    }

    fn optimize<'a>(&'a self, brief: &'a PromptBrief, _: Timestamp) -> Answer<'a, Optimization> {
        async move {
            let mut made = reading(&texts(brief), &brief.language, || optimize::optimize(brief))?;
            made.implementation_advice.extend(notes(&brief.images, &brief.language));
            Ok(made)
        }
        .boxed()
    }

    fn analyze_and_optimize<'a>(
        &'a self,
        brief: &'a PromptBrief,
        _: Timestamp,
    ) -> Answer<'a, AnalyzedOptimization> {
        async move {
            let mut made =
                reading(&texts(brief), &brief.language, || optimize::analyze_and_optimize(brief))?;
            made.analysis.model_fit.notes.extend(notes(&brief.images, &brief.language));
            Ok(made)
        }
        .boxed()
    }

    fn refine<'a>(&'a self, brief: &'a RefineBrief, _: Timestamp) -> Answer<'a, Refinement> {
        async move {
            let texts = [brief.prompt.as_str(), brief.feedback.as_str()];
            let mut made = reading(&texts, &brief.language, || refine::refine(brief))?;
            for note in notes(&brief.images, &brief.language) {
                made.reasoning.push(' ');
                made.reasoning.push_str(&note);
            }
            Ok(made)
        }
        .boxed()
    }

    fn reverse<'a>(&'a self, brief: &'a ReverseBrief, _: Timestamp) -> Answer<'a, Reversal> {
        async move {
            let text = match &brief.material {
                Material::Text(text) => text.clone(),
                Material::Page(page) => page.text(),
                Material::Image(_) | Material::Video { .. } => return reverse::reverse(brief),
            };
            reading(&[&text], &brief.language, || reverse::reverse(brief))
        }
        .boxed()
    }
}

/// Reads texts with the words of the languages that they tell; where they tell none, with those of `tag`.
fn reading<T>(texts: &[&str], tag: &str, read: impl FnOnce() -> T) -> T {
    language::reading(texts, Some(tag), read)
}

/// What is read of a prompt: it and what its author says about it.
fn texts(brief: &PromptBrief) -> [&str; 2] {
    [&brief.prompt, &brief.context]
}

/// What a result says beside what it is about: of attached pictures, and of a language that it cannot be in.
fn notes(images: &[Image], tag: &str) -> Vec<String> {
    let note =
        said("What attached pictures show was not recognised: describe in words what matters.");
    let note = (!images.is_empty()).then(|| Voice::of(tag).name(note));
    language::unspoken(tag).into_iter().chain(note).collect()
}

/// A short name for a prompt, at most 80 characters.
pub fn title_of(prompt: &str) -> String {
    // What a prompt is about stands at its beginning.
    let beginning: String = prompt.chars().take(NAMING).collect();
    language::reading(&[&beginning], None, || title::of(&beginning))
}

/// The identifier of the kind of task that a goal most likely means; `general` if none is clear.
pub fn task_of(goal: &str) -> &'static str {
    language::reading(&[goal], None, || &task::recognise(goal, "", Mode::Auto).id)
}
