//! Any answer is judged, and long ones soon.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use checks::{Check, Outcome, of};
use engine::ConstraintKind as Kind;
use serde_json::json;

use crate::builders::LANGUAGES;
use crate::common::{Chance, check, run};

/// Prompts with checks of every kind.
fn prompts() -> Vec<String> {
    let labelled = include_str!("../../../engine/tests/suite/constraints.jsonl");
    let prompt = |line: &str| {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        row["prompt"].as_str().unwrap().to_owned()
    };
    labelled.lines().map(prompt).collect()
}

/// A check of each kind, and one of each format.
fn of_every_kind() -> Vec<Check> {
    let mut found: Vec<Check> = Vec::new();
    for prompt in prompts() {
        for check in of(&prompt, "en").checks {
            if check.kind != Kind::Format && !found.iter().any(|one| one.kind == check.kind) {
                found.push(check);
            }
        }
    }
    let formats = [
        "json",
        "yaml",
        "xml",
        "csv",
        "html",
        "latex",
        "table",
        "markdown",
        "plain_text",
        "numbered_list",
        "bullet_list",
        "code_block",
        "diagram",
    ];
    found.extend(formats.map(|name| check(Kind::Format, &json!({"value": name}))));
    let kinds: HashSet<Kind> = found.iter().map(|one| one.kind).collect();
    assert_eq!(kinds.len(), Kind::ALL.len());
    found
}

#[test]
fn any_answer_is_judged_and_places_lie_in_it() {
    let chance = &mut Chance::of(5);
    let prompts = prompts();
    let every = of_every_kind();
    let marks = [
        "*",
        "**",
        "```",
        "```json\n",
        "\n",
        "\n\n",
        "- ",
        "1. ",
        "# ",
        "|",
        "|---|",
        "[",
        "]",
        "<<",
        ">>",
        "{",
        "}",
        "\"",
        "“",
        "İ",
        "ß",
        "\u{301}",
        "\u{200d}",
        "👍🏽",
        "🇩🇪",
        "\0",
        "。",
        "雨",
        "P.S.",
        ",",
        "\r\n",
        "'",
        "…",
        "***",
        "---",
        "#tag",
        "7/10",
        "\u{feff}",
    ];
    for _ in 0..400 {
        let mut text = String::new();
        for _ in 0..chance.within(0, 25) {
            match chance.below(3) {
                0 => text.push_str(marks[chance.below(marks.len())]),
                1 => text.push_str(&chance.pick(&LANGUAGES).words(2, &mut Chance::of(1))),
                _ => text.push([' ', '\u{a0}', 'a', 'B', 'ä', '.', '?'][chance.below(7)]),
            }
        }
        let prompt = &prompts[chance.below(prompts.len())];
        let own = of(prompt, "de");
        for checks in [&every, &own.checks] {
            let verdicts = run(checks, Some(prompt), &text);
            assert_eq!(verdicts, run(checks, Some(prompt), &text), "{text:?}");
            assert_eq!(verdicts.len(), checks.len());
            let points: Vec<char> = text.chars().collect();
            for (check, verdict) in checks.iter().zip(&verdicts) {
                assert_eq!(check.id, verdict.check_id);
                assert_eq!(verdict.reason.is_some(), verdict.verdict == checks::Outcome::Undecided);
                let Some(evidence) = &verdict.evidence else { continue };
                if let (Some(start), Some(end)) = (evidence.start, evidence.end) {
                    let place: String = points[start..end].iter().take(200).collect();
                    assert_eq!(Some(&place), evidence.quote.as_ref(), "{text:?} {verdict:?}");
                }
            }
        }
    }
}

#[test]
fn long_answers_take_time_by_their_length() {
    let every = of_every_kind();
    for piece in [
        "*",
        "*a ",
        "[",
        "<<a ",
        "{\"a\":",
        "a. ",
        "a\n\n",
        "|-|\n",
        "\"",
        "雨",
        "a",
        "- a\n",
        "P.",
        "7/10 ",
        "```\n",
        "#a ",
        "“a.” ",
        " ",
        "\\begin{a}",
        "<a>",
        "<a b=\"\" c=\"\">",
    ] {
        let text = |length: usize| piece.chars().cycle().take(length).collect::<String>();
        let timed = |length: usize| {
            let text = text(length);
            let started = Instant::now();
            let verdicts = run(&every, None, &text);
            assert_eq!(verdicts.len(), every.len());
            started.elapsed()
        };
        // What grows with the square would take sixteen times as long.
        let (short, long) = (timed(20_000), timed(80_000));
        let most = short * 9 + Duration::from_millis(150);
        assert!(long < most, "{piece:?}: {short:?}, {long:?}");
    }
}

#[test]
fn an_element_of_many_attributes_and_a_marker_of_many_letters_take_no_longer() {
    let judged = |check: &Check, answer: &str| {
        let started = Instant::now();
        let verdict = run(std::slice::from_ref(check), None, answer).remove(0);
        assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
        verdict.verdict
    };
    let attributes: String = (0..20_000).map(|at| format!(" a{at}=\"\"")).collect();
    let xml = check(Kind::Format, &json!({"value": "xml"}));
    assert_eq!(judged(&xml, &format!("<a{attributes}/>")), Outcome::Failed);
    assert_eq!(judged(&xml, "<a b=\"1 > 0\" c='='>a = b</a>"), Outcome::Passed);
    let postscript = check(Kind::Postscript, &json!({"value": "p".repeat(20_000)}));
    assert_eq!(judged(&postscript, &"p.".repeat(50_000)), Outcome::Undecided);
}

#[test]
fn a_schema_that_costs_too_much_is_not_executable() {
    let executable = |schema: &serde_json::Value| {
        let started = Instant::now();
        let prompt = format!("Return JSON. Schema:\n```json\n{schema}\n```");
        let found = of(&prompt, "en").checks.into_iter().find(|one| one.kind == Kind::JsonSchema);
        assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
        found.expect("a schema").executable
    };
    let with_patterns = |count: usize, pattern: &str| {
        let one = |at: usize| (format!("a{at}"), json!({"type": "string", "pattern": pattern}));
        let properties: serde_json::Map<_, _> = (0..count).map(one).collect();
        json!({"type": "object", "properties": properties})
    };
    assert!(executable(&with_patterns(20, "^[a-z]{1,20}$")));
    assert!(!executable(&with_patterns(21, "^[a-z]{1,20}$")));
    assert!(!executable(&with_patterns(1, "(\\p{L}|N){90}x")));
}

#[test]
fn schemas_that_would_look_at_long_answers_too_often_decide_nothing() {
    let all: Vec<_> = (0..400).map(|_| json!({"type": "integer"})).collect();
    let schema = json!({"type": "array", "items": {"allOf": all}}).to_string();
    let check = check(Kind::JsonSchema, &json!({"value": schema}));
    let answer = |numbers: usize| format!("[{}]", vec!["1"; numbers].join(","));
    let started = Instant::now();
    let short = run(std::slice::from_ref(&check), None, &answer(100)).remove(0);
    assert_eq!(short.verdict, Outcome::Passed);
    let long = run(std::slice::from_ref(&check), None, &answer(50_000)).remove(0);
    assert_eq!(long.reason, Some(checks::Reason::TooLarge));
    assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
}

#[test]
fn long_prompts_take_time_by_their_length() {
    for piece in [
        "At most 7 words each. ",
        "Answer with yes or no. ",
        "Use the word \"tea\". ",
        "Start with \"Ö\". ",
        "You must stop. ",
    ] {
        let timed = |length: usize| {
            let prompt = piece.chars().cycle().take(length).collect::<String>();
            let started = Instant::now();
            assert!(of(&prompt, "en").coverage.demands > length / 100, "{piece:?}");
            started.elapsed()
        };
        let (short, long) = (timed(20_000), timed(80_000));
        let most = short * 9 + Duration::from_millis(150);
        assert!(long < most, "{piece:?}: {short:?}, {long:?}");
    }
}
