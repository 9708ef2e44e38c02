//! Tests in Python.

use std::fmt::Write as _;

use serde_json::Value;

use super::quoting::{python, raw};
use super::rule::{HEADING_LINE, Rule, Rules, SENTENCE_END, TABLE_HEAD, WORD, unspaced};
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
    return pathlib.Path(path).read_bytes().decode("utf-8")


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
/// `prompt` stands in it with the values of its variables.
pub(super) fn pytest(prompt: &str, checks: &[Check]) -> String {
    let mut all = Rules::of(checks, prompt);
    let rules: Vec<_> =
        checks.iter().map(|check| (check, all.next(check).filter(is_simple))).collect();
    let mut file = String::from(HEAD);
    // Writing to a string cannot fail.
    let _ = writeln!(file, "PROMPT = {}", python(prompt));
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

/// Whether the file can test a rule: of a schema it checks the words that `SCHEMA` has.
fn is_simple(rule: &Rule) -> bool {
    match rule {
        Rule::Json(Some(schema)) => {
            serde_json::from_str(schema).is_ok_and(|schema| is_known(&schema))
        }
        _ => true,
    }
}

fn is_known(schema: &Value) -> bool {
    let Some(members) = schema.as_object() else { return schema == &Value::Bool(true) };
    members.iter().all(|(name, value)| match name.as_str() {
        "properties" => value.as_object().is_some_and(|all| all.values().all(is_known)),
        "items" => is_known(value),
        "additionalProperties" => value.is_boolean(),
        "type" | "enum" | "required" | "minItems" | "maxItems" | "minLength" | "maxLength"
        | "minimum" | "maximum" => true,
        "$schema" | "$id" | "$comment" | "title" | "description" | "default" | "examples" => true,
        _ => false,
    })
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
            let word = r#"[{U}]|(?:[^\W{U}]+(?:['’\xad](?=\w)|(?<=[0-9])[.,:](?=[0-9]))?)+"#;
            let words = format!("matches({}, answer)", raw(&word.replace("{U}", &unspaced())));
            bounded(&words, *least, *most)
        }
        Rule::Sentences { least, most } => {
            let sentences = format!("len(re.findall({}, answer))", python(SENTENCE_END));
            bounded(&sentences, *least, *most)
        }
        Rule::Paragraphs { headed, least, most } => {
            bounded(&format!("len({})", paragraphs(*headed)), *least, *most)
        }
        Rule::Paragraph { headed, index, start } => format!(
            "    found = {}\n    assert len(found) > {index} and re.search({}, found[{index}], re.IGNORECASE)\n",
            paragraphs(*headed),
            pattern(start)
        ),
        Rule::Characters { unspaced: false, least, most } => {
            bounded("len(answer.strip())", *least, *most)
        }
        Rule::Characters { unspaced: true, least, most } => format!(
            "    text = answer.strip()\n    if 2 * len(re.findall(r\"[{}]\", text)) > len(text):\n        text = re.sub(r\"\\s\", \"\", text)\n{}",
            unspaced(),
            bounded("len(text)", *least, *most)
        ),
        Rule::Capitals { least, most } => {
            let words = r#"sum(1 for word in re.findall(r"[\w'’]+", answer) if word.isupper())"#;
            bounded(words, *least, *most)
        }
        Rule::Contains(words) => {
            let words: Vec<String> =
                words.iter().map(|word| python(&word.to_lowercase())).collect();
            let words = words.join(", ");
            format!("    for word in [{words}]:\n        assert word in answer.lower()\n")
        }
        Rule::Columns(names) => {
            let names: Vec<String> = names.iter().map(|name| python(name)).collect();
            format!(
                r#"    rows = [
        [re.sub(r"[\W_]", "", cell).lower() for cell in head.strip().removeprefix("|").removesuffix("|").split("|")]
        for head in re.findall({}, answer, re.MULTILINE)
    ]
    assert any(
        len(row) == {} and all(any(cell.startswith(name) for cell in row) for name in [{}])
        for row in rows
    )
"#,
                raw(&format!("^{TABLE_HEAD}$")),
                names.len(),
                names.join(", ")
            )
        }
        Rule::OneOf(text) => format!(
            "    found = {{one.group().lower() for one in re.finditer({}, answer, re.IGNORECASE)}}\n    assert len(found) == 1\n",
            pattern(text)
        ),
        Rule::Matches(text) => {
            format!("    assert re.search({}, answer, re.IGNORECASE)\n", pattern(text))
        }
        Rule::Lacks(text) => {
            format!("    assert not re.search({}, answer, re.IGNORECASE)\n", pattern(text))
        }
        Rule::Lowercase => "    assert answer == answer.lower()\n".to_owned(),
        Rule::Uppercase => "    assert answer == answer.upper()\n".to_owned(),
        Rule::Json(None) => {
            "    json.loads(unfenced(answer), parse_constant=pytest.fail)\n".to_owned()
        }
        Rule::Json(Some(schema)) => format!(
            "    schema = json.loads({})\n    assert not list(violations(json.loads(unfenced(answer), parse_constant=pytest.fail), schema))\n",
            python(schema)
        ),
    }
}

/// The paragraphs of the answer.
fn paragraphs(headed: bool) -> String {
    let text = match headed {
        true => "answer".to_owned(),
        false => format!("re.sub({}, \"\", answer, flags=re.MULTILINE)", raw(HEADING_LINE)),
    };
    format!(
        r#"[part for part in re.split(r"\n\s*\n", {text}.strip()) if re.search(r"[^\W_]", part)]"#
    )
}
