//! What a result says beside its prompt: assumptions, questions, techniques and steps, from one table.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde::Deserialize;

use engine::Technique;

/// More questions nobody answers.
const MOST_QUESTIONS: usize = 3;

#[derive(Deserialize)]
struct Notes {
    assumptions: Vec<Note>,
    questions: Vec<Note>,
    techniques: Vec<Note>,
    usage: Vec<Note>,
}

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

static NOTES: LazyLock<Notes> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../../knowledge/visual/notes.json"))
        .expect("notes.json is compiled in")
});

/// What is known about a prompt: facts, and values for the places of remarks.
#[derive(Debug, Default)]
pub struct Known<'a> {
    /// Facts that hold.
    pub facts: BTreeSet<&'a str>,
    /// Values by the name of their place.
    pub values: Vec<(&'static str, String)>,
}

impl Known<'_> {
    fn holding(&self, notes: &'static [Note]) -> impl Iterator<Item = (&'static Note, String)> {
        notes
            .iter()
            .filter(|note| {
                note.facts.iter().all(|fact| match fact.strip_prefix('-') {
                    Some(fact) => !self.facts.contains(fact),
                    None => self.facts.contains(fact.as_str()),
                })
            })
            .map(|note| {
                let place = |text: String, (name, value): &(&str, String)| {
                    text.replace(&format!("{{{name}}}"), value)
                };
                (note, self.values.iter().fold(note.say.clone(), place))
            })
    }

    /// What was assumed.
    pub fn assumptions(&self) -> Vec<String> {
        self.holding(&NOTES.assumptions).map(|(_, text)| text).collect()
    }

    /// What would be good to know most.
    pub fn questions(&self) -> Vec<String> {
        self.holding(&NOTES.questions).take(MOST_QUESTIONS).map(|(_, text)| text).collect()
    }

    /// How to use the prompt.
    pub fn usage(&self) -> Vec<String> {
        self.holding(&NOTES.usage).map(|(_, text)| text).collect()
    }

    /// What was done, and why.
    pub fn techniques(&self) -> Vec<Technique> {
        self.holding(&NOTES.techniques)
            .map(|(note, why)| Technique { id: note.id.clone(), label: note.label.clone(), why })
            .collect()
    }
}
