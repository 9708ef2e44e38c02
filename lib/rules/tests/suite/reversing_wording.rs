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
    all.extend(looks().into_values());
    all
}

/// What measures of pictures and clips are called.
fn looks() -> BTreeMap<String, String> {
    let looks = fs::read_to_string(folder("../../knowledge/visual/looks.json")).expect("text");
    serde_json::from_str(&looks).expect("JSON")
}

#[test]
fn every_measure_of_a_look_has_a_name() {
    use image_analysis::{Detail, Focus, Medium, Motion, Pace, Side, Temperature, Tone};
    use std::fmt::Debug;
    fn named(measure: &str, values: &[impl Debug]) -> Vec<String> {
        values.iter().map(|value| format!("{measure} {value:?}")).collect()
    }
    let sides = [Side::Left, Side::Right, Side::Top, Side::Bottom];
    let thirds = [Side::Top, Side::Bottom]
        .into_iter()
        .flat_map(|row| [Side::Left, Side::Right].map(|column| Focus::Third(row, column)));
    let moves = [
        Motion::PanLeft,
        Motion::PanRight,
        Motion::TiltUp,
        Motion::TiltDown,
        Motion::ZoomIn,
        Motion::ZoomOut,
    ];
    let measures = [
        named("tone", &[Tone::LowKey, Tone::HighKey, Tone::Contrasting, Tone::Even]),
        named("temperature", &[Temperature::Warm, Temperature::Cool]),
        named("from", &sides),
        named("focus", &[Focus::Nowhere, Focus::Centre, Focus::Spread]),
        named("focus", &thirds.collect::<Vec<_>>()),
        named("focus", &sides.map(Focus::Towards)),
        named("medium", &[Medium::Graphic, Medium::Photographic]),
        named("detail", &[Detail::Smooth, Detail::Moderate, Detail::Fine]),
        named("motion", &[Pace::Still, Pace::Slow, Pace::Fast]),
        named("camera", &moves)
            .iter()
            .flat_map(|one| named(one, &[Pace::Slow, Pace::Fast]))
            .collect(),
    ];
    let looks = looks();
    for measure in measures.concat() {
        assert!(looks.contains_key(&measure), "{measure}");
    }
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
