//! What checks say, in the languages that results are written in.

use std::collections::HashMap;
use std::sync::LazyLock;

use patterns::{Captures, pattern};
use text::language::primary;

type Messages = HashMap<String, String>;

static MESSAGES: LazyLock<HashMap<&'static str, Messages>> = LazyLock::new(|| {
    [
        ("en", include_str!("../../../knowledge/messages/checks/en.json")),
        ("de", include_str!("../../../knowledge/messages/checks/de.json")),
        ("es", include_str!("../../../knowledge/messages/checks/es.json")),
        ("fr", include_str!("../../../knowledge/messages/checks/fr.json")),
        ("it", include_str!("../../../knowledge/messages/checks/it.json")),
        ("pt", include_str!("../../../knowledge/messages/checks/pt.json")),
    ]
    .into_iter()
    .map(|(tag, json)| (tag, serde_json::from_str(json).expect("messages are compiled in")))
    .collect()
});

/// The message with this name in the language of `tag`, in English where there are none in it; empty for a name that
/// there is not.
pub fn message(tag: &str, name: &str) -> &'static str {
    let messages = MESSAGES.get(primary(tag).as_str()).unwrap_or_else(|| &MESSAGES["en"]);
    messages.get(name).map_or("", String::as_str)
}

/// A message with values in its places, each of which stands in braces. Values may have braces themselves.
pub fn filled(message: &str, values: &[(&str, &str)]) -> String {
    let place = pattern!(r"\{(?P<name>[a-z]+)\}");
    let value = |name: &str| values.iter().find(|(known, _)| *known == name);
    let filled =
        |found: &Captures<'_>| value(&found["name"]).map_or("", |(_, value)| value).to_owned();
    place.replace_all(message, filled).into_owned()
}
