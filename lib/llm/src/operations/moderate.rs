//! Whether an item may be in the public library.

use std::sync::LazyLock;

use ::moderation::{Reason, Verdict};
use domain::Timestamp;
use engine::{EngineError, Violation};
use serde::Deserialize;

use super::parts;
use crate::{
    answer_schema::{self, AnswerSchema},
    data::Block,
    model::{Model, Task},
};

const SYSTEM: &str =
    concat!(include_str!("../../prompts/data.md"), include_str!("../../prompts/moderate.md"));
const CLOSING: &str =
    "Classify the item whose fields are the blocks above, as the system message says.";

/// Names of an item's texts in the API.
pub(crate) const FIELDS: [&str; 9] = [
    "title",
    "promptText",
    "description",
    "whatThisPromptDoes",
    "tipsForThisPrompt",
    "howToUsePrompt",
    "category",
    "exampleText",
    "author",
];

/// A text of an item with its name, one of [`FIELDS`].
pub(crate) type Field<'a> = (&'static str, &'a str);

/// Rules that a model may apply; `prompts/moderate.md` explains each.
const RULES: [&str; 14] = [
    "sexual_minors",
    "sexual",
    "weapons",
    "malware",
    "fraud",
    "illegal_goods",
    "violence",
    "hate",
    "harassment",
    "self_harm",
    "personal_data",
    "secret",
    "injection",
    "spam",
];

static SCHEMA: LazyLock<AnswerSchema> = LazyLock::new(|| {
    let reason = answer_schema::object([
        ("rule", answer_schema::choice(&RULES, "The rule that is broken.")),
        ("field", answer_schema::choice(&FIELDS, "The block that breaks it.")),
        (
            "message",
            answer_schema::text(300, "What is wrong and what must change, for the author."),
        ),
    ]);
    AnswerSchema::new(
        "moderate",
        answer_schema::object([
            ("blocked", answer_schema::flag("Whether a rule is broken.")),
            ("reasons", answer_schema::list(0, 20, reason, "Why it is blocked.")),
        ]),
    )
});

pub(crate) async fn moderate(
    model: &Model,
    fields: &[Field<'_>],
    until: Timestamp,
) -> Result<Verdict, EngineError> {
    let task = Task {
        system: SYSTEM,
        target: String::new(),
        closing: CLOSING,
        blocks: fields.iter().map(|(name, text)| Block::new(name, *text)).collect(),
        images: &[],
        form: &SCHEMA,
    };
    model
        .ask(task, until, |answer, _, _| {
            let judged: Judged = parts::read(answer)?;
            if judged.blocked == judged.reasons.is_empty() {
                let detail = "a blocked item has reasons, and any other item has none";
                return Err(vec![Violation::new("reasons", "/reasons", detail)]);
            }
            let mut reasons = Vec::new();
            let mut violations = Vec::new();
            for (position, Objection { rule, field, message }) in
                judged.reasons.into_iter().enumerate()
            {
                match fields.iter().find(|(name, _)| *name == field) {
                    Some((_, text)) => reasons.push(Reason {
                        rule_id: rule,
                        field,
                        start: 0,
                        end: text.chars().count(),
                        message,
                    }),
                    None => {
                        let place = format!("/reasons/{position}/field");
                        violations.push(Violation::new("field", place, "there is no such block"));
                    }
                }
            }
            parts::unless(violations, reasons)
        })
        .await
        .map(
            |reasons| {
                if reasons.is_empty() { Verdict::Approved } else { Verdict::Blocked { reasons } }
            },
        )
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Judged {
    blocked: bool,
    reasons: Vec<Objection>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Objection {
    rule: String,
    field: String,
    message: String,
}
