//! Wording about pictures and clips in other languages than English, so that no prompt is half translated.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::split;
use crate::Section;
use crate::language::primary;

/// The few phrases that a prompt in one language gets beside the user's own words.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Craft {
    /// Composition.
    pub composition: String,
    /// Light.
    pub light: String,
    /// What must not be seen, in place of `{}`.
    pub free: String,
    /// Aspect ratio, in place of `{}`.
    pub format: String,
    /// That quoted text is lettering.
    pub lettering: String,
    /// That quoted text is spoken.
    pub spoken: String,
    /// A camera move.
    pub camera: String,
    /// A camera at rest.
    pub still: String,
    /// That the move which the user named is the only one.
    pub stated: String,
    /// That all shots show the same.
    pub same: String,
    /// That an edit leaves everything else as it is; a sentence.
    pub keep: String,
    /// Shot sizes from far to near.
    pub framing: [String; 4],
    names: HashMap<String, String>,
}

impl Craft {
    /// What an exclusion is called.
    pub fn name<'a>(&'a self, english: &'a str) -> &'a str {
        self.names.get(english).map_or(english, String::as_str)
    }
}

static CRAFT: LazyLock<HashMap<String, Craft>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../knowledge/craft.json"))
        .expect("craft.json is compiled in")
});

/// The wording of a language, if it is known.
pub fn of(tag: &str) -> Option<&'static Craft> {
    CRAFT.get(primary(tag).as_str())
}

/// A sentence of its own, with the full stop of its script.
pub fn stop(text: &str) -> String {
    let text = text.trim().trim_end_matches(['、', '，']);
    let wide = |c: char| matches!(u32::from(c), 0x3040..=0x30FF | 0x4E00..=0x9FFF);
    match text.chars().last() {
        Some(last) if wide(last) => format!("{text}。"),
        _ => split::stop(&split::capitalize(text)),
    }
}

/// The texts of the parts in a row; the full stop of some scripts holds its own space.
pub fn joined(sections: &[Section], separator: &str) -> String {
    let mut text = String::new();
    for section in sections {
        if !(text.is_empty() || separator == " " && text.ends_with('。')) {
            text.push_str(separator);
        }
        text.push_str(&section.text);
    }
    text
}
