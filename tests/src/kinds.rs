//! The kinds of AI operation, and a good request for each.

use domain::Kind;
use serde_json::{Value, json};

use crate::{Account, account::fresh_key};

/// The prompt that most requests are about.
pub const PROMPT: &str = "Write some blog post about {{product}} for our customers, maybe 300 words. \
    Mention the price of 49.90 EUR and quote \"built to last\".";

/// The same in two parts under headings, which a model that reads tags has a second version of.
pub const DIVIDED: &str = "# Task\nWrite some blog post about {{product}} for our customers, maybe 300 words.\n\n\
    # Facts\nMention the price of 49.90 EUR and quote \"built to last\".";

/// A request for an AI operation.
#[derive(Clone, Debug)]
pub struct Call {
    /// Its kind.
    pub kind: Kind,
    /// Where it goes.
    pub path: String,
    /// Its body.
    pub body: Value,
}

/// Whether a kind can be deferred.
pub fn is_deferrable(kind: Kind) -> bool {
    kind != Kind::RefineOptimizedPrompt
}

/// A request that the account can make of this kind. What it builds on is made first.
pub async fn call(account: &Account, kind: Kind) -> Call {
    let (path, body) = match kind {
        Kind::GeneratePrompt => {
            ("/prompts/generate".to_owned(), json!({"message": "A haiku about {{sea}}"}))
        }
        Kind::AnalyzePrompt => ("/prompts/analyze".to_owned(), json!({"prompt": PROMPT})),
        Kind::OptimizePrompt => {
            ("/prompts/optimize".to_owned(), json!({"prompt": PROMPT, "variationCount": 2}))
        }
        Kind::AnalyzeAndOptimizePrompt => {
            ("/prompts/analyze-and-optimize".to_owned(), json!({"prompt": PROMPT}))
        }
        Kind::RefinePrompt => (
            "/prompts/refine".to_owned(),
            json!({"prompt": PROMPT, "feedback": "Make it at most 200 words"}),
        ),
        Kind::RefineOptimizedPrompt => {
            let made =
                account.post("/prompts/optimize", &fresh_key(), &json!({"prompt": PROMPT})).await;
            let made = made.data(200);
            let optimization = made["optimizationId"].as_str().expect("an id");
            let body = json!({
                "sourceVersionId": made["versions"][0]["versionId"],
                "feedback": "Make it at most 200 words",
            });
            (format!("/optimizations/{optimization}/refinements"), body)
        }
        Kind::ReversePrompt => (
            "/reverse-prompts".to_owned(),
            json!({"type": "text", "content": "Dear team, the launch moves to Friday. Best, Ann"}),
        ),
    };
    Call { kind, path, body }
}
