//! The inputs: texts of the tests, of the official library and of files.

use std::{collections::BTreeSet, fs, path::Path};

use serde_json::Value;

/// Characters that an input has at least.
const SHORTEST: usize = 12;
/// Longest feedback in characters.
const LONGEST_FEEDBACK: usize = 200;

/// Files that nothing may be tuned on.
const HELD_OUT: [&str; 2] = ["constraints_held_out.jsonl", "analyzing_pairs.jsonl"];

/// A text and where it is from.
pub struct Input {
    /// The file, or what a collection calls it.
    pub source: String,
    /// The text.
    pub text: String,
}

/// All inputs, each text once, and the texts that are feedback.
pub fn read(files: &[&str]) -> Result<(Vec<Input>, Vec<String>), String> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut inputs = Vec::new();
    let mut tests = Vec::new();
    for package in [here, &here.with_file_name("engine")] {
        for path in files_below(&package.join("tests/suite"))? {
            let source = path.strip_prefix(package).unwrap_or(&path).display().to_string();
            tests.push((source, path));
        }
    }
    tests.sort();
    for (source, path) in tests {
        let extension = path.extension().and_then(|extension| extension.to_str());
        let text = fs::read_to_string(&path).unwrap_or_default();
        let texts = match extension {
            Some("rs") => literals(&text),
            Some("tsv") => text.lines().flat_map(|line| line.split('\t')).map(unescaped).collect(),
            // What measures the rules is not looked at while they change.
            Some("jsonl") if HELD_OUT.iter().any(|name| path.ends_with(name)) => Vec::new(),
            Some("jsonl") => prompts(&text)?,
            Some("txt") => vec![text],
            _ => Vec::new(),
        };
        inputs.extend(texts.into_iter().map(|text| Input { source: source.clone(), text }));
    }
    let official = here.join("../../infra/library/official.json");
    let official = fs::read_to_string(&official).map_err(|error| error.to_string())?;
    let official: Value = serde_json::from_str(&official).map_err(|error| error.to_string())?;
    let mut texts = Vec::new();
    strings(&official, &mut texts);
    let source = "infra/library/official.json";
    inputs.extend(texts.into_iter().map(|text| Input { source: source.to_owned(), text }));
    for file in files {
        let lines = fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
        for line in lines.lines() {
            let row: Value =
                serde_json::from_str(line).map_err(|error| format!("{file}: {error}"))?;
            let (Some(source), Some(text)) = (row["source"].as_str(), row["text"].as_str()) else {
                return Err(format!("{file}: a line without source or text: {line}"));
            };
            let source = source.split(':').next().unwrap_or_default().to_owned();
            inputs.push(Input { source, text: text.to_owned() });
        }
    }
    let mut seen = BTreeSet::new();
    inputs.retain(|input| {
        let words = input.text.split_whitespace().count();
        input.text.chars().count() >= SHORTEST && words >= 2 && seen.insert(input.text.clone())
    });
    let is_feedback = |input: &&Input| {
        ["refining", "changing", "continuing"].iter().any(|name| input.source.contains(name))
            && input.text.chars().count() <= LONGEST_FEEDBACK
    };
    let feedback = inputs.iter().filter(is_feedback).map(|input| input.text.clone()).collect();
    Ok((inputs, feedback))
}

/// The files below a folder.
fn files_below(folder: &Path) -> Result<Vec<std::path::PathBuf>, String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| error.to_string())? {
        let path = entry.map_err(|error| error.to_string())?.path();
        if path.is_dir() { found.extend(files_below(&path)?) } else { found.push(path) }
    }
    Ok(found)
}

/// The string literals of a Rust source. A quote in quotes is no beginning of one; comments are not told from code.
fn literals(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    let source = source.replace("'\"'", "");
    let mut rest = source.as_str();
    while let Some(at) = rest.find('"') {
        let hashes = rest[..at].chars().rev().take_while(|sign| *sign == '#').count();
        let is_raw = rest[..at - hashes].ends_with('r');
        let end = format!("\"{}", "#".repeat(hashes));
        rest = &rest[at + 1..];
        let mut from = 0;
        let close = loop {
            let Some(at) = rest[from..].find(&end) else { return found };
            let before = rest[..from + at].bytes().rev().take_while(|byte| *byte == b'\\').count();
            if is_raw || before % 2 == 0 {
                break from + at;
            }
            from += at + 1;
        };
        let literal = &rest[..close];
        found.push(if is_raw { literal.to_owned() } else { unescaped(literal) });
        rest = &rest[close + end.len()..];
    }
    found
}

/// A literal as the program has it; a line that ends with a backslash goes on without its indent.
fn unescaped(literal: &str) -> String {
    let mut text = String::new();
    let mut signs = literal.chars().peekable();
    while let Some(sign) = signs.next() {
        match (sign, signs.peek()) {
            ('\\', Some('n')) => text.push('\n'),
            ('\\', Some('t')) => text.push('\t'),
            ('\\', Some('"' | '\\' | '\'')) => text.extend(signs.peek()),
            ('\\', Some('\n')) => {
                while signs.next_if(|sign| sign.is_whitespace()).is_some() {}
                continue;
            }
            _ => {
                text.push(sign);
                continue;
            }
        }
        signs.next();
    }
    text
}

fn prompts(lines: &str) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    for line in lines.lines() {
        let row: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        found.extend(row["prompt"].as_str().map(ToOwned::to_owned));
    }
    Ok(found)
}

fn strings(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| strings(item, found)),
        Value::Object(fields) => fields.values().for_each(|field| strings(field, found)),
        _ => {}
    }
}
