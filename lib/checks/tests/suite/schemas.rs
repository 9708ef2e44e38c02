//! JSON schemas, which are strangers'.

use checks::{Check, Outcome, Reason};
use engine::ConstraintKind as Kind;
use serde_json::{Value, json};

use crate::common::{check, outcome, verdict};

fn schema_check(schema: &Value) -> Check {
    check(Kind::JsonSchema, &json!({"value": schema.to_string()}))
}

/// The keyword that keeps a schema from being used.
fn refused(schema: &Value) -> String {
    let check = schema_check(schema);
    assert!(!check.executable, "{schema}");
    let verdict = verdict(&check, "{\"a\": 1}");
    let expected = (Outcome::Undecided, Some(Reason::NotExecutable));
    assert_eq!((verdict.verdict, verdict.reason), expected, "{schema}");
    let evidence = verdict.evidence.unwrap_or_else(|| panic!("no keyword of {schema}"));
    assert_eq!(evidence.wanted, "schema");
    evidence.found.expect("a keyword")
}

#[test]
fn a_keyword_whose_work_is_not_known_decides_nothing_and_is_named() {
    for (keyword, value) in [
        ("if", json!({})),
        ("then", json!({})),
        ("else", json!({})),
        ("unevaluatedProperties", json!(false)),
        ("unevaluatedItems", json!(false)),
        ("$id", json!("https://example.com/a")),
        ("id", json!("a")),
        ("$anchor", json!("a")),
        ("$dynamicAnchor", json!("a")),
        ("$dynamicRef", json!("#a")),
        ("$recursiveAnchor", json!(true)),
        ("$recursiveRef", json!("#")),
        ("$vocabulary", json!({})),
        ("dependencies", json!({})),
        ("dependentSchemas", json!({})),
        ("contentEncoding", json!("base64")),
        ("nullable", json!(true)),
    ] {
        let part = json!({"type": "object", keyword: value});
        assert_eq!(refused(&part), keyword);
        for around in [
            json!({"properties": {"a": part}}),
            json!({"items": part}),
            json!({"prefixItems": [part]}),
            json!({"anyOf": [true, part]}),
            json!({"not": part}),
            json!({"$ref": "#/$defs/a", "$defs": {"a": part}}),
        ] {
            assert_eq!(refused(&around), keyword);
        }
    }
}

#[test]
fn a_keyword_counts_only_where_a_schema_stands() {
    let data = json!({"$id": "a", "if": {}, "$ref": "#", "unevaluatedItems": false});
    let schema = json!({
        "title": "A",
        "default": data,
        "examples": [data],
        "properties": {"if": {"const": data}, "$id": {"enum": [data]}, "$ref": true, "id": true},
        "required": ["if", "$id"],
        "dependentRequired": {"then": ["if"]},
    });
    let check = schema_check(&schema);
    assert!(check.executable);
    let answer = json!({"if": data, "$id": data, "id": 1, "$ref": 2});
    assert_eq!(outcome(&check, &answer.to_string()), Outcome::Passed);
    assert_eq!(outcome(&check, &json!({"if": data, "$id": 1}).to_string()), Outcome::Failed);
}

#[test]
fn a_schema_names_its_dialect_at_its_head_alone() {
    for draft in [
        "http://json-schema.org/draft-04/schema#",
        "http://json-schema.org/draft-07/schema",
        "https://json-schema.org/draft/2020-12/schema",
    ] {
        let schema = json!({"$schema": draft, "type": "integer", "minimum": 3});
        assert_eq!(outcome(&schema_check(&schema), "2"), Outcome::Failed, "{draft}");
        let inner = json!({"properties": {"a": {"$schema": draft}}});
        assert_eq!(refused(&inner), "$schema");
    }
    assert_eq!(
        refused(&json!({"$schema": "https://example.com/dialect", "type": "integer"})),
        "$schema"
    );
}

#[test]
fn references_are_followed_as_their_dialect_says() {
    let defined = json!({"a/b~ c": {"type": "string"}});
    for place in ["#/$defs/a~1b~0%20c", "#/$defs/a%7E1b%7E0%20c"] {
        let check = schema_check(&json!({"$ref": place, "minLength": 3, "$defs": defined}));
        assert_eq!(outcome(&check, "\"abc\""), Outcome::Passed, "{place}");
        assert_eq!(outcome(&check, "\"ab\""), Outcome::Failed, "{place}");
        assert_eq!(outcome(&check, "123"), Outcome::Failed, "{place}");
    }
    let alone = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$ref": "#/definitions/a",
        "minLength": 3,
        "definitions": {"a": {"type": "string"}},
    });
    assert_eq!(outcome(&schema_check(&alone), "\"ab\""), Outcome::Passed);
    for place in ["https://example.com/schema.json", "other.json#/a", "#a", "#/$defs/none", "#/%ff"]
    {
        assert_eq!(refused(&json!({"items": {"$ref": place}})), "$ref", "{place}");
    }
}

#[test]
fn nested_conditions_decide_nothing_at_once() {
    let mut schema = json!({"properties": {"a": true}});
    for _ in 0..60 {
        schema = json!({"if": schema, "unevaluatedProperties": false});
    }
    assert_eq!(refused(&schema), "if");
}

#[test]
fn an_identifier_does_not_hide_how_large_a_schema_is() {
    // Each level refers twice to the one below it, in a document of its own.
    let level =
        |at: usize| json!({"allOf": [{"$ref": format!("#/{at}")}, {"$ref": format!("#/{at}")}]});
    let mut inner =
        json!({"$id": "https://example.com/a", "$ref": "#/0", "30": {"type": "object"}});
    for at in 0..30 {
        inner[at.to_string()] = level(at + 1);
        // What the whole has at the same place is small.
    }
    let whole = json!({"allOf": [inner], "0": true});
    assert_eq!(refused(&whole), "$id");
    let mut plain = json!({"$ref": "#/0", "30": {"type": "object"}});
    for at in 0..30 {
        plain[at.to_string()] = level(at + 1);
    }
    assert!(!schema_check(&plain).executable);
}

#[test]
fn what_breaks_alternatives_is_not_kept() {
    let alternatives: Vec<_> = (0..100).map(|_| json!({"items": {"type": "string"}})).collect();
    let schema = json!({"properties": {"a": {"anyOf": alternatives}, "b": {"oneOf": [true, {"type": "null"}]}}});
    let check = schema_check(&schema);
    let long = vec!["1"; 50_000].join(",");
    let failed = verdict(&check, &format!("{{\"a\": [{long}]}}"));
    let evidence = failed.evidence.expect("evidence");
    assert_eq!((&*evidence.wanted, evidence.found.as_deref()), ("schema", None));
    assert_eq!(outcome(&check, "{\"a\": [], \"b\": null}"), Outcome::Failed);
    assert_eq!(outcome(&check, "{\"a\": [\"x\"], \"b\": 1}"), Outcome::Passed);
}

#[test]
fn the_work_of_a_schema_is_told_before_it_is_done() {
    let undecided = |schema: &Value, answer: &str| {
        let check = schema_check(schema);
        assert!(check.executable, "{schema}");
        assert_eq!(verdict(&check, answer).reason, Some(Reason::TooLarge), "{schema}");
    };
    // The expression has so many states, and every character of the answer may be in each of them.
    let pattern = json!({"type": "string", "pattern": "^(a|b)*a(a|b){300}$"});
    undecided(&pattern, &format!("\"{}\"", "ab".repeat(90_000)));
    assert_eq!(
        outcome(&schema_check(&pattern), &format!("\"{}\"", "a".repeat(400))),
        Outcome::Passed
    );
    // Lists whose members are lists, all with the same hash.
    let lists: Vec<String> = (0..2_000)
        .map(|at| format!("[{}[]{}]", "[".repeat(at % 50), "]".repeat(at % 50)))
        .collect();
    let unique = json!({"uniqueItems": true});
    undecided(&unique, &format!("[{}]", lists.join(",")));
    assert_eq!(outcome(&schema_check(&unique), "[[1], [2], {}, 1, 2]"), Outcome::Passed);
    assert_eq!(outcome(&schema_check(&unique), "[[1], [1]]"), Outcome::Failed);
}

#[test]
fn a_schema_is_compiled_within_its_bounds() {
    let strings = |count: usize, pattern: &str| {
        let one = |at: usize| (format!("a{at}"), json!({"type": "string", "pattern": pattern}));
        let properties: serde_json::Map<_, _> = (0..count).map(one).collect();
        json!({"type": "object", "properties": properties})
    };
    let executable = |schema: &Value| schema_check(schema).executable;
    assert!(executable(&strings(20, "^[a-z]{1,20}$")));
    assert!(!executable(&strings(21, "^[a-z]{1,20}$")));
    // One of this size may be, several may not.
    assert!(executable(&strings(1, "(a|b){300}")));
    assert!(!executable(&strings(20, "(a|b){300}")));
    assert!(!executable(&strings(1, "(\\p{L}|N){90}x")));
    let wide = |count: usize| json!({"enum": (0..count).collect::<Vec<_>>()});
    assert!(executable(&wide(900)));
    assert!(!executable(&wide(3_000)));
    assert!(!executable(&json!({"const": "a".repeat(40_000)})));
}
