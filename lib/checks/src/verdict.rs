//! What became of a check.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What an answer makes of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CheckVerdict, example = json!({
    "checkId": "c1",
    "verdict": "failed",
    "evidence": {"wanted": "≤ 120", "found": "134", "start": 702, "end": 790, "quote": "the last words"},
    "reason": null,
}))]
pub struct Verdict {
    /// The check's identifier.
    pub check_id: String,
    /// Whether the answer passes.
    pub verdict: Outcome,
    /// What the verdict rests on; null where it is undecided before anything was found.
    #[schema(required = true)]
    pub evidence: Option<Evidence>,
    /// Why nothing could be decided; null otherwise.
    #[schema(required = true)]
    pub reason: Option<Reason>,
}

/// Whether an answer passes a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It does.
    Passed,
    /// It does not.
    Failed,
    /// Nobody can say by the texts alone.
    Undecided,
}

/// What a verdict rests on: a number against the one that is wanted, or a place of the answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// What is wanted: a bound such as `≤ 120`, or the word, format or language; at most 200 characters.
    pub wanted: String,
    /// What was found, in at most 200 characters: a number, or what stands there instead; of a JSON schema that no
    /// program decides, the keyword that is why. Null if nothing was.
    #[schema(required = true)]
    pub found: Option<String>,
    /// Offset in the answer, in code points, where what decided it begins; null if no single place did.
    #[schema(required = true)]
    pub start: Option<usize>,
    /// Offset in the answer, in code points, behind it.
    #[schema(required = true)]
    pub end: Option<usize>,
    /// The answer's text there, at most 200 characters of it.
    #[schema(required = true)]
    pub quote: Option<String>,
}

/// Why nothing could be decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// No program can decide it.
    NotExecutable,
    /// The answer is too short to tell.
    TooShort,
    /// The prompt does not say plainly enough what is wanted.
    Unclear,
    /// The answer does not mark what is to be counted, or has none of it that could be judged.
    Unmarked,
    /// It takes more work than the lengths of answer and prompt allow.
    TooLarge,
}
