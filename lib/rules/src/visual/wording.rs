//! The few phrases that a prompt gets beside the user's own words, in the language of those.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use serde::Deserialize;

use text::language::primary;

/// Phrases in one language.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wording {
    /// What is said of a picture that the user does not describe, by aspect; English has it by kind.
    pub aspects: BTreeMap<String, String>,
    /// A camera move; empty in English, which has it by kind.
    pub camera: String,
    /// What must not be seen, in place of `{}`.
    pub free: String,
    /// Aspect ratio, in place of `{}`.
    pub format: String,
    /// That quoted text is lettering.
    pub lettering: String,
    /// That quoted text is spoken.
    pub spoken: String,
    /// A camera at rest.
    pub still: String,
    /// That the move which the user named is the only one.
    pub stated: String,
    /// That all shots show the same.
    pub same: String,
    /// The subject of a shot in which only the camera does something; English alone takes moves out of steps.
    #[serde(default)]
    pub again: String,
    /// That an edit leaves everything else as it is; a sentence.
    pub keep: String,
    /// Shot sizes from far to near.
    pub sizes: [String; 4],
    names: HashMap<String, String>,
}

impl Wording {
    /// What an exclusion is called.
    pub fn name<'a>(&'a self, english: &'a str) -> &'a str {
        self.names.get(english).map_or(english, String::as_str)
    }
}

static WORDING: LazyLock<HashMap<String, Wording>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../../knowledge/visual/wording.json"))
        .expect("wording.json is compiled in")
});

/// The phrases of a language, if there are any.
pub fn of(tag: &str) -> Option<&'static Wording> {
    WORDING.get(primary(tag).as_str())
}
