//! Text that must not be shown.

use std::fmt;

/// An API key. Has no `Display`, and `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a key; trims the whitespace that files and stores leave around it.
    pub fn new(text: &str) -> Self {
        Self(text.trim().to_owned())
    }

    /// The key, only for the header that sends it.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// `text` without the key, in case a server echoed it.
    pub(crate) fn redact(&self, text: &str) -> String {
        if self.0.is_empty() { text.to_owned() } else { text.replace(&self.0, "[key]") }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[key]")
    }
}
