//! How each family of models for pictures and clips is prompted, from `knowledge/families.json`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::Value;

use engine::{Mode, Model, ModelKind};

/// How a family of models is prompted.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Family {
    /// Whether settings and exclusions are parameters at the end of one line.
    pub flags: bool,
    /// Whether prompts are phrases between commas instead of sentences.
    pub phrases: bool,
    /// Whether colours are read by their codes.
    pub codes: bool,
    /// The sizes in pixels that it takes instead of ratios: upright, square, wide.
    pub sizes: Option<[String; 3]>,
    /// What the tool is called that such prompts are for.
    pub tool: Option<String>,
    /// A prompt that follows from the measures of a picture.
    pub measured: Option<String>,
    /// A prompt that follows from the measures of a clip, if it does not have the form of the others.
    pub filmed: Option<String>,
    /// How such a prompt tells a shot.
    pub shot: Option<String>,
}

static FAMILIES: LazyLock<BTreeMap<String, Family>> = LazyLock::new(|| {
    let file = include_str!("../../../../knowledge/families.json");
    let families: Value = serde_json::from_str(file).expect("families.json is compiled in");
    Deserialize::deserialize(&families["visual"]).expect("families are as they are declared")
});

/// The family of a model, by its name; a general one for models of text.
pub fn named(name: &str) -> &'static Family {
    FAMILIES.get(name).unwrap_or_else(|| &FAMILIES["universal"])
}

/// The family of a model.
pub fn of(model: &Model) -> &'static Family {
    named(&model.family)
}

/// What the tool is called that takes phrases with or without parameters.
pub fn tool(flags: bool) -> &'static str {
    let mut families = FAMILIES.values();
    let found = families.find(|family| family.phrases && family.flags == flags);
    found.and_then(|family| family.tool.as_deref()).unwrap_or_default()
}

/// What kind of visual prompt a model takes, if it takes only such.
pub fn mode_of(model: &Model) -> Option<Mode> {
    match model.kind {
        ModelKind::Image => Some(Mode::Image),
        ModelKind::Video => Some(Mode::Video),
        ModelKind::Text | ModelKind::Universal => None,
    }
}
