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
    pub clean: HashMap<String, String>,
    /// What is said about a metric that findings lowered.
    pub lowered: String,
    /// The summary by rating.
    pub ratings: HashMap<String, String>,
    /// Introduces the most important suggestion.
    pub begin: String,
    /// Says that there is nothing to suggest.
    pub nothing: String,
    /// Says that there is nothing important to suggest.
    pub minor: String,
    /// Says that the caller's words about the use counted.
    pub considered: String,
    /// What prompts do well.
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
    let mut filled = String::with_capacity(text.len() + value.len());
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        filled.push_str(&rest[..at]);
        let place = [("{}", value), ("{2}", second)]
            .into_iter()
            .find(|(mark, _)| rest[at..].starts_with(mark));
        match place {
            Some((mark, value)) => {
                filled.push_str(value);
                rest = &rest[at + mark.len()..];
            }
            None => {
                filled.push('{');
                rest = &rest[at + 1..];
            }
        }
    }
    filled + rest
}

#[cfg(test)]
mod tests {
    use super::fill;

    #[test]
    fn values_are_not_searched_for_places() {
        assert_eq!(fill("{} and {2}, {{x}}", "{2}", "{}"), "{2} and {}, {{x}}");
    }
}
