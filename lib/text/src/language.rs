//! Languages: their names, the texts that prompts are built from, and what language a goal is in.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use serde::Deserialize;

mod guess;
mod names;
mod script;

pub use guess::{detect, told};
use guess::{is_in_latin, is_latin};
pub use names::{english_name, language_tag, names, tag_of};

/// A text has so many bytes at least.
const PIECE: usize = 60;

/// The texts that prompts in one language are built from. `{}` marks where a value goes.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Locale {
    /// The language's own name.
    pub name: String,
    /// Headings of the parts of a prompt.
    pub headings: HashMap<String, String>,
    /// Sentence that gives the role.
    pub role: String,
    /// Sentence that sets the language of the answer.
    pub respond: String,
    /// Names of languages in it, by tag.
    #[serde(default)]
    pub languages: HashMap<String, String>,
    /// Sentences that generating needs, by name.
    #[serde(default)]
    pub lines: HashMap<String, String>,
}

impl Locale {
    /// The sentence with this name; empty where there is none.
    pub fn line(&self, name: &str) -> &str {
        self.lines.get(name).map_or("", String::as_str)
    }
}

static LOCALES: LazyLock<BTreeMap<&'static str, Locale>> = LazyLock::new(|| {
    [
        ("en", include_str!("../../../knowledge/locales/en.json")),
        ("de", include_str!("../../../knowledge/locales/de.json")),
        ("es", include_str!("../../../knowledge/locales/es.json")),
        ("fr", include_str!("../../../knowledge/locales/fr.json")),
        ("it", include_str!("../../../knowledge/locales/it.json")),
        ("pt", include_str!("../../../knowledge/locales/pt.json")),
    ]
    .into_iter()
    .map(|(tag, json)| (tag, serde_json::from_str(json).expect("locales are compiled in")))
    .collect()
});

/// Reads texts with the words of the languages that they tell, two at most; where they tell none, with those of `tag`,
/// or as what is around them is read. So is a piece of what is read already.
pub fn reading<T>(texts: &[&str], tag: Option<&str>, read: impl FnOnce() -> T) -> T {
    let is_piece = || patterns::is_scoped() && texts.iter().all(|text| text.len() < PIECE);
    if tag.is_none() && is_piece() {
        return read();
    }
    let mut tags: Vec<&str> = texts.iter().filter_map(|text| told(text)).collect();
    tags.dedup();
    if tags.is_empty() {
        // Nobody writes Japanese in Latin letters.
        let is_possible = |tag: &&str| is_in_latin(tag) || texts.iter().any(|text| !is_latin(text));
        tags.extend(tag.map(|tag| Some(tag).filter(is_possible).unwrap_or("en")));
    }
    if tags.is_empty() { read() } else { patterns::reading(&tags, read) }
}

/// The primary subtag in lower case: `pt` for `pt-BR`.
pub fn primary(tag: &str) -> String {
    tag.split(['-', '_']).next().unwrap_or_default().to_lowercase()
}

/// The texts for a language tag, English where there are none.
pub fn locale(tag: &str) -> &'static Locale {
    LOCALES.get(primary(tag).as_str()).unwrap_or_else(|| &LOCALES["en"])
}

/// The names of parts with their headings in every language.
pub fn headings() -> impl Iterator<Item = (&'static str, &'static str)> {
    LOCALES.values().flat_map(|locale| {
        locale.headings.iter().map(|(name, heading)| (name.as_str(), heading.as_str()))
    })
}

/// Whether prompts can be built in the language of `tag` itself.
pub fn has_locale(tag: &str) -> bool {
    LOCALES.contains_key(primary(tag).as_str())
}

/// What a result says that cannot be in the language of `tag`.
pub fn unspoken(tag: &str) -> Option<String> {
    let name = (!has_locale(tag)).then(|| english_name(tag))?;
    Some(format!(
        "What is said beside the prompt is in English, because there are no texts in {name} yet."
    ))
}

/// The sentence that makes the model answer in the language of `tag`.
pub fn respond_in(tag: &str) -> String {
    let locale = locale(tag);
    let name = match has_locale(tag) && primary(tag) != "en" {
        false => english_name(tag),
        true if tag.contains(['-', '_']) => format!("{} ({tag})", locale.name),
        true => locale.name.clone(),
    };
    locale.respond.replace("{}", &name)
}
