//! Presets: prompts with variables, and their values.
//!
//! A marker is `{{name}}`. Whitespace around the name is ignored; the name has no braces or line
//! breaks. Any other name is one, also those that template languages give a meaning (`{{#if x}}`,
//! `{{else}}`).

use std::collections::{BTreeMap, HashSet};

use serde::{Deserialize, Serialize};

use crate::{PresetId, Timestamp};

/// Bytes of UTF-8 that a rendered preset may have.
pub const RENDERED_MAX: usize = 5_000_000;

/// Bytes that the values of a request may have together, as in a Lambda response (see
/// [`crate::response_size::escaped_len`]): so a preset always fits into a response.
pub const VALUES_BYTES_MAX: u64 = 5_000_000;
/// Values that a request may have.
pub const VALUES_MAX: usize = 100;
/// Characters of a value at most.
pub const VALUE_MAX: usize = 10_000;
/// Characters of a value's name at most.
pub const NAME_MAX: usize = 10_000;

/// Values of variables, by name.
pub type Values = BTreeMap<String, String>;

/// A preset without its name. Only the values can be changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Content {
    /// Title of the template that it was made from.
    pub template_title: Option<String>,
    /// The prompt, with markers.
    pub prompt_text: String,
    /// Saved values.
    pub values: Values,
    /// The generation that the prompt comes from; stored as given.
    pub generation_id: Option<String>,
    /// The version that the prompt comes from; stored as given.
    pub generated_version_id: Option<String>,
}

/// A preset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preset {
    /// Its identifier, which includes when it was created.
    pub id: PresetId,
    /// The name that its owner gave it.
    pub name: String,
    /// Prompt, values and origin.
    pub content: Content,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// A rendered prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    /// The prompt with values in place of markers.
    pub text: String,
    /// Variables that were replaced, in order of first use.
    pub used: Vec<String>,
    /// Variables without a value, in order of first use; their markers are unchanged.
    pub missing: Vec<String>,
    /// Names of values without a marker.
    pub unused: Vec<String>,
}

/// The rendered prompt would be too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the rendered prompt would have {bytes} bytes, more than {RENDERED_MAX}")]
pub struct TooLarge {
    /// Bytes that it would have.
    pub bytes: usize,
}

/// A piece of a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// What stands for itself.
    Text(&'a str),
    /// What a value goes in the place of.
    Marker {
        /// The variable, without the whitespace around it.
        name: &'a str,
        /// The marker with its braces.
        verbatim: &'a str,
    },
}

/// Splits `text` into pieces; joined, they are `text` again.
pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    // Where the text after the last piece begins, and where to look for the next marker.
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
    !name.is_empty() && !name.contains(['\n', '\r'])
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

/// Replaces the markers of `text` by `values`, in one pass: markers in values are not replaced.
///
/// # Errors
///
/// [`TooLarge`]; nothing is built then.
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

    /// Renders it; `overrides` take precedence over its own values.
    ///
    /// # Errors
    ///
    /// [`TooLarge`]; nothing is built then.
    pub fn render(&self, overrides: Values) -> Result<Rendered, TooLarge> {
        let mut values = self.content.values.clone();
        values.extend(overrides);
        render(&self.content.prompt_text, &values)
    }
}
