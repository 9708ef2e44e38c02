//! A result before it is finished.

use serde_json::{Map, Value};

use crate::wording::{Voice, said};
use engine::{Mode, Section, Technique};

/// What the composers produce; the engine adds what is the same for all of them.
#[derive(Debug, Default)]
pub struct Draft {
    /// See [`engine::Generation`] for this and all other fields.
    pub title: String,
    pub mode: Mode,
    pub prompt: String,
    pub system_prompt: Option<String>,
    pub negative_prompt: Option<String>,
    pub parameters: Map<String, Value>,
    pub sections: Vec<Section>,
    pub assumptions: Vec<String>,
    pub questions: Vec<String>,
    pub techniques: Vec<Technique>,
    pub usage: Vec<String>,
    /// Language tag, when it differs from the brief's.
    pub language: Option<String>,
}

/// What of a goal the target model has no place for.
#[derive(Clone, Debug)]
pub enum Omitted {
    /// Parameters of another model.
    Parameters(Vec<String>),
    /// Exclusions, which the model may show since they are named.
    Exclusions(Vec<String>),
}

impl Omitted {
    /// What is left out, in the user's words.
    pub fn words(&self) -> String {
        let (Self::Parameters(list) | Self::Exclusions(list)) = self;
        list.join(", ")
    }

    /// The remark.
    pub fn told(&self, model: &str, voice: &Voice) -> String {
        let remark = match self {
            Self::Parameters(_) => said("Left out because {} has nothing like it: {2}."),
            Self::Exclusions(_) => {
                said("{} may show what is only named; better say what is there instead of: {2}.")
            }
        };
        voice.say(remark, &[model, &self.words()])
    }
}
