//! Word lists as patterns.

use std::sync::LazyLock;

use regex::{Regex, RegexBuilder};

/// Bytes of a list's lazy DFA cache; with less, long lists drop and rebuild their states.
const CACHE: usize = 16 << 20;

/// Alternatives over folded text, whole words only. Compiled on first use. `\w` is a lower-case letter or a digit.
///
/// What people say is data of the groups `moderation_…` of `knowledge/`, in lower case without accents.
pub(crate) struct Words(LazyLock<Regex, Box<dyn FnOnce() -> Regex + Send>>);

impl Words {
    pub(crate) fn new(list: &'static str) -> Self {
        Self(LazyLock::new(Box::new(move || {
            let list = list.replace(r"\w", "[a-z0-9]").replace(r"\b", r"(?-u:\b)");
            RegexBuilder::new(&format!(r"(?-u:\b)(?:{list})(?-u:\b)"))
                .dfa_size_limit(CACHE)
                .build()
                .expect("word lists are constants")
        })))
    }

    /// Whether one of the words is in `text`.
    pub(crate) fn are_in(&self, text: &str) -> bool {
        budget::spend(text.len());
        self.0.is_match(text)
    }

    /// The pattern.
    pub(crate) fn pattern(&self) -> &Regex {
        &self.0
    }
}

/// A pattern that is compiled once.
macro_rules! regex {
    ($pattern:expr) => {{
        static PATTERN: std::sync::LazyLock<regex::Regex> = std::sync::LazyLock::new(|| {
            regex::Regex::new($pattern).expect("patterns are constants")
        });
        &*PATTERN
    }};
}
pub(crate) use regex;
