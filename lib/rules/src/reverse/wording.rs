//! Saying things in the language of the result.

use crate::wording::Voice;
use text::language;

/// Speaks the language of a tag, English where there are no texts in it.
#[derive(Clone, Debug)]
pub struct Words(Voice);

/// Marks an English wording in a table, which [`Words`] says later.
pub const fn said(english: &'static str) -> &'static str {
    english
}

impl Words {
    /// Speaks the language of `tag`.
    pub fn of(tag: &str) -> Self {
        Self(Voice::of(tag))
    }

    /// The text with this English wording; `{}` stands for the first value, `{2}` for the second and so on.
    pub fn say(&self, english: &str, values: &[&str]) -> String {
        self.0.say(english, values)
    }

    /// A name without values.
    pub fn name(&self, english: &str) -> String {
        self.say(english, &[])
    }

    /// Names in a list.
    pub fn list(&self, english: &[&str]) -> String {
        english.iter().map(|name| self.name(name)).collect::<Vec<_>>().join(", ")
    }

    /// The name of a kind of text as a label: without its article.
    pub fn label(&self, english: &str) -> String {
        let name = self.name(english);
        let label = name.split_once(' ').map_or(name.as_str(), |(_, label)| label);
        let mut characters = label.chars();
        let first = characters.next().into_iter().flat_map(char::to_uppercase);
        first.chain(characters.clone()).collect()
    }

    /// The name of a language, without its region; in English where there is no translation of it.
    pub fn language(&self, tag: &str) -> String {
        self.name(&language::english_name(&language::primary(tag)))
    }
}
