//! What rewriting puts into a prompt, in the prompt's language, and what it says about it, in the caller's.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::messages;
use text::language;
pub use text::language::tag_named;

/// Lines for prompts, by language and name.
type Phrases = HashMap<String, HashMap<String, String>>;

static PHRASES: LazyLock<Phrases> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../knowledge/rewriting/phrases.json"))
        .expect("phrases.json is compiled in")
});

/// The language that a prompt is written in, and what can be added in it.
#[derive(Clone, Copy, Debug)]
pub struct Tongue {
    /// Its tag.
    pub tag: &'static str,
}

impl Tongue {
    /// The language of a prompt; one that is too short to tell counts as English.
    pub fn of(prompt: &str) -> Self {
        let tag = language::told(prompt).unwrap_or("en");
        Self { tag }
    }

    /// A line in it with `value` in its place; in English where there is none in it.
    pub fn line(self, name: &str, value: &str) -> String {
        let of = |tag: &str| PHRASES.get(tag)?.get(name);
        of(self.tag).or_else(|| of("en")).map_or_else(String::new, |line| line.replace("{}", value))
    }
}

/// The language that a result speaks to its reader.
#[derive(Clone, Debug)]
pub struct Voice {
    tag: String,
}

impl Voice {
    /// The language of `tag`; English where there are no translations.
    pub fn of(tag: &str) -> Self {
        Self { tag: if language::has_locale(tag) { tag.to_owned() } else { "en".to_owned() } }
    }

    /// A message with values in its places: `{}` for the first, `{2}` for the second.
    pub fn say(&self, english: &str, values: &[&str]) -> String {
        let template = messages::phrase(&self.tag, english).unwrap_or(english);
        let mut result = String::with_capacity(template.len());
        let mut rest = template;
        while let Some((before, place, after)) = next_place(rest) {
            result.push_str(before);
            result.push_str(values.get(place).copied().unwrap_or_default());
            rest = after;
        }
        result + rest
    }
}

/// What stands before the next `{}` or `{2}`, the number of its value, and what follows.
fn next_place(text: &str) -> Option<(&str, usize, &str)> {
    let at = text.find('{')?;
    let (before, rest) = text.split_at(at);
    for (mark, place) in [("{}", 0), ("{2}", 1), ("{3}", 2)] {
        if let Some(after) = rest.strip_prefix(mark) {
            return Some((before, place, after));
        }
    }
    None
}
