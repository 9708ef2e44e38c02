//! A result before it is finished.

use serde_json::{Map, Value};

use crate::{Mode, Section, Technique};

/// What the composers produce; the engine adds what is the same for all of them.
#[derive(Debug, Default)]
pub struct Draft {
    /// See [`crate::Generation`] for this and all other fields.
    pub title: String,
    pub mode: Mode,
    pub prompt: String,
    pub system_prompt: Option<String>,
    pub negative_prompt: Option<String>,
    pub parameters: Map<String, Value>,
    pub sections: Vec<Section>,
    /// Name, description and default value of the variables that the composer introduced.
    pub variables: Vec<(String, String, Option<String>)>,
    pub assumptions: Vec<String>,
    pub questions: Vec<String>,
    pub techniques: Vec<Technique>,
    pub usage: Vec<String>,
    /// Language tag, when it differs from the brief's.
    pub language: Option<String>,
}

/// Builds a technique.
pub fn technique(id: &str, label: &str, why: impl Into<String>) -> Technique {
    Technique { id: id.to_owned(), label: label.to_owned(), why: why.into() }
}
