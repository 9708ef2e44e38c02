//! Regular expressions of the rules.

use regex::Regex;

/// Compiles a rule.
///
/// `\b` means the boundary of an ASCII word: with Unicode boundaries the automaton gives up at the
/// first letter beyond ASCII, and what replaces it is a hundred times slower. Alternatives that begin
/// or end with such a letter therefore stand outside of `\b`.
///
/// # Panics
///
/// At a pattern that is none; all of them are constants.
pub fn compile(pattern: &str) -> Regex {
    Regex::new(&pattern.replace(r"\b", r"(?-u:\b)")).expect("a constant pattern")
}

/// A rule given as a literal, compiled at its first use.
macro_rules! regex {
    ($pattern:expr) => {{
        static REGEX: std::sync::LazyLock<regex::Regex> =
            std::sync::LazyLock::new(|| $crate::constraints::pattern::compile($pattern));
        &*REGEX
    }};
}

pub(super) use regex;
