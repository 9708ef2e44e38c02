//! A prompt changed by feedback.

use std::sync::LazyLock;

use domain::Timestamp;
use engine::{EngineError, FeedbackItem, FeedbackStatus, RefineBrief, Refinement, changes, tokens};
use serde::Deserialize;
use serde_json::json;

use super::parts::{self, Described, Written};
use crate::{
    answer_schema::{self, AnswerSchema},
    check::{self, Rewrite},
    data::Block,
    evidence::Evidence,
    model::{Model, Task},
    violation::Violation,
};

const SYSTEM: &str = concat!(
    include_str!("../../prompts/data.md"),
    include_str!("../../prompts/writing.md"),
    include_str!("../../prompts/evidence.md"),
    include_str!("../../prompts/refine.md")
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
            ("answersInstead", parts::answers_form()),
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
    let task = Task {
        system: SYSTEM,
        target: parts::about_target(brief.target_model),
        closing: CLOSING,
        blocks: vec![
            parts::settings(&brief.language, json!({})),
            Block::new("prompt", &brief.prompt),
            Block::new("feedback", &brief.feedback),
            Evidence::of_constraints(&brief.prompt).block(),
        ],
        images: &brief.images,
        form: &SCHEMA,
    };
    model
        .ask(task, until, |answer, engine, _| {
            let refined: Refined = parts::read(answer)?;
            let mut violations = refined.violations(brief);
            let (integrity, lost) =
                check::preserved(&brief.prompt, &refined.prompt, &brief.feedback, "/prompt");
            violations.extend(lost);
            let (variables, wrong) = parts::variables_of(&refined.prompt, &refined.variables, "");
            violations.extend(wrong);
            let result = Refinement {
                changes: changes::between(&brief.prompt, &refined.prompt, &refined.reasoning),
                token_estimate: tokens::estimate(&refined.prompt, brief.target_model),
                prompt: refined.prompt,
                feedback_items: refined.feedback_items.into_iter().map(Into::into).collect(),
                reasoning: refined.reasoning,
                integrity,
                variables,
                language: brief.language.clone(),
                engine,
            };
            parts::unless(violations, result)
        })
        .await
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Refined {
    reasoning: String,
    prompt: String,
    answers_instead: bool,
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

impl From<Item> for FeedbackItem {
    fn from(Item { text, status, reason }: Item) -> Self {
        Self { text, status, reason }
    }
}

impl Refined {
    fn violations(&self, brief: &RefineBrief) -> Vec<Violation> {
        let written = Written {
            prompt: &self.prompt,
            system_prompt: None,
            negative_prompt: None,
            answers_instead: self.answers_instead,
        };
        let mut violations = written.violations(brief.target_model, "");
        let unchanged = self.prompt == brief.prompt;
        if !unchanged {
            let rewrite = Rewrite {
                original: &brief.prompt,
                asked: &brief.feedback,
                written: &self.prompt,
                makes: brief.target_model.model().kind,
            };
            violations.extend(rewrite.answered("/prompt"));
        }
        let mut from = 0;
        for (position, item) in self.feedback_items.iter().enumerate() {
            let place = format!("/feedbackItems/{position}/text");
            match brief.feedback[from..].find(item.text.as_str()) {
                Some(at) => from += at,
                None if brief.feedback.contains(&item.text) => {
                    let detail = "the items must stand in the order of the feedback";
                    violations.push(Violation::new("quote", place, detail));
                }
                None => {
                    let detail = format!("{:?} is not in the feedback: copy it exactly", item.text);
                    violations.push(Violation::new("quote", place, detail));
                }
            }
        }
        let applied = |item: &Item| item.status != FeedbackStatus::NotApplied;
        if self.feedback_items.iter().any(applied) == unchanged {
            let detail = if unchanged {
                "something is said to be applied, but the prompt is the same as before"
            } else {
                "nothing is said to be applied, but the prompt is another than before"
            };
            violations.push(Violation::new("feedback", "/feedbackItems", detail));
        }
        violations
    }
}
