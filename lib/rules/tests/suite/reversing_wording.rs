//! What the rules say, they say in every language.

use std::{collections::BTreeMap, fs, path::Path};

use regex::Regex;
use serde_json::Value;

const LANGUAGES: [&str; 5] = ["de", "es", "fr", "it", "pt"];

fn folder(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// All files below a folder with this ending.
fn files(folder: &Path, ending: &str) -> Vec<String> {
    let entries =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let read = |path: std::path::PathBuf| match path.is_dir() {
        true => files(&path, ending),
        false if path.to_string_lossy().ends_with(ending) => {
            vec![fs::read_to_string(path).expect("a text")]
        }
        false => Vec::new(),
    };
    entries.flat_map(read).collect()
}

/// All texts of a language by their English wording.
fn texts(tag: &str) -> BTreeMap<String, String> {
    let read =
        |text: String| -> BTreeMap<String, String> { serde_json::from_str(&text).expect("texts") };
    files(&folder("../../knowledge/messages"), &format!("{tag}.json"))
        .into_iter()
        .flat_map(read)
        .collect()
}

/// Everything that is said: literals, and names from the data.
fn said() -> Vec<String> {
    let literal = Regex::new(
        r#"(?s)\b(?:(?:words|voice|Voice::of\([^()]*\))\s*\.(?:say|name)|said)\(\s*"((?:[^"\\]|\\.)*)""#,
    );
    let literal = literal.expect("an expression");
    let mut all = Vec::new();
    for source in files(&folder("src"), ".rs") {
        let found = literal.captures_iter(&source);
        all.extend(found.map(|found| found[1].replace("\\\"", "\"")));
    }
    all.extend(looks().into_values());
    all.extend(notes());
    all
}

/// What is said beside prompts for pictures and clips.
fn notes() -> Vec<String> {
    let notes = fs::read_to_string(folder("../../knowledge/visual/notes.json")).expect("text");
    let notes: BTreeMap<String, Vec<Value>> = serde_json::from_str(&notes).expect("JSON");
    let said =
        |note: &Value| [&note["label"], &note["say"]].map(|text| text.as_str().map(str::to_owned));
    notes.values().flatten().flat_map(said).flatten().collect()
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
    let (said, english) = (said(), texts("en"));
    assert!(said.len() > 30, "{}", said.len());
    for tag in LANGUAGES {
        let texts = texts(tag);
        let missing: Vec<&String> = said.iter().filter(|text| !texts.contains_key(*text)).collect();
        assert!(missing.is_empty(), "{tag}: {missing:#?}");
        for text in &said {
            // What is said by a key has its wording in English there.
            let worded = english.get(text).unwrap_or(text);
            for place in ["{}", "{2}", "{3}"] {
                assert_eq!(worded.contains(place), texts[text].contains(place), "{tag}: {text}");
            }
        }
    }
}
