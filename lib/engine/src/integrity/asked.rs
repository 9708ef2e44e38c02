//! What feedback asked to go.
//!
//! A writer lists what is gone, each with the words of the feedback that ask for it. Those words are read again here: they
//! must stand in the feedback, and speak of what is gone. What is not listed may only be what the feedback itself names.

use patterns::pattern;
use serde::Deserialize;
use text::language;

/// Clauses of a feedback that are told apart.
const MOST_CLAUSES: usize = 50;
/// Something that a writer took out, and why.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Removed {
    /// What stood in the prompt.
    pub text: String,
    /// The words of the feedback that ask for it.
    pub because: String,
}

/// What may be missing in a rewritten prompt.
pub struct Asked<'a> {
    pub(super) feedback: &'a str,
    pub(super) language: &'a str,
    pub(super) removed: &'a [Removed],
    pub(super) taken: &'a str,
    pub(super) is_trusted: bool,
}

impl<'a> Asked<'a> {
    /// What a feedback names, its words read as those of `language` if they are too few to tell.
    pub const fn by(feedback: &'a str, language: &'a str) -> Self {
        Self { feedback, language, removed: &[], taken: "", is_trusted: false }
    }

    /// And what a writer says that it asks for.
    pub const fn listing(self, removed: &'a [Removed]) -> Self {
        Self { removed, ..self }
    }

    /// And each constraint whose subject it speaks of, for a writer that follows its clauses and lists nothing.
    pub const fn trusting(self) -> Self {
        Self { is_trusted: true, ..self }
    }

    /// And what an operation that the feedback asked for took out, a line for each.
    pub const fn taking(self, taken: &'a str) -> Self {
        Self { taken, ..self }
    }
}

impl Asked<'_> {
    /// Reads with the words of the feedback's language and of the original's.
    pub(super) fn read<T>(&self, original: &str, read: impl FnOnce() -> T) -> T {
        let own = language::told(self.feedback).unwrap_or(self.language);
        let other = language::told(original).unwrap_or(own);
        patterns::reading(&[own, other], read)
    }
}

/// The clauses of a text.
pub(super) fn clauses(text: &str) -> Vec<&str> {
    let ends = pattern!(r"[.!?;:,](?:\s|$)|\n|[。、，；]|\s{integrity.conjunction}\s");
    let mut found = Vec::new();
    let mut from = 0;
    for end in ends.find_iter(text).take(MOST_CLAUSES) {
        found.push(text[from..end.start()].trim());
        from = end.end();
    }
    found.push(text[from..].trim());
    found.retain(|clause| !clause.is_empty());
    found
}
