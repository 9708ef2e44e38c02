//! Saying things in the language of the result.

pub use crate::wording::Voice as Words;
use text::language;

/// Marks an English wording in a table, which [`Words`] says later.
pub const fn said(english: &'static str) -> &'static str {
    english
}

impl Words {
    /// A name without values.
    pub fn name(&self, english: &str) -> String {
        self.say(english, &[])
    }

    /// So many things.
    pub fn count(&self, count: usize, one: &str, several: &str) -> String {
        if count == 1 { self.name(one) } else { self.say(several, &[&count.to_string()]) }
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
