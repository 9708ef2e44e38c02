//! What the engine makes of a few inputs from outside, as texts that a person reads: the difference of a change.
//!
//! `WRITE_SNAPSHOTS=1 cargo test -p rules --test suite snapshots` writes them.

use std::{fmt::Write as _, path::Path};

use domain::Timestamp;
use engine::{Analysis, Change, Engine, Optimization, PromptBrief};
use futures::FutureExt;
use rules::Rules;
use serde_json::Value;

use crate::common;

/// Inputs of each set whose results are kept.
const KEPT: usize = 25;
const UNTIL: Timestamp = Timestamp::from_millis(0);

#[test]
fn generated_prompts_are_as_they_were() {
    compare("generate", "goals", "message", |input| {
        let mut brief = common::brief(text(input, "message"));
        brief.language = text(input, "language").to_owned();
        let made = common::run(&brief);
        format!("{}\n{}\n{}", made.title, made.prompt, listed(&made.clarifying_questions))
    });
}

#[test]
fn analyses_are_as_they_were() {
    compare("analyze", "prompts", "prompt", |input| {
        let made: Analysis = now(Rules.analyze(&brief(input), UNTIL).now_or_never());
        let findings = made.findings.iter().map(|one| {
            format!("{:?} {} \"{}\": {}", one.severity, one.rule_id, one.quote, one.message)
        });
        format!("{:?}: {}\n{}", made.rating, made.summary, listed(&findings.collect::<Vec<_>>()))
    });
}

#[test]
fn optimized_prompts_are_as_they_were() {
    compare("optimize", "prompts", "prompt", |input| {
        let made: Optimization = now(Rules.optimize(&brief(input), UNTIL).now_or_never());
        let versions = made.versions.iter().map(|one| {
            format!("{:?}: {}\n{}", one.label, one.rationale, differences(&one.changes))
        });
        versions.collect::<Vec<_>>().join("\n")
    });
}

#[test]
fn refined_prompts_are_as_they_were() {
    compare("refine", "pairs", "prompt", |input| {
        let feedback = text(input, "feedback");
        let made = common::refine_for("Universal", text(input, "prompt"), feedback);
        let points = made
            .feedback_items
            .iter()
            .map(|one| format!("{:?} \"{}\": {}", one.status, one.text, one.reason));
        format!("{feedback}\n{}{}", listed(&points.collect::<Vec<_>>()), differences(&made.changes))
    });
}

/// Holds the results for the first inputs of a set against the file of an operation, or writes the file.
fn compare(operation: &str, set: &str, field: &str, result: impl Fn(&Value) -> String) {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let inputs = std::fs::read_to_string(tests.join(format!("outside/{set}.open.jsonl"))).unwrap();
    let mut page = String::new();
    for line in inputs.lines().take(KEPT) {
        let input: Value = serde_json::from_str(line).unwrap();
        let quoted = text(&input, field).replace('\n', "\n> ");
        let made = result(&input);
        writeln!(page, "## {}\n\n> {quoted}\n\n{}\n", text(&input, "id"), made.trim_end()).unwrap();
    }
    let file = tests.join(format!("suite/snapshots/{operation}.txt"));
    if std::env::var_os("WRITE_SNAPSHOTS").is_some() {
        std::fs::write(file, page).unwrap();
        return;
    }
    let kept = std::fs::read_to_string(file).unwrap();
    for (made, kept) in page.split("\n## ").zip(kept.split("\n## ")) {
        assert_eq!(made, kept, "{operation}: is the difference an improvement?");
    }
    assert_eq!(page.len(), kept.len());
}

fn text<'a>(input: &'a Value, field: &str) -> &'a str {
    input[field].as_str().unwrap()
}

fn brief(input: &Value) -> PromptBrief {
    PromptBrief {
        prompt: text(input, "prompt").to_owned(),
        context: String::new(),
        language: "en".to_owned(),
        target_model: common::target("Universal"),
        variations: 2,
        images: Vec::new(),
    }
}

/// Rules never wait.
fn now<T, E: std::fmt::Debug>(result: Option<Result<T, E>>) -> T {
    result.unwrap().unwrap()
}

fn listed(lines: &[String]) -> String {
    lines.iter().fold(String::new(), |mut all, line| {
        writeln!(all, "* {line}").unwrap();
        all
    })
}

fn differences(changes: &[Change]) -> String {
    changes.iter().fold(String::new(), |mut all, one| {
        writeln!(all, "- {}\n+ {}", one.old_text, one.new_text).unwrap();
        all
    })
}
