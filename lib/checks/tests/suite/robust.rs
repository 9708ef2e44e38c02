//! Any answer is judged, and long ones soon.

use std::time::{Duration, Instant};

use checks::{Check, of, run};
use engine::ConstraintKind as Kind;

use crate::builders::LANGUAGES;
use crate::common::Chance;

/// Prompts with checks of every kind.
fn prompts() -> Vec<String> {
    let labelled = include_str!("../../../engine/tests/suite/constraints.jsonl");
    let prompt = |line: &str| {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        row["prompt"].as_str().unwrap().to_owned()
    };
    labelled.lines().map(prompt).collect()
}

/// A check of each kind.
fn of_every_kind() -> Vec<Check> {
    let mut found: Vec<Check> = Vec::new();
    for prompt in prompts() {
        for check in of(&prompt, "en").checks {
            if !found.iter().any(|one| one.kind == check.kind) {
                found.push(check);
            }
        }
    }
    assert_eq!(found.len(), Kind::ALL.len());
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
