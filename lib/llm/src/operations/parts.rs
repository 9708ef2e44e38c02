//! Parts that the answers of several operations share.

use engine::{Beside, TargetModel, Technique, Variable, Violation};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use text::variables;

use crate::{answer_schema, data::Block};

/// Longest prompt that is accepted from a model, in characters.
pub(super) const LONGEST_PROMPT: usize = 100_000;

/// The end of the system prompt: what the service knows of the target model.
pub(super) fn about_target(target: TargetModel) -> String {
    let model = target.model();
    let about = json!({
        "targetModel": model.name,
        "makes": model.kind,
        "vendor": model.vendor,
        "guidance": model.guidance,
        "hasSystemPromptField": model.system_prompt,
        "hasNegativePromptField": model.negative_prompt,
        "longestPromptInCharacters": model.max_prompt_chars,
        "parametersToStartFrom": model.parameters,
    });
    format!("\n# The target model\n\n{about:#}\n")
}

/// The block with the settings of the request: the language, which may be a user's word, and `more`.
pub(super) fn settings(language: &str, more: Value) -> Block {
    let mut settings = json!({"language": language});
    if let (Value::Object(settings), Value::Object(more)) = (&mut settings, more) {
        settings.extend(more);
    }
    Block::new("settings", format!("{settings:#}"))
}

/// A prompt as a model wrote it, without white space around it and without a code fence around the whole of it, if the
/// original has none either.
pub(super) fn bare(written: &str, original: &str) -> String {
    let trimmed = |text: &str| original == original.trim() && text != text.trim();
    let text = if trimmed(written) { written.trim() } else { written };
    let inner = text.strip_prefix("```").and_then(|text| text.strip_suffix("```"));
    let inner = inner.filter(|inner| !original.contains("```") && !inner.contains("```"));
    let content = inner.and_then(|inner| inner.split_once('\n')).map(|(_, content)| content.trim());
    content.unwrap_or(text).to_owned()
}

/// The schema of what was taken out of a prompt.
pub(super) fn removed_form() -> Value {
    let item = answer_schema::object([
        ("text", answer_schema::text(20_000, "What stood in the old prompt, copied exactly.")),
        ("because", answer_schema::text(2_000, "The words that ask for it, copied exactly.")),
    ]);
    answer_schema::list(0, 100, item, "Everything protected that is gone or has another value.")
}

/// The fields of a model's answer that stand beside the prompt.
pub(super) fn beside(
    system_prompt: Option<String>,
    negative_prompt: Option<String>,
    settings: Vec<Setting>,
    place: &str,
) -> (Beside, Vec<Violation>) {
    let (parameters, violations) = parameters_of(settings, place);
    (Beside { system_prompt, negative_prompt, parameters }, violations)
}

/// A block with what stands beside a prompt, if anything does.
pub(super) fn beside_block(beside: &Beside) -> Option<Block> {
    (*beside != Beside::default())
        .then(|| Block::new("beside_prompt", format!("{:#}", json!(beside))))
}

/// An answer as the type of its schema.
pub(super) fn read<T: DeserializeOwned>(answer: Value) -> Result<T, Vec<Violation>> {
    serde_json::from_value(answer).map_err(|_| {
        vec![Violation::new("form", "", "the answer does not have the form of its schema")]
    })
}

/// Returns `result` if there are no violations.
pub(super) fn unless<T>(violations: Vec<Violation>, result: T) -> Result<T, Vec<Violation>> {
    if violations.is_empty() { Ok(result) } else { Err(violations) }
}

#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Described {
    pub name: String,
    pub description: Option<String>,
    pub default_value: Option<String>,
}

impl Described {
    /// The name without braces.
    fn name(&self) -> &str {
        self.name.trim_matches(['{', '}', ' '])
    }
}

pub(super) fn described_form() -> Value {
    let item = answer_schema::object([
        ("name", answer_schema::text(120, "Name between the braces.")),
        ("description", answer_schema::nullable(500, "What to fill in.")),
        ("defaultValue", answer_schema::nullable(2_000, "Value that the material gives for it.")),
    ]);
    answer_schema::list(0, 100, item, "The variables that occur in the prompt.")
}

/// The variables of a prompt with the model's descriptions, and a violation for each description of
/// a variable that the prompt does not have.
pub(super) fn variables_of(
    prompt: &str,
    described: &[Described],
    place: &str,
) -> (Vec<Variable>, Vec<Violation>) {
    let found = variables::find(prompt);
    let variables = found
        .iter()
        .map(|variable| {
            let known = described.iter().find(|known| known.name() == variable.name);
            Variable {
                name: variable.name.to_owned(),
                description: known.and_then(|known| known.description.clone()),
                default_value: known.and_then(|known| known.default_value.clone()),
                occurrences: variable.occurrences,
            }
        })
        .collect();
    let violations = described
        .iter()
        .filter(|known| !found.iter().any(|variable| variable.name == known.name()))
        .map(|unknown| {
            let detail = format!("the prompt has no variable {{{{{}}}}}", unknown.name());
            Violation::new("variables", format!("{place}/variables"), detail)
        })
        .collect();
    (variables, violations)
}

#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Setting {
    name: String,
    value: String,
}

pub(super) fn settings_form() -> Value {
    let item = answer_schema::object([
        ("name", answer_schema::text(60, "The vendor's name of the setting.")),
        (
            "value",
            answer_schema::text(200, "Its value; a number or true or false as it is in JSON."),
        ),
    ]);
    answer_schema::list(0, 20, item, "Settings of the target model that belong to the prompt.")
}

/// Settings by name, and a violation for each duplicate. Strict schemas do not support objects with
/// free keys, so values come as text: numbers and booleans are parsed.
pub(super) fn parameters_of(
    settings: Vec<Setting>,
    place: &str,
) -> (Map<String, Value>, Vec<Violation>) {
    let mut parameters = Map::new();
    let mut violations = Vec::new();
    for Setting { name, value } in settings {
        let value = match serde_json::from_str(&value) {
            Ok(plain @ (Value::Number(_) | Value::Bool(_))) => plain,
            _ => Value::String(value),
        };
        if let Some(earlier) = parameters.insert(name.clone(), value) {
            let detail = format!("{name} is given twice, first as {earlier}");
            violations.push(Violation::new("parameters", format!("{place}/parameters"), detail));
        }
    }
    (parameters, violations)
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Used {
    id: String,
    label: String,
    why: String,
}

impl From<Used> for Technique {
    fn from(Used { id, label, why }: Used) -> Self {
        Self { id, label, why }
    }
}

pub(super) fn techniques_form() -> Value {
    let item = answer_schema::object([
        ("id", answer_schema::slug("Name of the technique for programs.")),
        ("label", answer_schema::text(80, "Name of the technique for people.")),
        ("why", answer_schema::text(400, "What it does in this prompt.")),
    ]);
    answer_schema::list(0, 12, item, "Prompting techniques that the prompt uses.")
}

/// The schema of the elements of a material.
pub(super) fn elements_form() -> Value {
    let element = answer_schema::object([
        ("category", answer_schema::text(60, "What it is about.")),
        ("value", answer_schema::text(400, "What it is.")),
        ("confidence", answer_schema::share("How sure that is.")),
    ]);
    answer_schema::list(1, 20, element, "What makes it what it is.")
}

/// The schema of the fields of a prompt.
pub(super) fn prompt_form() -> Value {
    answer_schema::text(
        LONGEST_PROMPT,
        "The prompt to paste into the target model, and nothing else.",
    )
}

pub(super) fn system_form() -> Value {
    answer_schema::nullable(
        20_000,
        "Standing instructions for the system field of the target model.",
    )
}

pub(super) fn negative_form() -> Value {
    answer_schema::nullable(
        4_000,
        "What must not be shown, for the negative field of the target model.",
    )
}

pub(super) fn sentences(least: usize, most: usize, description: &str) -> Value {
    answer_schema::list(least, most, answer_schema::text(600, "One sentence or two."), description)
}

/// A prompt by the model, with what every operation requires of it.
pub(super) struct Written<'a> {
    pub prompt: &'a str,
    pub system_prompt: Option<&'a str>,
    pub negative_prompt: Option<&'a str>,
}

impl Written<'_> {
    /// All its violations for `target`.
    pub fn violations(&self, target: TargetModel, place: &str) -> Vec<Violation> {
        let model = target.model();
        let mut violations = Vec::new();
        let mut note = |rule, field: &str, detail: String| {
            violations.push(Violation::new(rule, format!("{place}/{field}"), detail));
        };
        if !text::is_visible(self.prompt) {
            note("empty", "prompt", "it has no visible text".to_owned());
        }
        if self.prompt.chars().count() > model.max_prompt_chars {
            let most = model.max_prompt_chars;
            let detail = format!("it is longer than the {most} characters that the model takes");
            note("length", "prompt", detail);
        }
        let fields = [
            ("systemPrompt", self.system_prompt, model.system_prompt),
            ("negativePrompt", self.negative_prompt, model.negative_prompt),
        ];
        for (field, text, available) in fields {
            match text {
                Some(text) if !text::is_visible(text) => {
                    note("empty", field, "it has no visible text".to_owned())
                }
                Some(_) if !available => {
                    note(
                        "fields",
                        field,
                        "the target model has no such field: it must be null".to_owned(),
                    );
                }
                _ => {}
            }
        }
        violations
    }
}
