//! The engine that works without a language model.

mod agent;
mod analyze;
mod attached;
mod companions;
mod continuing;
mod conversation;
mod convert;
mod courtesy;
mod dialect;
mod draft;
mod expertise;
mod facts;
mod form;
mod frame;
mod goal;
mod imperative;
mod knowledge;
mod literals;
mod material;
mod messages;
mod optimize;
mod outline;
mod quotes;
mod refine;
mod repeated;
mod reusable;
mod reverse;
mod sentence;
mod slots;
mod split;
mod task;
mod text;
mod title;
mod visual;
mod wording;

use domain::Timestamp;
use futures::FutureExt;

use self::attached::Attached;
use self::draft::Draft;
use ::text::{language, variables};
use engine::{
    Analysis, AnalyzedOptimization, Answer, Engine, EngineError, EngineIdentity, GenerateBrief,
    Generation, Mode, ModelKind, Optimization, OutputMode, PromptBrief, RefineBrief, Refinement,
    Reversal, ReverseBrief, TargetModel, Variable, tokens,
};

/// Characters of a prompt that its name is taken from.
const NAMING: usize = 2_000;

/// The offline engine: deterministic rules over data files.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rules;

impl Rules {
    /// Loads what the first result would otherwise wait for: knowledge, patterns and the tokenizer's
    /// vocabulary.
    pub fn warm_up() {
        let brief = GenerateBrief {
            message: "Write a short thank-you note to a colleague".to_owned(),
            mode: Mode::default(),
            output_mode: OutputMode::default(),
            target_model: TargetModel::default(),
            language: "en".to_owned(),
            current_prompt: None,
            conversation: Vec::new(),
            previous: None,
            images: Vec::new(),
        };
        let prompt = PromptBrief {
            prompt: brief.message.clone(),
            context: String::new(),
            language: "en".to_owned(),
            target_model: TargetModel::default(),
            variations: 2,
            images: Vec::new(),
        };
        // The results are ready at once; only what was loaded for them matters.
        let until = Timestamp::from_millis(0);
        let _ = Rules.generate(&brief, until).now_or_never();
        let _ = Rules.optimize(&prompt, until).now_or_never();
    }
}

impl Engine for Rules {
    fn identity(&self) -> EngineIdentity {
        EngineIdentity::rules()
    }

    fn generate<'a>(&'a self, brief: &'a GenerateBrief, _: Timestamp) -> Answer<'a, Generation> {
        async move {
            let attached = Attached::read(&brief.images)?;
            let mut made = finish(compose_with(&attached, brief)?, brief, EngineIdentity::rules());
            made.assumptions.extend(attached.note(&brief.language));
            Ok(made)
        }
        .boxed()
    }

    fn analyze<'a>(&'a self, brief: &'a PromptBrief, _: Timestamp) -> Answer<'a, Analysis> {
        async move {
            let attached = Attached::read(&brief.images)?;
            let mut made = analyze::analyze(brief)?;
            made.model_fit.notes.extend(notes(&attached, &brief.language));
            Ok(made)
        }
        .boxed()
    }

    fn optimize<'a>(&'a self, brief: &'a PromptBrief, _: Timestamp) -> Answer<'a, Optimization> {
        async move {
            let attached = Attached::read(&brief.images)?;
            let mut made = optimize::optimize(brief)?;
            made.implementation_advice.extend(notes(&attached, &brief.language));
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
            let attached = Attached::read(&brief.images)?;
            let mut made = optimize::analyze_and_optimize(brief)?;
            made.analysis.model_fit.notes.extend(notes(&attached, &brief.language));
            Ok(made)
        }
        .boxed()
    }

    fn refine<'a>(&'a self, brief: &'a RefineBrief, _: Timestamp) -> Answer<'a, Refinement> {
        async move {
            let attached = Attached::read(&brief.images)?;
            let mut made = refine::refine(brief)?;
            for note in notes(&attached, &brief.language) {
                made.reasoning.push(' ');
                made.reasoning.push_str(&note);
            }
            Ok(made)
        }
        .boxed()
    }

    fn reverse<'a>(&'a self, brief: &'a ReverseBrief, _: Timestamp) -> Answer<'a, Reversal> {
        async move { reverse::reverse(brief) }.boxed()
    }
}

/// What a result says beside what it is about: of attached pictures, and of a language that it cannot be in.
fn notes(attached: &Attached, tag: &str) -> Vec<String> {
    language::unspoken(tag).into_iter().chain(attached.note(tag)).collect()
}

/// A short name for a prompt, at most 80 characters.
pub fn title_of(prompt: &str) -> String {
    // What a prompt is about stands at its beginning.
    let beginning: String = prompt.chars().take(NAMING).collect();
    title::of(&goal::read(&beginning, Mode::Auto))
}

/// The identifier of the kind of task that a goal most likely means; `general` if none is clear.
pub fn task_of(goal: &str) -> &'static str {
    &goal::read(goal, Mode::Auto).task.id
}

/// What every result of this engine names as its maker.
fn compose(brief: &GenerateBrief) -> Result<Draft, EngineError> {
    compose_with(&Attached::default(), brief)
}

fn compose_with(attached: &Attached, brief: &GenerateBrief) -> Result<Draft, EngineError> {
    let stray = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    if brief.message.contains(stray) {
        let message = brief.message.chars().filter(|c| !stray(*c)).collect();
        return compose_with(attached, &GenerateBrief { message, ..brief.clone() });
    }
    if !brief.message.chars().any(|c| !c.is_whitespace() && !c.is_control()) {
        return Err(EngineError::Rejected { reason: "the message has no visible text".to_owned() });
    }
    if let Some(prompt) = brief.current_prompt.as_deref().filter(|prompt| !prompt.trim().is_empty())
    {
        let previous = brief.previous.as_ref();
        let base = continuing::Base {
            prompt,
            title: previous.map(|version| version.title.as_str()),
            goal: previous.map(|version| version.message.as_str()),
        };
        return Ok(continued(&base, brief));
    }
    if let Some(version) = &brief.previous {
        let base = continuing::Base {
            prompt: &version.prompt,
            title: Some(&version.title),
            goal: Some(&version.message),
        };
        return Ok(continued(&base, brief));
    }
    Ok(composed(conversation::understand(brief, brief.mode), brief, attached))
}

/// Changes the prompt that there is, or writes a new one about the same matter.
fn continued(base: &continuing::Base<'_>, brief: &GenerateBrief) -> Draft {
    let text = matches!(brief.target_model.model().kind, ModelKind::Text | ModelKind::Universal)
        && !matches!(brief.mode, Mode::Image | Mode::Video);
    match continuing::restated(base, brief).filter(|_| text) {
        Some(goal) => composed(goal, brief, &Attached::default()),
        None => continuing::apply(base, brief),
    }
}

fn composed(goal: goal::Goal, brief: &GenerateBrief, attached: &Attached) -> Draft {
    let (mode, note) = resolve(&goal, brief);
    let mut draft = match mode {
        Mode::Image | Mode::Video => {
            let frame = attached.frame(mode == Mode::Video, &brief.language);
            visual::compose(&goal.text, goal.language, mode, brief.target_model, frame)
        }
        _ => text::compose(goal, brief, mode),
    };
    draft.assumptions.splice(0..0, note);
    draft
}

/// The mode to use, and a note if it is not the one asked for.
fn resolve(goal: &goal::Goal, brief: &GenerateBrief) -> (Mode, Option<String>) {
    let model = brief.target_model.model();
    let forced = match model.kind {
        ModelKind::Image => Some(Mode::Image),
        ModelKind::Video => Some(Mode::Video),
        ModelKind::Text | ModelKind::Universal => None,
    };
    match (brief.mode, forced) {
        (asked, Some(forced)) if asked == Mode::Auto || asked == forced => (forced, None),
        (asked, Some(forced)) => {
            let (asked, forced_name) = (mode_name(asked), mode_name(forced));
            let note = format!(
                "{} takes only {forced_name} prompts, so the mode {asked} was replaced by {forced_name}.",
                model.name
            );
            (forced, Some(note))
        }
        (Mode::Auto, None) if visual::asks::for_image(&goal.text) => (Mode::Image, None),
        (Mode::Auto, None) if visual::asks::for_video(&goal.text) => (Mode::Video, None),
        (Mode::Auto, None) => (goal.task.mode, None),
        (asked @ (Mode::Image | Mode::Video), None) if model.kind == ModelKind::Text => {
            let note = format!(
                "{} answers in text, so the prompt describes the {} for a generator or a tool of the model.",
                model.name,
                mode_name(asked)
            );
            (asked, Some(note))
        }
        (asked, None) => (asked, None),
    }
}

fn mode_name(mode: Mode) -> String {
    format!("{mode:?}").to_lowercase()
}

/// Adds what every result has.
fn finish(mut draft: Draft, brief: &GenerateBrief, engine: EngineIdentity) -> Generation {
    let most = brief.target_model.model().max_prompt_chars;
    if draft.prompt.chars().count() > most {
        draft.assumptions.push(format!(
            "The prompt is longer than the {most} characters that {} takes: shorten the description.",
            brief.target_model
        ));
    }
    let found = variables::find(&draft.prompt);
    let variables = found
        .iter()
        .map(|variable| {
            let known = draft.variables.iter().find(|(name, ..)| name == variable.name);
            Variable {
                name: variable.name.to_owned(),
                description: known.map(|(_, description, _)| description.clone()),
                default_value: known.and_then(|(.., value)| value.clone()),
                occurrences: variable.occurrences,
            }
        })
        .collect();
    let mut result = Generation {
        token_estimate: tokens::estimate(&draft.prompt, brief.target_model),
        language: draft
            .language
            .unwrap_or_else(|| wording::Voice::of(&brief.language).tag().to_owned()),
        output_mode: brief.output_mode,
        title: draft.title,
        mode: draft.mode,
        prompt: draft.prompt,
        system_prompt: draft.system_prompt,
        negative_prompt: draft.negative_prompt,
        parameters: draft.parameters,
        sections: draft.sections,
        variables,
        assumptions: draft.assumptions,
        clarifying_questions: draft.questions,
        techniques: draft.techniques,
        usage_guide: draft.usage,
        engine,
    };
    messages::localize(&mut result, &brief.language);
    result
}
