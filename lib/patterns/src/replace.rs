//! Putting something else where a pattern matches.

use std::borrow::Cow;

use crate::{Captures, Pattern};

/// What replaces a match: a text in which `$name` stands for a group, or a function of the groups.
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
    fn append(&mut self, found: &Captures<'_>, result: &mut String) {
        let mut rest = *self;
        while let Some(at) = rest.find('$') {
            result.push_str(&rest[..at]);
            let behind = &rest[at + 1..];
            if let Some(other) = behind.strip_prefix('$') {
                result.push('$');
                rest = other;
                continue;
            }
            let (name, length) =
                match behind.strip_prefix('{').and_then(|inner| inner.split_once('}')) {
                    Some((name, _)) => (name, name.len() + 2),
                    None => {
                        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
                        let length = behind.find(|c: char| !is_part(c)).unwrap_or(behind.len());
                        (&behind[..length], length)
                    }
                };
            let group = match name.parse::<usize>() {
                Ok(number) => found.get(number),
                Err(_) => found.name(name),
            };
            if name.is_empty() {
                result.push('$');
            }
            result.push_str(group.map_or("", |group| group.as_str()));
            rest = &behind[length..];
        }
        result.push_str(rest);
    }
}

impl Replacer for String {
    fn append(&mut self, found: &Captures<'_>, result: &mut String) {
        self.as_str().append(found, result);
    }
}

impl Replacer for &String {
    fn append(&mut self, found: &Captures<'_>, result: &mut String) {
        self.as_str().append(found, result);
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
