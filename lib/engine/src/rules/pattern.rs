//! Regular expressions that are compiled once.

/// A regular expression given as a literal, compiled at its first use.
macro_rules! regex {
    ($pattern:expr) => {{
        static REGEX: std::sync::LazyLock<regex::Regex> =
            std::sync::LazyLock::new(|| regex::Regex::new($pattern).expect("a constant pattern"));
        &*REGEX
    }};
}

pub(crate) use regex;
