//! What results say to their reader in the caller's language, and what is put into a prompt in the prompt's.

use std::collections::HashMap;
use std::sync::LazyLock;

use engine::Technique;
use patterns::{Captures, pattern};
use text::language;

/// Texts of a language by their English wording, or by a key.
type Texts = HashMap<String, String>;

/// What is said in English is its own wording, but for what has a key.
static MESSAGES: LazyLock<HashMap<&str, Texts>> = LazyLock::new(|| {
    let files = [
        ("en", include_str!("../../../knowledge/messages/en.json")),
        ("de", include_str!("../../../knowledge/messages/de.json")),
        ("es", include_str!("../../../knowledge/messages/es.json")),
        ("fr", include_str!("../../../knowledge/messages/fr.json")),
        ("it", include_str!("../../../knowledge/messages/it.json")),
        ("pt", include_str!("../../../knowledge/messages/pt.json")),
    ];
    let read = |json| serde_json::from_str(json).expect("messages are compiled in");
    files.map(|(tag, json)| (tag, read(json))).into()
});

/// Lines for prompts, by language and name.
static LINES: LazyLock<HashMap<String, Texts>> = LazyLock::new(|| {
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
        let of = |tag: &str| LINES.get(tag)?.get(name);
        of(self.tag).or_else(|| of("en")).map_or_else(String::new, |line| line.replace("{}", value))
    }
}

/// Marks an English wording in a table, which a [`Voice`] says later.
pub const fn said(english: &'static str) -> &'static str {
    english
}

/// The language that a result speaks to its reader.
#[derive(Clone, Copy, Debug)]
pub struct Voice {
    known: Option<&'static Texts>,
}

impl Voice {
    /// The language of `tag`; English where there are no translations.
    pub fn of(tag: &str) -> Self {
        Self { known: MESSAGES.get(language::primary(tag).as_str()) }
    }

    /// A message, by its English wording or its key, with values in its places: `{}` for the first, `{2}` for the
    /// second.
    pub fn say(&self, english: &str, values: &[&str]) -> String {
        let known = |texts: &'static Texts| texts.get(english);
        let template = self.known.and_then(known).or_else(|| known(&MESSAGES["en"]));
        let value = |found: &Captures<'_>| {
            let place = found["place"].parse().unwrap_or(1_usize);
            values.get(place - 1).copied().unwrap_or_default().to_owned()
        };
        pattern!(r"\{(?P<place>[23]?)\}")
            .replace_all(template.map_or(english, String::as_str), value)
    }

    /// A technique with its label and the reason for it.
    pub fn technique(&self, [id, label, why]: [&str; 3], values: &[&str]) -> Technique {
        Technique { id: id.to_owned(), label: self.name(label), why: self.say(why, values) }
    }

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

    /// The name of a language, without its region; in English where there is no translation of it.
    pub fn language(&self, tag: &str) -> String {
        self.name(&language::english_name(&language::primary(tag)))
    }
}
