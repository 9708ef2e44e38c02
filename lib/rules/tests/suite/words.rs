//! Words of natural languages are data: `knowledge/<language>/*.words`.
#![allow(clippy::expect_used)]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use regex::Regex;

/// The workspace.
fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All files with this ending below a folder, with their content.
fn files(folder: &Path, ending: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.extension().is_some_and(|own| own == ending) {
            let text = fs::read_to_string(&path).expect("text");
            found.push((path, text));
        }
    }
    found
}

/// The sources of the packages that read texts.
fn sources() -> Vec<(PathBuf, String)> {
    let source = |package| files(&workspace().join("lib").join(package).join("src"), "rs");
    ["checks", "engine", "llm", "moderation", "rules", "text"]
        .into_iter()
        .flat_map(source)
        .collect()
}

/// The expressions of a source file.
fn patterns(source: &str) -> Vec<String> {
    let literal = Regex::new(
        r###"(?s)(?:pattern|table)!\(\s*(?:"[^"]*",\s*)?(?:r##"(?<a>.*?)"##|r#"(?<b>.*?)"#|r"(?<c>[^"]*)"|"(?<d>(?:\\.|[^"\\])*)")"###,
    );
    literal
        .expect("an expression")
        .captures_iter(source)
        .filter_map(|found| {
            // What else Rust escapes, expressions escape alike.
            let escaped =
                found.name("d").map(|it| it.as_str().replace(r#"\""#, "\"").replace(r"\\", r"\"));
            let raw = found.name("a").or(found.name("b")).or(found.name("c"));
            raw.map(|it| it.as_str().to_owned()).or(escaped)
        })
        .collect()
}

#[test]
fn rust_has_words_of_no_natural_language_in_its_patterns() {
    let technical: BTreeSet<&str> =
        include_str!("technical_words.txt").split_whitespace().collect();
    // Classes, groups, flags, repetitions and concepts are no words.
    let syntax = Regex::new(
        r"\\[pP]\{\w+\}|\\x\{?[0-9a-fA-F]+\}?|\\.|\(\?P?<\w+>|\(\?[a-z-]+[:)]|\{[a-z_]+\.[a-z_]+\}|\[(?:\\.|[^\]])*\]|\{\d+(?:,\d*)?\}",
    )
    .expect("an expression");
    let word = Regex::new(r"[^\W\d_]{3,}").expect("an expression");
    let mut seen = 0;
    let mut found = BTreeSet::new();
    for (path, source) in sources() {
        for pattern in patterns(&source) {
            seen += 1;
            let bare = syntax.replace_all(&pattern, "\u{0}");
            let words = word.find_iter(&bare).map(|word| word.as_str().to_lowercase());
            let strange = words.filter(|word| !technical.contains(word.as_str()));
            found.extend(strange.map(|word| format!("{word} in {}", path.display())));
        }
    }
    assert!(seen > 300, "{seen} patterns");
    assert!(found.is_empty(), "{found:#?}");
}

/// Patterns are compiled at their first use: what is wrong with one shows here.
#[test]
fn every_pattern_is_one_in_every_language() {
    let sources = sources();
    let words = files(&workspace().join("knowledge"), "words");
    let languages: BTreeSet<&str> =
        words.iter().filter_map(|(path, _)| path.parent()?.file_name()?.to_str()).collect();
    let table = Regex::new(r#"table!\(\s*"([a-z_]+)""#).expect("an expression");
    let tables: BTreeSet<&str> = sources
        .iter()
        .flat_map(|(_, source)| table.captures_iter(source))
        .map(|found| found.extract::<1>().1[0])
        .collect();
    let heading = Regex::new(r"(?m)^\[((\w+)\.\w+)\]$").expect("an expression");
    let rows = words
        .iter()
        .flat_map(|(_, text)| heading.captures_iter(text))
        .filter_map(|found| tables.contains(&found[2]).then(|| format!("(?i)^{{{}}}$", &found[1])));
    let all: BTreeSet<String> = sources
        .iter()
        .flat_map(|(_, source)| patterns(source))
        .map(|pattern| pattern.replace("{}", "x"))
        .chain(rows)
        .collect();
    let mut wrong = Vec::new();
    for pattern in all {
        let read = |tag: &&str| ::patterns::reading(&[tag], || ::patterns::verify(&pattern)).err();
        let count = if pattern.contains('{') { languages.len() } else { 1 };
        wrong.extend(languages.iter().take(count).filter_map(read));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_concept_is_used_and_stands_once_in_a_language() {
    let sources: Vec<String> = sources().into_iter().map(|(_, text)| text).collect();
    let data = files(&workspace().join("knowledge"), "words");
    let named = Regex::new(r"\{([a-z_]+\.[a-z_]+)\}").expect("an expression");
    let whole = Regex::new(r#"(?:table|words)!\(\s*"([a-z_.]+)""#).expect("an expression");
    let texts = || sources.iter().chain(data.iter().map(|(_, text)| text));
    let used: BTreeSet<&str> = texts()
        .flat_map(|text| named.captures_iter(text).chain(whole.captures_iter(text)))
        .filter_map(|found| found.get(1))
        .map(|name| name.as_str())
        .collect();
    let heading = Regex::new(r"(?m)^\[((\w+)\.\w+)\]$").expect("an expression");
    let mut idle: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut known = BTreeSet::new();
    for (path, text) in &data {
        let language = path.parent();
        for found in heading.captures_iter(text) {
            let name = found.get(1).map_or("", |name| name.as_str());
            assert!(known.insert((language, name)), "{name} stands twice in {language:?}");
            if !used.contains(name) && !used.contains(&found[2]) {
                idle.entry(name).or_default().push(path.display().to_string());
            }
        }
    }
    assert!(idle.is_empty(), "{idle:#?}");
}
