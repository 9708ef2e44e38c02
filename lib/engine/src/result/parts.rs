//! What several results have in common.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::ConstraintKind;

/// A `{{variable}}` of a prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Variable {
    /// Name between the braces.
    #[schema(example = "audience")]
    pub name: String,
    /// What to fill in, null when unknown.
    #[schema(required = true)]
    pub description: Option<String>,
    /// Value taken from the goal, null when it had none.
    #[schema(required = true)]
    pub default_value: Option<String>,
    /// How often the variable occurs in the prompt.
    pub occurrences: u32,
}

/// A prompting technique and the reason for its use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Technique {
    /// Stable identifier.
    #[schema(example = "role")]
    pub id: String,
    /// Name for people.
    pub label: String,
    /// What it does in this prompt.
    pub why: String,
}

/// Size of a text in tokens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TokenEstimate {
    /// Tokens that the text takes as input.
    pub input: u32,
    /// Whether the target model's own tokenizer counted.
    pub method: TokenMethod,
    /// Tokenizer that counted.
    #[schema(example = "o200k_base")]
    pub tokenizer: String,
}

/// How tokens were counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TokenMethod {
    /// By the tokenizer of the target model.
    Exact,
    /// By another tokenizer, with a factor for the difference.
    Approximate,
}

/// One edit of a prompt. The edits of a result stand in the order of their offsets and do not
/// overlap; applied to the original they give exactly the new prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Change {
    /// What is done.
    pub op: ChangeOp,
    /// Offset in the original, in code points, where it begins.
    pub start: usize,
    /// Offset in the original, in code points, behind its end; equal to `start` for an insertion.
    pub end: usize,
    /// What stood there; empty for an insertion.
    pub old_text: String,
    /// What stands there now; empty for a deletion.
    pub new_text: String,
    /// Why, if that is known of this edit alone.
    #[schema(required = true)]
    pub reason: Option<String>,
    /// The rule that asked for it, null when none did.
    #[schema(required = true)]
    pub rule_id: Option<String>,
}

/// Kind of an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChangeOp {
    /// Text is added.
    Insert,
    /// Text is removed.
    Delete,
    /// Text is exchanged.
    Replace,
}

/// Whether a rewritten prompt still says what the original said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Integrity {
    /// Whether nothing was lost that must be kept: no variable, code block, number, quotation or URL,
    /// no constraint is lost or changed, and the language is the same. What the feedback asked to change is not lost.
    pub passed: bool,
    /// Variables of the original and the new prompt.
    pub variables: VariableIntegrity,
    /// Code blocks of the original.
    pub code_blocks: CodeBlockIntegrity,
    /// Numbers of the original that the new prompt does not have.
    pub numbers_lost: Vec<String>,
    /// Quotations of the original that the new prompt does not have.
    pub quoted_literals_lost: Vec<String>,
    /// URLs of the original that the new prompt does not have.
    pub urls_lost: Vec<String>,
    /// Constraints of the original.
    #[serde(default)]
    #[schema(required = true)]
    pub constraints: ConstraintIntegrity,
    /// What the feedback asked to go, and is gone.
    pub requested: Vec<Requested>,
    /// Language tag of the original; `und` when it cannot be told.
    pub language_in: String,
    /// Language tag of the new prompt; `und` when it cannot be told.
    pub language_out: String,
}

/// Something of the original that the feedback asked to go.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Requested {
    /// What it is.
    pub kind: ProtectedKind,
    /// What stood in the original: a literal, the words of a constraint, the name of a variable, the tag of a language.
    #[schema(example = "€45")]
    pub text: String,
    /// The words of the feedback that ask for it.
    #[schema(example = "The price is now €39")]
    pub because: String,
}

/// What a rewritten prompt must keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProtectedKind {
    /// A `{{variable}}`.
    Variable,
    /// Code, fenced or between backticks.
    Code,
    /// A number.
    Number,
    /// A quotation.
    Quotation,
    /// A URL or an e-mail address.
    Url,
    /// A constraint on the answer.
    Constraint,
    /// The language of the prompt.
    Language,
}

/// What became of the `{{variables}}`, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VariableIntegrity {
    /// In both prompts.
    pub kept: Vec<String>,
    /// Only in the new one.
    pub added: Vec<String>,
    /// Only in the original.
    pub lost: Vec<String>,
}

/// What became of the constraints, each in the order of the original.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConstraintIntegrity {
    /// Those that the new prompt states as well.
    pub kept: Vec<ComparedConstraint>,
    /// Those that it states more strictly.
    pub tightened: Vec<ComparedConstraint>,
    /// Those that it states otherwise, so that more answers obey it or other ones do.
    pub loosened: Vec<ComparedConstraint>,
    /// Those that it does not state.
    pub lost: Vec<ComparedConstraint>,
}

/// A constraint of the original prompt, and what the new one says instead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ComparedConstraint {
    /// Its identifier in an analysis of the original.
    #[schema(example = "c1")]
    pub id: String,
    /// What it bounds.
    pub kind: ConstraintKind,
    /// The original's words that state it.
    #[schema(example = "at most 90 words")]
    pub quote: String,
    /// The new prompt's words that state it or another one of its kind; null where none do.
    #[schema(required = true, example = "no more than 90 words")]
    pub new_quote: Option<String>,
    /// Whether the feedback speaks of it. What it does not speak of is neither loosened nor lost.
    pub requested: bool,
}

/// What became of the code blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CodeBlockIntegrity {
    /// Those that stand in the new prompt character for character.
    pub kept: u32,
    /// Those that do not.
    pub lost: u32,
}
