//! What an analysis says, in the languages that it can say it in.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;

use text::language::primary;

/// The texts of one language. `{}` stands for a value, `{2}` for a second one.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Texts {
    /// Message and suggestion of each rule.
    pub rules: HashMap<String, (String, String)>,
    /// What is said about a metric that nothing lowered.
    pub clean: String,
    /// What is said about a metric that findings lowered.
    pub lowered: String,
    /// Says how much was found, and introduces the weightiest of it.
    pub begin: String,
    /// Says that nothing was found.
    pub nothing: String,
    /// Says what rules cannot see.
    pub unseen: String,
    /// What prompts have.
    pub strengths: HashMap<String, String>,
    /// How prompts suit models.
    pub fit: HashMap<String, String>,
    /// What prompts can be used for.
    pub uses: HashMap<String, String>,
}

static TEXTS: LazyLock<HashMap<&'static str, Texts>> = LazyLock::new(|| {
    [
        ("en", include_str!("../../../../knowledge/analysis/texts/en.json")),
        ("de", include_str!("../../../../knowledge/analysis/texts/de.json")),
        ("es", include_str!("../../../../knowledge/analysis/texts/es.json")),
        ("fr", include_str!("../../../../knowledge/analysis/texts/fr.json")),
        ("it", include_str!("../../../../knowledge/analysis/texts/it.json")),
        ("pt", include_str!("../../../../knowledge/analysis/texts/pt.json")),
    ]
    .into_iter()
    .map(|(tag, json)| (tag, serde_json::from_str(json).expect("texts are compiled in")))
    .collect()
});

/// The texts in the language of `tag`, English where there are none.
pub fn of(tag: &str) -> &'static Texts {
    TEXTS.get(primary(tag).as_str()).unwrap_or_else(|| &TEXTS["en"])
}

/// The text of a key, empty if there is none.
pub fn get<'a>(texts: &'a HashMap<String, String>, key: &str) -> &'a str {
    texts.get(key).map_or("", String::as_str)
}

/// Puts values into a text. Values are never searched for places themselves.
pub fn fill(text: &str, value: &str, second: &str) -> String {
    let parts: Vec<String> = text.split("{2}").map(|part| part.replace("{}", value)).collect();
    parts.join(second)
}
