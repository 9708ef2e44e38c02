//! Finds content that must not be published in a public prompt library.
//!
//! [`check`] is pure and deterministic: fixed rules over fixed word lists in English, German,
//! French, Italian and Spanish, each linear in the length of the text. A rule matches what a text
//! *asks for*, not words: a murder mystery, a lesson about a war or a training against phishing
//! names the same things without asking for them. The rules cannot see implied meaning; they are a
//! first filter, not a judge.

mod accounts;
mod dangers;
mod field;
mod gibberish;
mod hidden;
mod injection;
mod intent;
mod intents;
mod normalization;
mod pii;
mod reserved;
mod secrets;
mod slurs;
mod spam;
mod words;

use serde::{Deserialize, Serialize};

use field::{Field, Hit};

/// Whether an item may be published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "verdict")]
pub enum Verdict {
    /// No rule matched.
    Approved,
    /// It must not be published.
    Blocked {
        /// Why; never empty, in the order of the fields and of their text.
        reasons: Vec<Reason>,
    },
}

/// A finding that blocks publication.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reason {
    /// The rule; one of [`RULE_IDS`] if it was found by [`check`], or `reserved_name` by [`check_author`].
    pub rule_id: String,
    /// Name of the field, `title` for the title.
    pub field: String,
    /// Start in the field, in code points.
    pub start: usize,
    /// End in the field, in code points, exclusive.
    pub end: usize,
    /// What is wrong, for the author. Never quotes the finding.
    pub message: String,
}

/// All rules.
pub const RULE_IDS: [&str; 19] = [
    "secret",
    "payment_card",
    "bank_account",
    "personal_data",
    "sexual_minors",
    "weapons",
    "malware",
    "phishing",
    "violence_against_group",
    "illegal_goods",
    "self_harm",
    "violence",
    "harassment",
    "slur",
    "hidden_text",
    "hidden_instructions",
    "injection",
    "spam",
    "unreadable",
];

/// Most reasons per field. One is enough to block; more would only lengthen the answer.
pub(crate) const MOST_PER_FIELD: usize = 20;

/// How often a group of rules searches a text with patterns of its own, at most. Words are counted for themselves.
const SEARCHES: usize = 8;

/// Judges an item by its title and its texts, each given with the name of its field.
///
/// Offsets are in code points of their text. Accepts any Unicode and never panics.
pub fn check(title: &str, texts: &[(&str, &str)]) -> Verdict {
    let all = std::iter::once(("title", title)).chain(texts.iter().copied());
    let reasons: Vec<Reason> =
        all.flat_map(|(name, text)| reasons(&Field::new(name, text, title))).collect();
    verdict(reasons)
}

/// Judges the name of an item's author: by the rules that need no sentence, and by the names that are reserved.
pub fn check_author(name: &str) -> Verdict {
    let field = Field::new("author", name, "");
    let rules = [secrets::find, accounts::find, pii::find, intent::find, slurs::find, hidden::find];
    let hits = rules.iter().flat_map(|rules| rules(&field)).chain(reserved::find(&field));
    verdict(hits.map(|hit| hit.in_field("author")).collect())
}

fn verdict(reasons: Vec<Reason>) -> Verdict {
    if reasons.is_empty() { Verdict::Approved } else { Verdict::Blocked { reasons } }
}

fn reasons(field: &Field<'_>) -> Vec<Reason> {
    let find = |rules: &[fn(&Field<'_>) -> Vec<Hit>]| -> Vec<Hit> {
        budget::spend(rules.len() * SEARCHES * field.text.len());
        rules.iter().flat_map(|rules| rules(field)).collect()
    };
    let mut hits = find(&[secrets::find, accounts::find, pii::find]);
    // A long key is neither word nor sentence; the text around it can be judged without it.
    if hits.is_empty() {
        hits = find(&[spam::find, gibberish::find]);
    }
    hits.extend(find(&[intent::find, slurs::find, hidden::find, injection::find]));
    hits.sort_by_key(|hit| (hit.start, std::cmp::Reverse(hit.end)));
    let mut hits = deduplicated(hits);
    hits.truncate(MOST_PER_FIELD);
    hits.into_iter().map(|hit| hit.in_field(field.name)).collect()
}

/// Without hits of a rule that overlap an earlier hit of the same rule.
fn deduplicated(hits: Vec<Hit>) -> Vec<Hit> {
    let mut kept: Vec<Hit> = Vec::new();
    for hit in hits {
        let last = kept.iter().rev().find(|other| other.rule_id == hit.rule_id);
        if last.is_none_or(|last| last.end <= hit.start) {
            kept.push(hit);
        }
    }
    kept
}
