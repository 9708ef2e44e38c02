//! Text that must not be shown.

use std::fmt;

/// An API key. It has no `Display`, and its `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a key; whitespace around it, as files and stores leave it, is no part of it.
    pub fn new(text: &str) -> Self {
        Self(text.trim().to_owned())
    }

    /// The key, for the one header that carries it.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// `text` without the key, should someone have echoed it.
    pub(crate) fn redact(&self, text: &str) -> String {
        if self.0.is_empty() { text.to_owned() } else { text.replace(&self.0, "[key]") }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[key]")
    }
}
