//! What reversing says, it says in every language.

use std::{collections::BTreeMap, fs, path::Path};

use regex::Regex;
use serde_json::Value;

const LANGUAGES: [&str; 5] = ["de", "es", "fr", "it", "pt"];

fn folder(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// All texts of a language by their English wording.
fn texts(tag: &str) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    let folders =
        ["", "reversing", "picturing"].map(|name| folder("../../knowledge/messages").join(name));
    for folder in folders {
        let text = fs::read_to_string(folder.join(format!("{tag}.json"))).expect("texts");
        let Value::Object(map) = serde_json::from_str(&text).expect("JSON") else {
            panic!("{tag}")
        };
        all.extend(
            map.into_iter().filter_map(|(key, text)| Some((key, text.as_str()?.to_owned()))),
        );
    }
    all
}

/// Everything that is said: literals, and names from the data.
fn said() -> Vec<String> {
    let literal = Regex::new(r#"(?s)\b(?:words\s*\.(?:say|name)|said)\(\s*"((?:[^"\\]|\\.)*)""#);
    let literal = literal.expect("an expression");
    let mut all = Vec::new();
    for entry in fs::read_dir(folder("src/reverse")).expect("a folder") {
        let source = fs::read_to_string(entry.expect("an entry").path()).expect("text");
        let found = literal.captures_iter(&source);
        all.extend(found.map(|found| found[1].replace("\\\"", "\"")));
    }
    all
}

#[test]
fn everything_that_is_said_is_said_in_every_language() {
    let said = said();
    assert!(said.len() > 30, "{}", said.len());
    for tag in LANGUAGES {
        let texts = texts(tag);
        let missing: Vec<&String> = said.iter().filter(|text| !texts.contains_key(*text)).collect();
        assert!(missing.is_empty(), "{tag}: {missing:#?}");
        for text in &said {
            for place in ["{}", "{2}", "{3}"] {
                assert_eq!(text.contains(place), texts[text].contains(place), "{tag}: {text}");
            }
        }
    }
}
