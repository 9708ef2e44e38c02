//! What differs between two dumps.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::File,
    io::{BufRead, BufReader},
};

use serde_json::Value;

/// Only sentences that explain.
const ONLY_WORDING: &str = "only wording";
/// A result on one side and none on the other.
const ERRORS: &str = "errors";
/// What a result may be, in the order of the table; a result that differs may differ in several.
const COLUMNS: [&str; 8] =
    ["same", ONLY_WORDING, "findings", "scores", "versions", "other", ERRORS, "gone"];

/// The kind of a difference at a path, by the names on it.
fn kind(path: &str) -> &'static str {
    const VERSIONS: [&str; 10] = [
        "prompt",
        "systemPrompt",
        "negativePrompt",
        "parameters",
        "sections",
        "op",
        "start",
        "end",
        "oldText",
        "newText",
    ];
    const FINDINGS: [&str; 9] = [
        "findings",
        "ruleId",
        "constraints",
        "status",
        "integrity",
        "variables",
        "findingIds",
        "resolvedFindingIds",
        "openFindingIds",
    ];
    const SCORES: [&str; 9] = [
        "overallScore",
        "score",
        "scoreBefore",
        "scoreAfter",
        "rating",
        "difficulty",
        "confidence",
        "tokenEstimate",
        "modelFit",
    ];
    const WORDING: [&str; 14] = [
        "message",
        "suggestion",
        "reason",
        "notes",
        "description",
        "summary",
        "strengths",
        "weaknesses",
        "rationale",
        "expectedImpact",
        "reasoning",
        "why",
        "assumptions",
        "limitations",
    ];
    let names: Vec<&str> = path.split('/').collect();
    let has = |list: &[&str]| names.iter().any(|name| list.contains(name));
    let last = names.last().copied().unwrap_or_default();
    if names.contains(&"error") {
        ERRORS
    } else if WORDING.contains(&last) {
        ONLY_WORDING
    } else if SCORES.contains(&last) {
        "scores"
    } else if has(&FINDINGS) {
        "findings"
    } else if has(&SCORES) {
        "scores"
    } else if has(&VERSIONS) {
        "versions"
    } else {
        "other"
    }
}

/// A result, by its operation and its input.
type Results = BTreeMap<(String, String), (String, Value)>;

fn read(path: &str) -> Result<Results, String> {
    let file = File::open(path).map_err(|error| format!("{path}: {error}"))?;
    let mut results = Results::new();
    for line in BufReader::new(file).lines() {
        let line = line.map_err(|error| format!("{path}: {error}"))?;
        let mut row: Value =
            serde_json::from_str(&line).map_err(|error| format!("{path}: {error}"))?;
        let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
        let (key, source) = ((text("operation"), text("text")), text("source"));
        results.insert(key, (source, row["result"].take()));
    }
    Ok(results)
}

/// Where two values differ, without positions in lists, and the first two values there.
fn differences(path: &str, before: &Value, after: &Value, found: &mut BTreeMap<String, String>) {
    match (before, after) {
        (Value::Object(old), Value::Object(new)) => {
            for name in old.keys().chain(new.keys()).collect::<BTreeSet<_>>() {
                let of = |fields: &serde_json::Map<String, Value>| {
                    fields.get(name).cloned().unwrap_or_default()
                };
                differences(&format!("{path}/{name}"), &of(old), &of(new), found);
            }
        }
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
            old.iter().zip(new).for_each(|(old, new)| differences(path, old, new, found));
        }
        _ if before == after => {}
        _ => {
            let samples = || format!("    - {before}\n    + {after}");
            found.entry(path.to_owned()).or_insert_with(samples);
        }
    }
}

/// Prints how many results of each operation differ in what, and samples of each.
pub fn compare(before: &str, after: &str, samples: usize) -> Result<(), String> {
    let (before, mut after) = (read(before)?, read(after)?);
    let mut counts: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
    let mut shown: BTreeMap<(&str, &str), Vec<String>> = BTreeMap::new();
    for ((operation, text), (source, old)) in &before {
        let new = after.remove(&(operation.clone(), text.clone()));
        let counts = counts.entry(operation.as_str()).or_default();
        let Some((_, new)) = new else {
            *counts.entry("gone").or_default() += 1;
            continue;
        };
        let mut found = BTreeMap::new();
        differences("", old, &new, &mut found);
        let mut kinds: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for (path, values) in found {
            kinds.entry(kind(&path)).or_default().push(format!("  {path}\n{values}"));
        }
        if kinds.contains_key(ERRORS) {
            kinds.retain(|kind, _| *kind == ERRORS);
        }
        if kinds.len() > 1 {
            kinds.remove(ONLY_WORDING);
        }
        if kinds.is_empty() {
            *counts.entry("same").or_default() += 1;
        }
        for (kind, paths) in kinds {
            *counts.entry(kind).or_default() += 1;
            let shown = shown.entry((operation.as_str(), kind)).or_default();
            if shown.len() < samples {
                let text: String = text.chars().take(160).collect();
                shown.push(format!("{source}: {text:?}\n{}", paths.join("\n")));
            }
        }
    }
    for ((operation, kind), samples) in &shown {
        println!("== {operation}, {kind}\n{}\n", samples.join("\n"));
    }
    print!("{:<20}", "operation");
    COLUMNS.iter().for_each(|column| print!("{column:>14}"));
    println!();
    for (operation, counts) in &counts {
        print!("{operation:<20}");
        COLUMNS.iter().for_each(|column| print!("{:>14}", counts.get(column).unwrap_or(&0)));
        println!();
    }
    println!("{} results are new", after.len());
    Ok(())
}

/// The digest of nothing.
pub const EMPTY: u64 = 0xcbf2_9ce4_8422_2325;

/// Adds a text to a digest: FNV-1a of 64 bits (draft-eastlake-fnv).
pub fn digest(digest: u64, text: &str) -> u64 {
    text.bytes()
        .fold(digest, |digest, byte| (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Prints source, operation, number and digest of the results, in the order of their texts.
pub fn digests(dump: &str) -> Result<(), String> {
    let mut digests: BTreeMap<(String, String), (usize, u64)> = BTreeMap::new();
    for ((operation, _), (source, result)) in read(dump)? {
        let (count, sum) = digests.entry((source, operation)).or_insert((0, EMPTY));
        *count += 1;
        *sum = digest(*sum, &result.to_string());
    }
    for ((source, operation), (count, sum)) in digests {
        println!("{source}\t{operation}\t{count}\t{sum:016x}");
    }
    Ok(())
}
