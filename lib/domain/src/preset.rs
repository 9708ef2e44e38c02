//! Presets: a prompt with variables, and values for them.
//!
//! A marker is `{{name}}`. Whitespace around the name does not count; a name has neither braces nor line
//! breaks in it. What steers a template in other languages (`{{#if x}}`, `{{/if}}`, `{{else}}`) stands for
//! no value and is text like any other.

use std::collections::{BTreeMap, HashSet};

use serde::{Deserialize, Serialize};

use crate::{PresetId, Timestamp};

/// Bytes of UTF-8 that a preset may render to.
pub const RENDERED_MAX: usize = 5_000_000;

/// Bytes that the values of a request may have together, as they travel in an answer: see
/// [`crate::response_size::escaped_len`]. So a preset fits into one, whatever else it has.
pub const VALUES_BYTES_MAX: u64 = 5_000_000;
/// Values that a request may give.
pub const VALUES_MAX: usize = 100;
/// Characters of a value at most.
pub const VALUE_MAX: usize = 10_000;
/// Characters of a value's name at most.
pub const NAME_MAX: usize = 200;

/// Values of variables, by name.
pub type Values = BTreeMap<String, String>;

/// What a preset is made of, apart from its name. Of this only the values ever change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Content {
    /// Title of the template that it was made from.
    pub template_title: Option<String>,
    /// The prompt, with markers.
    pub prompt_text: String,
    /// Saved values.
    pub values: Values,
    /// The generation that the prompt comes from, as its owner named it.
    pub generation_id: Option<String>,
    /// The version that the prompt comes from, as its owner named it.
    pub generated_version_id: Option<String>,
}

/// A preset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preset {
    /// Its identifier, which also says when it was created.
    pub id: PresetId,
    /// What its owner calls it.
    pub name: String,
    /// What it is made of.
    pub content: Content,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// What a prompt with values came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    /// The prompt with values in place of markers.
    pub text: String,
    /// Variables that were replaced, in order of first use.
    pub used: Vec<String>,
    /// Variables without a value, whose markers are left as they were, in order of first use.
    pub missing: Vec<String>,
    /// Names of values that no marker asks for.
    pub unused: Vec<String>,
}

/// The rendered prompt would be too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the prompt renders to {bytes} bytes, more than {RENDERED_MAX}")]
pub struct TooLarge {
    /// Bytes that it would have.
    pub bytes: usize,
}

/// A piece of a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece<'a> {
    Text(&'a str),
    Marker { name: &'a str, verbatim: &'a str },
}

/// The pieces of `text`, which they add up to.
fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    // Where the text begins that is in no piece yet, and where to look for a marker.
    let (mut kept, mut from) = (0, 0);
    while let Some(open) = text[from..].find("{{").map(|at| from + at) {
        let inside = open + 2;
        let Some(brace) = text[inside..].find(['{', '}']).map(|at| inside + at) else { break };
        let name = text[inside..brace].trim();
        if text[brace..].starts_with("}}") && stands_for_a_value(name) {
            let close = brace + 2;
            if kept < open {
                pieces.push(Piece::Text(&text[kept..open]));
            }
            pieces.push(Piece::Marker { name, verbatim: &text[open..close] });
            (kept, from) = (close, close);
        } else {
            // Of three braces the last two may open a marker.
            from = if brace == inside { open + 1 } else { brace };
        }
    }
    if kept < text.len() {
        pieces.push(Piece::Text(&text[kept..]));
    }
    pieces
}

fn stands_for_a_value(name: &str) -> bool {
    !name.is_empty()
        && name != "else"
        && !name.starts_with(['#', '/', '!', '>', '^', '&'])
        && !name.contains(['\n', '\r'])
}

/// The variables of `text` in order of first use.
pub fn variables(text: &str) -> Vec<&str> {
    let mut seen = HashSet::new();
    let names = pieces(text).into_iter().filter_map(|piece| match piece {
        Piece::Marker { name, .. } => Some(name),
        Piece::Text(_) => None,
    });
    names.filter(|name| seen.insert(*name)).collect()
}

/// Puts `values` in place of the markers of `text`, in one pass: markers in values stay what they are.
///
/// # Errors
///
/// [`TooLarge`], before anything is built.
pub fn render(text: &str, values: &Values) -> Result<Rendered, TooLarge> {
    let pieces = pieces(text);
    let put = |piece: &Piece<'_>| match *piece {
        Piece::Text(text) => text.len(),
        Piece::Marker { name, verbatim } => values.get(name).map_or(verbatim.len(), String::len),
    };
    let bytes = pieces.iter().map(put).sum();
    if bytes > RENDERED_MAX {
        return Err(TooLarge { bytes });
    }
    let mut rendered = String::with_capacity(bytes);
    let (mut used, mut missing) = (Vec::new(), Vec::new());
    let mut seen = HashSet::new();
    for piece in pieces {
        match piece {
            Piece::Text(text) => rendered.push_str(text),
            Piece::Marker { name, verbatim } => {
                let value = values.get(name);
                rendered.push_str(value.map_or(verbatim, String::as_str));
                if seen.insert(name) {
                    let list = if value.is_some() { &mut used } else { &mut missing };
                    list.push(name.to_owned());
                }
            }
        }
    }
    let unused = values.keys().filter(|name| !seen.contains(name.as_str())).cloned().collect();
    Ok(Rendered { text: rendered, used, missing, unused })
}

impl Preset {
    /// When it was created.
    pub fn created_at(&self) -> Timestamp {
        self.id.created_at()
    }

    /// Renders it; `overrides` win over its own values.
    ///
    /// # Errors
    ///
    /// [`TooLarge`], before anything is built.
    pub fn render(&self, overrides: Values) -> Result<Rendered, TooLarge> {
        let mut values = self.content.values.clone();
        values.extend(overrides);
        render(&self.content.prompt_text, &values)
    }
}
