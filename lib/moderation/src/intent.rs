//! Harmful requests: sentences that ask for a thing, not those that only mention it.

use std::ops::Range;
use std::sync::LazyLock;

use patterns::expression;

use crate::field::{Field, Hit};
use crate::intents::INTENTS;
use crate::normalization::NormalizedText;
use crate::words::Words;

/// A kind of request that must not be published.
pub(crate) struct Intent {
    pub(crate) rule_id: &'static str,
    pub(crate) message: &'static str,
    /// The thing.
    pub(crate) object: Words,
    /// A sentence with the thing is a request if it has a word of each list.
    pub(crate) asks: Vec<Words>,
    /// Signs that harm is intended; they override [`excuses`](Self::excuses).
    pub(crate) insists: Words,
    /// Words with which a sentence opposes the thing: preventing, detecting, forbidding it.
    pub(crate) opposes: Words,
    /// Subjects that name the thing without asking for it, in the title or next to the sentence.
    pub(crate) excuses: Words,
}

/// Phrases that mean "undetected" but use words of detection.
static EVASION: LazyLock<Words> =
    LazyLock::new(|| Words::new(expression!("{moderation_evasion.evasion}")));

/// Hits of all kinds of requests, at most one per rule.
pub(crate) fn find(field: &Field<'_>) -> Vec<Hit> {
    let mut hits: Vec<Hit> = Vec::new();
    for reading in &field.readings {
        let asked = INTENTS.iter().filter(|intent| intent.object.are_in(&reading.text));
        let asked: Vec<&Intent> = asked.collect();
        if asked.is_empty() {
            continue;
        }
        let sentences = reading.sentences();
        for intent in asked {
            if hits.iter().all(|hit| hit.rule_id != intent.rule_id) {
                hits.extend(intent.find(field, reading, &sentences));
            }
        }
    }
    hits
}

impl Intent {
    fn find(
        &self,
        field: &Field<'_>,
        reading: &NormalizedText,
        sentences: &[Range<usize>],
    ) -> Option<Hit> {
        let text = &reading.text;
        let at = (0..sentences.len()).find(|at| {
            let before = sentences[at.saturating_sub(1)].start;
            let after = sentences[(at + 1).min(sentences.len() - 1)].end;
            self.is_meant(&text[sentences[*at].clone()], &text[before..after], field)
        })?;
        let sentence = sentences[at].clone();
        let object = self.object.pattern().find(&text[sentence.clone()])?;
        let bytes = sentence.start + object.start()..sentence.start + object.end();
        reading.hit(self.rule_id, bytes, self.message)
    }

    fn is_meant(&self, sentence: &str, around: &str, field: &Field<'_>) -> bool {
        if !self.object.are_in(sentence) {
            return false;
        }
        let insists = self.insists.are_in(sentence) || EVASION.are_in(sentence);
        let asked = |text: &str| self.asks.iter().all(|words| words.are_in(text));
        // If harm is plainly intended, the request may be in the sentence before or after.
        let scope = match () {
            () if asked(sentence) => sentence,
            () if insists && asked(around) => around,
            () => return false,
        };
        if self.opposes.are_in(&EVASION.pattern().replace_all(scope, " ")) {
            return false;
        }
        insists || !(self.excuses.are_in(around) || field.titled(&self.excuses))
    }
}
