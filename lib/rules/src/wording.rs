//! What rewriting puts into a prompt, in the prompt's language, and what it says about it, in the caller's.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::messages;
pub use text::language::tag_named;
use text::language::{self, Locale};

/// Lines and headings for prompts in one language.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Phrases {
    headings: HashMap<String, String>,
    /// Sentence that sets the language of the answer; languages with a locale have it there.
    #[serde(default)]
    respond: String,
    /// Requirements by what they are about; empty where there are no translations.
    #[serde(default)]
    lines: HashMap<String, String>,
}

static PHRASES: LazyLock<HashMap<String, Phrases>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../knowledge/rewriting/phrases.json"))
        .expect("phrases.json is compiled in")
});

/// Headings for languages that have no locale of their own.
static SCAFFOLDS: LazyLock<HashMap<&'static str, Locale>> = LazyLock::new(|| {
    PHRASES
        .iter()
        .filter(|(tag, _)| !language::has_locale(tag))
        .map(|(tag, phrases)| {
            let locale = Locale {
                name: language::english_name(tag),
                headings: phrases.headings.clone(),
                role: "{}".to_owned(),
                respond: phrases.respond.clone(),
                check: String::new(),
                languages: HashMap::new(),
                lines: HashMap::new(),
            };
            (tag.as_str(), locale)
        })
        .collect()
});

/// The language that a prompt is written in, and what can be added in it.
#[derive(Clone, Copy, Debug)]
pub struct Tongue {
    /// Its tag.
    pub tag: &'static str,
    phrases: Option<&'static Phrases>,
}

impl Tongue {
    /// The language of a prompt; one that is too short to tell counts as English.
    pub fn of(prompt: &str) -> Self {
        let tag = language::told(prompt).unwrap_or("en");
        Self { tag, phrases: PHRASES.get(tag) }
    }

    /// The language of `tag`.
    pub fn named(tag: &'static str) -> Self {
        Self { tag, phrases: PHRASES.get(tag) }
    }

    /// Headings in it, if there are any.
    pub fn locale(self) -> Option<&'static Locale> {
        if language::has_locale(self.tag) {
            return Some(language::locale(self.tag));
        }
        SCAFFOLDS.get(self.tag)
    }

    /// A requirement in it with `value` in its place, if there is one.
    pub fn line(self, name: &str, value: &str) -> Option<String> {
        self.phrases?.lines.get(name).map(|line| line.replace("{}", value))
    }

    /// Heading of the role, which most layouts leave without one.
    pub fn heading(self, name: &str) -> Option<&'static str> {
        let own = self.phrases?.headings.get(name);
        own.or_else(|| self.locale()?.headings.get(name)).map(String::as_str)
    }

    /// The name of the language of `tag`, English where there is none in this one.
    pub fn name_of(self, tag: &str) -> String {
        match self.tag {
            _ if language::has_locale(tag) && language::primary(tag) == self.tag => {
                language::locale(tag).name.clone()
            }
            own if language::has_locale(own) => {
                let names = &language::locale(own).languages;
                let name = names.get(language::primary(tag).as_str());
                name.cloned().unwrap_or_else(|| language::english_name(tag))
            }
            _ => language::english_name(tag),
        }
    }

    /// The sentence that asks for answers in the language of `tag`.
    pub fn respond_in(self, tag: &str) -> String {
        let name = self.name_of(tag);
        match self.locale() {
            Some(locale) if !locale.respond.is_empty() => locale.respond.replace("{}", &name),
            _ => language::locale("en").respond.replace("{}", &language::english_name(tag)),
        }
    }
}

/// The headings of parts in the languages that have no locale of their own, for finding parts again.
pub fn headings() -> impl Iterator<Item = (&'static str, &'static str)> {
    PHRASES.values().flat_map(|phrases| {
        phrases.headings.iter().map(|(name, heading)| (name.as_str(), heading.as_str()))
    })
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
