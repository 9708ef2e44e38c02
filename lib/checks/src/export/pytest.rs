//! Tests in Python.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use domain::preset;

use super::quoting::{python, raw};
use super::rule::{self, AROUND, Rule, SENTENCE_END, STOPS, WORD};
use crate::Check;

const HEAD: &str = r#""""Checks of a prompt's answer.

Write the answer to a file and name it:

    ANSWER_FILE=answer.txt pytest <this file>

Or let the fixture `answer` below call your model with PROMPT. Nothing but pytest is needed.
"""

import json
import os
import pathlib
import re

import pytest

"#;

const FIXTURE: &str = r#"

@pytest.fixture(scope="session")
def answer():
    """The answer that is tested: the content of the file that ANSWER_FILE names."""
    path = os.environ.get("ANSWER_FILE")
    if not path:
        pytest.skip("ANSWER_FILE names no file with the answer")
    return pathlib.Path(path).read_text(encoding="utf-8")


def unfenced(text):
    """The code of the fence that encloses the whole text, else the text."""
    found = re.fullmatch(r"\s*```\w*\s*\n(.*?)\n?```\s*", text, re.DOTALL)
    return found.group(1) if found else text


def matches(pattern, text, flags=0):
    """How often an expression matches, apart from capitals."""
    return sum(1 for _ in re.finditer(pattern, text, re.IGNORECASE | flags))
"#;

/// The part of JSON Schema that the file checks by itself.
const SCHEMA: &str = r#"

TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "null": type(None),
    "number": (int, float),
    "integer": int,
}


def is_of(value, name):
    """Whether a value has a type of JSON Schema."""
    if name in ("number", "integer") and isinstance(value, bool):
        return False
    if name == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, TYPES.get(name, object))


def violations(value, schema, path=""):
    """Where a value breaks a schema: types, values, members, items and bounds."""
    if not isinstance(schema, dict):
        return
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(is_of(value, name) for name in types):
        yield f"{path or '/'}: not {types}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{path or '/'}: not one of {schema['enum']}"
    if isinstance(value, dict):
        for name in schema.get("required", []):
            if name not in value:
                yield f"{path}/{name}: missing"
        members = schema.get("properties", {})
        for name, member in value.items():
            if name in members:
                yield from violations(member, members[name], f"{path}/{name}")
            elif schema.get("additionalProperties") is False:
                yield f"{path}/{name}: not allowed"
    elif isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            yield f"{path or '/'}: {len(value)} items"
        for index, item in enumerate(value):
            yield from violations(item, schema.get("items", {}), f"{path}/{index}")
    elif isinstance(value, str):
        if not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value)):
            yield f"{path or '/'}: {len(value)} characters"
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        if not schema.get("minimum", value) <= value <= schema.get("maximum", value):
            yield f"{path or '/'}: {value}"
"#;

/// A file of tests for pytest, one for each check. It needs nothing else, and says at its head how to use it. The
/// prompt stands in it with the values of its variables.
pub fn pytest(prompt: &str, variables: &BTreeMap<String, String>, checks: &[Check]) -> String {
    let filled =
        preset::render(prompt, variables).map_or(prompt.to_owned(), |rendered| rendered.text);
    let rules: Vec<_> = checks.iter().map(|check| (check, rule::of(check, prompt))).collect();
    let mut file = String::from(HEAD);
    // Writing to a string cannot fail.
    let _ = writeln!(file, "PROMPT = {}", python(&filled));
    file.push_str(FIXTURE);
    if rules.iter().any(|(_, rule)| matches!(rule, Some(Rule::Json(Some(_))))) {
        file.push_str(SCHEMA);
    }
    for (check, rule) in rules {
        let name: String = format!("test_{}_{}", check.id, check.kind.as_str())
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .collect();
        let description = python(&check.description);
        match rule {
            Some(rule) => {
                let _ = write!(file, "\n\ndef {name}(answer):\n    {description}\n{}", body(&rule));
            }
            None => {
                let _ = write!(
                    file,
                    "\n\n@pytest.mark.skip(reason={description})\ndef {name}():\n    pass\n"
                );
            }
        }
    }
    file
}

/// The lines of a test.
fn body(rule: &Rule) -> String {
    let bounded = |number: &str, least: usize, most: usize| {
        let condition = match (least, most) {
            (least, usize::MAX) => format!("found >= {least}"),
            (0, most) => format!("found <= {most}"),
            (least, most) if least == most => format!("found == {least}"),
            (least, most) => format!("{least} <= found <= {most}"),
        };
        format!("    found = {number}\n    assert {condition}\n")
    };
    let pattern = |pattern: &str| raw(&pattern.replace(WORD, r"\w"));
    match rule {
        Rule::Count { pattern: counted, least, most } => {
            bounded(&format!("matches({}, answer)", pattern(counted)), *least, *most)
        }
        Rule::Lines { pattern: line, least, most } => {
            let line = pattern(&format!("^{line}$"));
            bounded(&format!("matches({line}, answer, re.MULTILINE)"), *least, *most)
        }
        Rule::Words { least, most } => {
            let words = r#"matches(r"[\u3005\u3041-\u30ff\u3400-\u9fff]|[^\W\u3005\u3041-\u30ff\u3400-\u9fff]+(?:['’.,-][^\W\u3005\u3041-\u30ff\u3400-\u9fff]+)*", answer)"#;
            bounded(words, *least, *most)
        }
        Rule::Sentences { least, most } => {
            let sentences = format!("matches({}, answer)", python(SENTENCE_END));
            bounded(&sentences, *least, *most)
        }
        Rule::Paragraphs { least, most } => {
            let paragraphs = r#"sum(1 for part in re.split(r"\n\s*\n", answer.strip()) if re.search(r"\w", part))"#;
            bounded(paragraphs, *least, *most)
        }
        Rule::Characters { least, most } => bounded("len(answer.strip())", *least, *most),
        Rule::Capitals { least, most } => {
            let words = r#"sum(1 for word in re.findall(r"[\w'’-]+", answer) if word.isupper())"#;
            bounded(words, *least, *most)
        }
        Rule::Contains(words) => {
            let words: Vec<String> =
                words.iter().map(|word| python(&word.to_lowercase())).collect();
            let words = words.join(", ");
            format!("    for word in [{words}]:\n        assert word in answer.lower()\n")
        }
        Rule::Matches(text) => {
            format!("    assert re.search({}, answer, re.IGNORECASE)\n", pattern(text))
        }
        Rule::Lacks(text) => {
            format!("    assert not re.search({}, answer, re.IGNORECASE)\n", pattern(text))
        }
        Rule::Lowercase => "    assert answer == answer.lower()\n".to_owned(),
        Rule::Uppercase => "    assert answer == answer.upper()\n".to_owned(),
        Rule::Json(None) => "    json.loads(unfenced(answer))\n".to_owned(),
        Rule::Json(Some(schema)) => format!(
            "    schema = json.loads({})\n    assert not list(violations(json.loads(unfenced(answer)), schema))\n",
            python(schema)
        ),
        Rule::Starts(text) => format!(
            "    start = answer.strip().lower().lstrip(\"\\\"“”„«»'*_#> \")\n    assert start.startswith({})\n",
            python(text.to_lowercase().trim_start_matches(AROUND))
        ),
        Rule::Ends(text) => {
            let wanted = text.to_lowercase();
            let wanted = wanted.trim_end_matches(AROUND);
            let stop = if wanted.ends_with(STOPS) { "" } else { ".!?" };
            format!(
                "    end = answer.strip().lower().rstrip(\"{stop}\\\"“”„«»'*_#> \")\n    assert end.endswith({})\n",
                python(wanted)
            )
        }
    }
}
