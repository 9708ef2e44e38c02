//! What results say to the caller, in the languages that prompts are written in.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;

use engine::Generation;
use text::language::primary;

/// The messages of one language, by their English wording. `{}` stands for a value, `{2}` for the second.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Messages {
    messages: HashMap<String, String>,
}

/// The files of a folder of messages, by language.
macro_rules! files {
    ($folder:literal) => {
        [
            ("de", include_str!(concat!("../../../knowledge/messages", $folder, "/de.json"))),
            ("es", include_str!(concat!("../../../knowledge/messages", $folder, "/es.json"))),
            ("fr", include_str!(concat!("../../../knowledge/messages", $folder, "/fr.json"))),
            ("it", include_str!(concat!("../../../knowledge/messages", $folder, "/it.json"))),
            ("pt", include_str!(concat!("../../../knowledge/messages", $folder, "/pt.json"))),
        ]
    };
}

static MESSAGES: LazyLock<HashMap<&'static str, Messages>> = LazyLock::new(|| {
    let read = |json| serde_json::from_str(json).expect("messages are compiled in");
    files!("").into_iter().map(|(tag, json)| (tag, read(json))).collect()
});

/// What rewriting, reversals and notes on attached pictures say, by language and English wording; their
/// places are filled afterwards.
static PHRASES: LazyLock<HashMap<&'static str, HashMap<String, String>>> = LazyLock::new(|| {
    let folders = [
        files!("/picturing"),
        files!("/attaching"),
        files!("/rewriting"),
        files!("/reversing"),
        files!("/refining"),
    ];
    let mut phrases: HashMap<_, HashMap<String, String>> = HashMap::new();
    for (tag, json) in folders.concat() {
        let texts: HashMap<_, _> = serde_json::from_str(json).expect("messages are compiled in");
        phrases.entry(tag).or_default().extend(texts);
    }
    phrases
});

/// Whether there are messages in the language of `tag`, or English is asked for.
pub fn speaks(tag: &str) -> bool {
    primary(tag) == "en" || MESSAGES.contains_key(primary(tag).as_str())
}

/// What rewriting or a reversal says in the language of `tag`, if there is a translation; its places are
/// still to be filled.
pub fn phrase(tag: &str, english: &str) -> Option<&'static str> {
    PHRASES.get(primary(tag).as_str())?.get(english).map(String::as_str)
}

/// Translates what a result says about itself; unknown messages stay in English.
pub fn localize(result: &mut Generation, tag: &str) {
    let Some(known) = MESSAGES.get(primary(tag).as_str()) else { return };
    let texts = (result.assumptions.iter_mut())
        .chain(&mut result.clarifying_questions)
        .chain(&mut result.usage_guide)
        .chain(result.variables.iter_mut().filter_map(|variable| variable.description.as_mut()))
        .chain(result.techniques.iter_mut().flat_map(|item| [&mut item.label, &mut item.why]));
    for text in texts {
        if let Some(translated) = known.translate(text) {
            *text = translated;
        }
    }
}

impl Messages {
    fn translate(&self, text: &str) -> Option<String> {
        if let Some(exact) = self.messages.get(text) {
            return Some(exact.clone());
        }
        self.messages.iter().filter(|(pattern, _)| pattern.contains("{}")).find_map(
            |(pattern, translation)| {
                let values = values(pattern, text)?;
                let values: Vec<String> = values.iter().map(|value| self.value(value)).collect();
                let mut result = translation.clone();
                for (index, value) in values.iter().enumerate() {
                    result = result.replace(&format!("{{{}}}", index + 1), value);
                }
                Some(result.replacen("{}", &values[0], 1))
            },
        )
    }

    /// A value that is itself a message, or a list of such.
    fn value(&self, value: &str) -> String {
        let parts: Vec<&str> = value
            .split(", ")
            .map(|part| self.messages.get(part).map_or(part, String::as_str))
            .collect();
        parts.join(", ")
    }
}

/// What stands for the places of `pattern` in `text`, if the rest is the same.
fn values<'a>(pattern: &str, text: &'a str) -> Option<Vec<&'a str>> {
    let mut pieces = pattern.split("{}").peekable();
    let mut rest = text.strip_prefix(pieces.next()?)?;
    let mut found = Vec::new();
    while let Some(piece) = pieces.next() {
        let end = if pieces.peek().is_none() {
            rest.len().checked_sub(piece.len()).filter(|_| rest.ends_with(piece))?
        } else {
            rest.find(piece)?
        };
        found.push(&rest[..end]);
        rest = &rest[end + piece.len()..];
    }
    Some(found)
}
