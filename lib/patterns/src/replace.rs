//! Putting something else where a pattern matches.

use std::borrow::Cow;

use crate::{Captures, Pattern};

/// What replaces a match: a text, or a function of the groups.
pub trait Replacer {
    /// Appends what replaces the match.
    fn append(&mut self, found: &Captures<'_>, result: &mut String);
}

impl<T: AsRef<str>, F: FnMut(&Captures<'_>) -> T> Replacer for F {
    fn append(&mut self, found: &Captures<'_>, result: &mut String) {
        result.push_str(self(found).as_ref());
    }
}

impl Replacer for &str {
    fn append(&mut self, _: &Captures<'_>, result: &mut String) {
        result.push_str(self);
    }
}

impl Replacer for &String {
    fn append(&mut self, _: &Captures<'_>, result: &mut String) {
        result.push_str(self);
    }
}

impl Pattern {
    /// The text with something else for the first match.
    pub fn replace<'t>(&self, text: &'t str, by: impl Replacer) -> Cow<'t, str> {
        replaced(text, self.captures(text).into_iter(), by)
    }

    /// The text with something else for all matches.
    pub fn replace_all<'t>(&self, text: &'t str, by: impl Replacer) -> Cow<'t, str> {
        replaced(text, self.captures_iter(text), by)
    }
}

fn replaced<'t>(
    text: &'t str,
    matches: impl Iterator<Item = Captures<'t>>,
    mut by: impl Replacer,
) -> Cow<'t, str> {
    let mut result = String::new();
    let mut last = None;
    for found in matches {
        let place = found.get_match();
        result.push_str(&text[last.unwrap_or(0)..place.start()]);
        by.append(&found, &mut result);
        last = Some(place.end());
    }
    match last {
        None => Cow::Borrowed(text),
        Some(last) => {
            result.push_str(&text[last..]);
            Cow::Owned(result)
        }
    }
}
