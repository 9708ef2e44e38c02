//! What a result says beside its prompt: assumptions, questions, techniques and steps, from one table. Nobody is asked
//! for an aspect that a description names.

use std::collections::HashMap;
use std::sync::LazyLock;

use patterns::{Pattern, pattern};
use serde::Deserialize;

use crate::wording::Voice;
use engine::Technique;

/// A remark with the facts under which it is made; a fact behind a hyphen must not hold.
#[derive(Deserialize)]
struct Note {
    #[serde(rename = "if")]
    facts: Vec<String>,
    #[serde(default)]
    id: String,
    #[serde(default)]
    label: String,
    say: String,
}

static NOTES: LazyLock<HashMap<String, Vec<Note>>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../../knowledge/visual/notes.json"))
        .expect("notes.json is compiled in")
});

/// What is known about a prompt.
#[derive(Debug)]
pub struct Known<'a> {
    /// Facts that hold.
    pub facts: Vec<&'a str>,
    /// The model that remarks name.
    pub model: &'a str,
    /// The language of the remarks.
    pub voice: Voice,
}

impl Known<'_> {
    /// The remarks of a kind whose facts hold.
    pub fn notes(&self, kind: &str) -> Vec<Technique> {
        let holds = |fact: &String| match fact.strip_prefix('-') {
            Some(fact) => !self.facts.contains(&fact),
            None => self.facts.contains(&fact.as_str()),
        };
        let notes = NOTES[kind].iter().filter(|note| note.facts.iter().all(holds));
        let told =
            |note: &Note| self.voice.technique([&note.id, &note.label, &note.say], &[self.model]);
        notes.map(told).collect()
    }

    /// The remarks without their names.
    pub fn lines(&self, kind: &str) -> Vec<String> {
        self.notes(kind).into_iter().map(|note| note.why).collect()
    }
}

/// Words by which aspects are described.
const STATED: [(&str, Pattern); 5] = [
    ("medium", pattern!(r"(?i)\b(?:{visual.draw}|{visual.medium})\b")),
    // What is drawn for its form has no light and no camera.
    ("light", pattern!(r"(?i)\b(?:{visual.light}|{visual.graphic})\b|{visual.light_scripted}")),
    ("weather", pattern!(r"(?i)\b{visual.weather}\b")),
    ("palette", pattern!(r"(?i)\b{visual.color}\b|#[0-9a-f]{6}\b")),
    ("view", pattern!(r"(?i)\b(?:{visual.view}|{visual.graphic}|\d{2,3}mm|f/\d)\b")),
];

/// The aspects that a text names.
pub fn aspects(text: &str) -> impl Iterator<Item = &'static str> {
    STATED.iter().filter(move |(_, words)| words.is_match(text)).map(|(aspect, _)| *aspect)
}

/// Whether a text names an aspect that another names too.
pub fn states_otherwise(text: &str, other: &str) -> bool {
    let known: Vec<&str> = aspects(other).collect();
    aspects(text).any(|aspect| known.contains(&aspect))
}
