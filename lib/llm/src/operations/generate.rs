//! A prompt for a goal.

use std::sync::LazyLock;

use domain::Timestamp;
use engine::{
    EngineError, EngineIdentity, GenerateBrief, Generation, Mode, ModelKind, OutputMode, Section,
    Violation,
    integrity::{self, Asked, Removed},
    tokens,
};
use serde::Deserialize;
use serde_json::json;
use text::variables;

use super::parts::{self, Described, Setting, Used, Written};
use crate::{
    answer_schema::{self, AnswerSchema},
    check::{self, Rewrite},
    data::Block,
    model::{Model, Task},
};

const SYSTEM: &str = concat!(
    include_str!("../../prompts/data.md"),
    include_str!("../../prompts/prompt.md"),
    include_str!("../../prompts/beside.md"),
    include_str!("../../prompts/variables.md"),
    include_str!("../../prompts/generate.md"),
);
const CLOSING: &str =
    "Write the prompt for what the block \"goal\" says, as the system message says.";

static SCHEMA: LazyLock<AnswerSchema> = LazyLock::new(|| {
    let modes = [
        "general",
        "research",
        "writing",
        "planning",
        "agent",
        "image",
        "video",
        "code",
        "automation",
    ];
    let section = answer_schema::object([
        ("heading", answer_schema::text(120, "What the part is.")),
        ("begins", answer_schema::text(300, "Its first words, exactly as in the prompt.")),
    ]);
    AnswerSchema::new(
        "generate",
        answer_schema::object([
            ("mode", answer_schema::choice(&modes, "Kind of the prompt.")),
            ("title", answer_schema::text(80, "Short name of the prompt.")),
            ("prompt", parts::prompt_form()),
            ("systemPrompt", parts::system_form()),
            ("negativePrompt", parts::negative_form()),
            ("parameters", parts::settings_form()),
            ("sections", answer_schema::list(1, 20, section, "The parts of the prompt in order.")),
            ("removed", parts::removed_form()),
            ("variables", parts::described_form()),
            ("assumptions", parts::sentences(0, 12, "What the goal did not say.")),
            ("clarifyingQuestions", parts::sentences(0, 4, "What should be known.")),
            ("techniques", parts::techniques_form()),
            ("usageGuide", parts::sentences(2, 5, "How to use the prompt, step by step.")),
        ]),
    )
});

pub(crate) async fn generate(
    model: &Model,
    brief: &GenerateBrief,
    until: Timestamp,
) -> Result<Generation, EngineError> {
    let task = Task {
        system: SYSTEM,
        target: parts::about_target(brief.target_model),
        closing: CLOSING,
        blocks: blocks(brief),
        images: &brief.images,
        form: &SCHEMA,
    };
    model
        .ask(task, until, |answer, engine, is_last| {
            let drafted: Drafted = parts::read(answer)?;
            drafted.finish(brief, engine, is_last)
        })
        .await
}

fn blocks(brief: &GenerateBrief) -> Vec<Block> {
    let more = json!({"mode": brief.mode, "outputMode": brief.output_mode});
    let mut blocks = vec![parts::settings(&brief.language, more)];
    if !brief.conversation.is_empty() {
        blocks.push(Block::new("conversation", format!("{:#}", json!(brief.conversation))));
    }
    match (current(brief), &brief.previous) {
        (Some(prompt), _) => blocks.push(Block::new("current_prompt", prompt)),
        (None, Some(previous)) => {
            blocks.push(Block::new("previous_goal", &previous.message));
            blocks.push(Block::new("previous_prompt", &previous.prompt));
            blocks.extend(parts::beside_block(&previous.beside));
        }
        (None, None) => {}
    }
    blocks.push(Block::new("goal", &brief.message));
    blocks
}

fn current(brief: &GenerateBrief) -> Option<&str> {
    brief.current_prompt.as_deref().filter(|prompt| text::is_visible(prompt))
}

/// The prompt that is continued, if any.
fn continued(brief: &GenerateBrief) -> Option<&str> {
    current(brief).or(brief.previous.as_ref().map(|previous| previous.prompt.as_str()))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Drafted {
    mode: Mode,
    title: String,
    prompt: String,
    system_prompt: Option<String>,
    negative_prompt: Option<String>,
    parameters: Vec<Setting>,
    sections: Vec<Part>,
    removed: Vec<Removed>,
    variables: Vec<Described>,
    assumptions: Vec<String>,
    clarifying_questions: Vec<String>,
    techniques: Vec<Used>,
    usage_guide: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Part {
    heading: String,
    begins: String,
}

impl Drafted {
    fn finish(
        mut self,
        brief: &GenerateBrief,
        engine: EngineIdentity,
        is_last: bool,
    ) -> Result<Generation, Vec<Violation>> {
        let target = brief.target_model;
        self.prompt = parts::bare(&self.prompt, continued(brief).unwrap_or_default());
        let mut violations = self.violations(brief, is_last);
        let (sections, wrong) = sections(&self.prompt, &self.sections);
        violations.extend(wrong);
        let (variables, wrong) = parts::variables_of(&self.prompt, &self.variables, "");
        violations.extend(wrong);
        let (parameters, wrong) = parts::parameters_of(self.parameters, "");
        violations.extend(wrong);
        let result = Generation {
            title: self.title,
            mode: self.mode,
            output_mode: brief.output_mode,
            token_estimate: tokens::estimate(&self.prompt, target),
            prompt: self.prompt,
            system_prompt: self.system_prompt,
            negative_prompt: self.negative_prompt,
            parameters,
            sections,
            variables,
            assumptions: self.assumptions,
            clarifying_questions: self.clarifying_questions,
            techniques: self.techniques.into_iter().map(Into::into).collect(),
            usage_guide: self.usage_guide,
            language: brief.language.clone(),
            engine,
        };
        parts::unless(violations, result)
    }

    fn violations(&self, brief: &GenerateBrief, is_last: bool) -> Vec<Violation> {
        let target = brief.target_model;
        let kind = target.model().kind;
        let written = Written {
            prompt: &self.prompt,
            system_prompt: self.system_prompt.as_deref(),
            negative_prompt: self.negative_prompt.as_deref(),
        };
        let mut violations = written.violations(target, "");
        if self.title.contains(['\n', '\r']) {
            let detail = "it must be one line of text";
            violations.push(Violation::new("title", "/title", detail));
        }
        let expected = match kind {
            ModelKind::Image => Some(Mode::Image),
            ModelKind::Video => Some(Mode::Video),
            ModelKind::Text | ModelKind::Universal => {
                Some(brief.mode).filter(|mode| *mode != Mode::Auto)
            }
        };
        if expected.is_some_and(|mode| mode != self.mode) {
            let detail = format!("it must be {}", json!(expected));
            violations.push(Violation::new("mode", "/mode", detail));
        }
        let continued = continued(brief);
        let pictured = matches!(self.mode, Mode::Image | Mode::Video);
        let rewrite = Rewrite {
            original: &brief.message,
            asked: continued.unwrap_or_default(),
            written: &self.prompt,
            makes: if pictured { ModelKind::Image } else { kind },
        };
        violations.extend(rewrite.answered_goal("/prompt", is_last));
        violations.extend(self.variables_violation(brief, continued));
        violations.extend(self.lost(brief, continued));
        violations
    }

    /// The violation if a finished prompt has variables other than those of the material, or a
    /// template has none.
    fn variables_violation(
        &self,
        brief: &GenerateBrief,
        continued: Option<&str>,
    ) -> Option<Violation> {
        let found = variables::find(&self.prompt);
        let detail = match brief.output_mode {
            OutputMode::Reusable if found.is_empty() => {
                "a reusable prompt needs at least one {{variable}}".to_owned()
            }
            OutputMode::Reusable => return None,
            OutputMode::ReadyToUse => {
                let mut material = vec![brief.message.as_str(), continued.unwrap_or_default()];
                material.extend(brief.conversation.iter().map(|turn| turn.content.as_str()));
                let material = material.join("\n");
                let known = variables::find(&material);
                let new =
                    found.iter().find(|new| !known.iter().any(|known| known.name == new.name))?;
                format!(
                    "a prompt that is ready to use must not have the variable {{{{{}}}}}",
                    new.name
                )
            }
        };
        Some(Violation::new("variables", "/prompt", detail))
    }

    /// The violation if literals are missing in the result: URLs in the goal of a new prompt;
    /// variables and code of a template that is continued.
    fn lost(&self, brief: &GenerateBrief, continued: Option<&str>) -> Option<Violation> {
        let whole = [
            self.prompt.as_str(),
            self.system_prompt.as_deref().unwrap_or_default(),
            self.negative_prompt.as_deref().unwrap_or_default(),
        ]
        .join("\n");
        let lost = match continued {
            None => {
                let asked = Asked::by("", &brief.language);
                integrity::check(&brief.message, &whole, "", &asked).urls_lost
            }
            Some(prompt) if brief.output_mode == OutputMode::Reusable => {
                let asked = Asked::by(&brief.message, &brief.language).listing(&self.removed);
                let markers = integrity::check(prompt, &whole, "", &asked).variables.lost;
                markers.iter().map(|name| format!("{{{{{name}}}}}")).collect()
            }
            Some(_) => Vec::new(),
        };
        let detail = format!("these parts of the material are lost: {}", lost.join(" · "));
        (!lost.is_empty()).then(|| Violation::new("integrity", "/prompt", detail))
    }
}

/// The sections of a prompt, each up to the start of the next one, and a violation for each that
/// cannot be found after the previous one.
fn sections(prompt: &str, parts: &[Part]) -> (Vec<Section>, Vec<Violation>) {
    let mut starts = Vec::new();
    let mut violations = Vec::new();
    let mut from = 0;
    for (position, part) in parts.iter().enumerate() {
        match check::found(&prompt[from..], &part.begins) {
            Some(range) => {
                starts.push((from + range.start, part));
                from += range.end;
            }
            None => violations.push(Violation::new(
                "quote",
                format!("/sections/{position}/begins"),
                format!("{:?} does not stand in the prompt behind the part before", part.begins),
            )),
        }
    }
    let ends = starts.iter().skip(1).map(|(start, _)| *start).chain([prompt.len()]);
    let sections = starts
        .iter()
        .zip(ends)
        .map(|((start, part), end)| Section {
            heading: part.heading.clone(),
            text: prompt[*start..end].trim().to_owned(),
        })
        .collect();
    if let Some((first, _)) = starts.first()
        && !prompt[..*first].trim().is_empty()
    {
        let detail = "the first part must begin where the prompt begins";
        violations.push(Violation::new("sections", "/sections/0/begins", detail));
    }
    (sections, violations)
}
