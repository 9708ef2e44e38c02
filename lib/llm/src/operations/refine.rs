//! A prompt changed by feedback.

use std::sync::LazyLock;

use domain::Timestamp;
use engine::{
    Beside, EngineError, EngineIdentity, FeedbackItem, FeedbackStatus, RefineBrief, Refinement,
    Violation, changes,
    integrity::{Asked, Removed},
    tokens,
};
use serde::Deserialize;
use serde_json::json;

use super::parts::{self, Described, Setting, Written};
use crate::{
    answer_schema::{self, AnswerSchema},
    check::{self, Rewrite},
    data::Block,
    evidence::Evidence,
    model::{Model, Task},
};

const SYSTEM: &str = concat!(
    include_str!("../../prompts/data.md"),
    include_str!("../../prompts/prompt.md"),
    include_str!("../../prompts/beside.md"),
    include_str!("../../prompts/variables.md"),
    include_str!("../../prompts/refine.md"),
);
const CLOSING: &str = "Change the prompt in the block \"prompt\" as the block \"feedback\" asks and the system message allows.";

static SCHEMA: LazyLock<AnswerSchema> = LazyLock::new(|| {
    let statuses = ["applied", "partly_applied", "not_applied"];
    let item = answer_schema::object([
        ("text", answer_schema::text(2_000, "The feedback's words, exactly.")),
        ("status", answer_schema::choice(&statuses, "What became of it.")),
        ("reason", answer_schema::text(600, "How, or why not.")),
    ]);
    AnswerSchema::new(
        "refine",
        answer_schema::object([
            ("reasoning", answer_schema::text(2_000, "How the feedback was understood.")),
            ("prompt", parts::prompt_form()),
            ("systemPrompt", parts::system_form()),
            ("negativePrompt", parts::negative_form()),
            ("parameters", parts::settings_form()),
            ("removed", parts::removed_form()),
            (
                "feedbackItems",
                answer_schema::list(1, 50, item, "What the feedback asks for, in order."),
            ),
            ("variables", parts::described_form()),
        ]),
    )
});

pub(crate) async fn refine(
    model: &Model,
    brief: &RefineBrief,
    until: Timestamp,
) -> Result<Refinement, EngineError> {
    let mut blocks =
        vec![parts::settings(&brief.language, json!({})), Block::new("prompt", &brief.prompt)];
    blocks.extend(parts::beside_block(&brief.beside));
    blocks.push(Block::new("feedback", &brief.feedback));
    blocks.push(Evidence::of_constraints(&brief.prompt).block());
    let task = Task {
        system: SYSTEM,
        target: parts::about_target(brief.target_model),
        closing: CLOSING,
        blocks,
        images: &brief.images,
        form: &SCHEMA,
    };
    model
        .ask(task, until, |answer, engine, is_last| {
            let refined: Refined = parts::read(answer)?;
            refined.finish(brief, engine, is_last)
        })
        .await
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Refined {
    reasoning: String,
    prompt: String,
    system_prompt: Option<String>,
    negative_prompt: Option<String>,
    parameters: Vec<Setting>,
    removed: Vec<Removed>,
    feedback_items: Vec<Item>,
    variables: Vec<Described>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Item {
    text: String,
    status: FeedbackStatus,
    reason: String,
}

impl Refined {
    fn finish(
        self,
        brief: &RefineBrief,
        engine: EngineIdentity,
        is_last: bool,
    ) -> Result<Refinement, Vec<Violation>> {
        let target = brief.target_model;
        let prompt = parts::bare(&self.prompt, &brief.prompt);
        let (beside, mut violations) =
            parts::beside(self.system_prompt, self.negative_prompt, self.parameters, "");
        let written = Written {
            prompt: &prompt,
            system_prompt: beside.system_prompt.as_deref(),
            negative_prompt: beside.negative_prompt.as_deref(),
        };
        violations.extend(written.violations(target, ""));
        let unchanged = prompt == brief.prompt;
        if !unchanged {
            let rewrite = Rewrite {
                original: &brief.prompt,
                asked: &brief.feedback,
                written: &prompt,
                makes: target.model().kind,
            };
            violations.extend(rewrite.answered("/prompt", is_last));
        }
        let asked = Asked::by(&brief.feedback, &brief.language).listing(&self.removed);
        let (integrity, lost) =
            check::preserved(&brief.prompt, &prompt, &beside.text(), &asked, "/prompt");
        violations.extend(lost);
        violations.extend(check::unlisted(&integrity, &self.removed, is_last));
        violations.extend(lost_beside(&brief.beside, &prompt, &beside, &asked));
        let (feedback_items, wrong) = feedback_items(self.feedback_items, &brief.feedback);
        let all_unchanged = unchanged && beside == brief.beside;
        let misstated = misstated(&feedback_items, all_unchanged).filter(|_| wrong.is_empty());
        violations.extend(wrong.into_iter().chain(misstated));
        let (variables, wrong) = parts::variables_of(&prompt, &self.variables, "");
        violations.extend(wrong);
        let result = Refinement {
            changes: changes::between(&brief.prompt, &prompt, ""),
            token_estimate: tokens::estimate(&prompt, target),
            prompt,
            beside,
            feedback_items,
            reasoning: self.reasoning,
            integrity,
            variables,
            language: brief.language.clone(),
            engine,
        };
        parts::unless(violations, result)
    }
}

/// The violation if what stood beside the prompt is gone, or has lost something that nobody asked to go.
fn lost_beside(old: &Beside, prompt: &str, new: &Beside, asked: &Asked<'_>) -> Option<Violation> {
    let system = old.system_prompt.as_deref()?;
    let rest = format!("{prompt}\n{}", new.text());
    let (integrity, lost) = check::preserved(
        system,
        new.system_prompt.as_deref().unwrap_or_default(),
        &rest,
        asked,
        "/systemPrompt",
    );
    let is_gone = new.system_prompt.is_none() && integrity.requested.is_empty();
    let gone = || {
        let detail = "the system prompt is gone; give it back, changed only as the feedback asks";
        Violation::new("integrity", "/systemPrompt", detail)
    };
    lost.or_else(|| is_gone.then(gone))
}

/// The items in the order of the feedback, with its own words.
fn feedback_items(items: Vec<Item>, feedback: &str) -> (Vec<FeedbackItem>, Vec<Violation>) {
    let mut located = Vec::new();
    let mut violations = Vec::new();
    for (position, item) in items.into_iter().enumerate() {
        match check::locate(feedback, &item.text, 1) {
            Some((start, end)) => {
                let text = feedback.chars().skip(start).take(end - start).collect();
                located
                    .push((start, FeedbackItem { text, status: item.status, reason: item.reason }));
            }
            None => {
                let place = format!("/feedbackItems/{position}/text");
                let detail = format!("{:?} is not in the feedback: copy it exactly", item.text);
                violations.push(Violation::new("quote", place, detail));
            }
        }
    }
    located.sort_by_key(|(start, _)| *start);
    (located.into_iter().map(|(_, item)| item).collect(), violations)
}

/// The violation if what is said of the items contradicts what became of the prompt.
fn misstated(items: &[FeedbackItem], unchanged: bool) -> Option<Violation> {
    let applied = items.iter().any(|item| item.status != FeedbackStatus::NotApplied);
    let detail = match (applied, unchanged) {
        (true, true) => "something is said to be applied, but the prompt is the same as before",
        (false, false) => "nothing is said to be applied, but the prompt is another than before",
        _ => return None,
    };
    Some(Violation::new("feedback", "/feedbackItems", detail))
}
