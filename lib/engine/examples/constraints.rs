//! Measures constraint extraction on a file of labelled prompts.
//!
//! `cargo run -q -p engine --example constraints -- [--misses] [file.jsonl]`
//!
//! Reads the project's own form, `{"prompt", "constraints": [{"kind", "relation", "number"}]}`, and that
//! of `instruction_following_eval`, `{"prompt", "instruction_id_list"}`, whose identifiers are mapped to
//! what they are here. A label counts once a prompt. Without a file the project's own set is measured.

#[path = "../tests/suite/measure.rs"]
mod measure;

use std::process::ExitCode;

use engine::ConstraintKind as Kind;
use engine::constraints::Statement;
use measure::{Labels, Score, measure, own_labels};
use serde_json::Value;

fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let verbose = arguments.iter().any(|argument| argument == "--misses");
    arguments.retain(|argument| argument != "--misses");
    let lines = match arguments.first() {
        None => Ok(include_str!("../tests/suite/constraints.jsonl").to_owned()),
        Some(path) => std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}")),
    };
    let labels = |row: &Value, found: &[Statement]| {
        let (wanted, given) = labels(row, found);
        if verbose && wanted != given {
            println!("{}", row["prompt"].as_str().unwrap_or_default());
            println!("  missed {:?}", wanted.difference(&given).collect::<Vec<_>>());
            println!("  false  {:?}", given.difference(&wanted).collect::<Vec<_>>());
        }
        (wanted, given)
    };
    match lines.and_then(|lines| measure(&lines, labels)) {
        Ok(score) => report(&score),
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// Instructions that are no kind of constraint here.
const OTHERS: [&str; 11] = [
    "quotation",
    "keywords:frequency",
    "no_comma",
    "number_highlighted_sections",
    "repeat_prompt",
    "capital_word_frequency",
    "number_placeholders",
    "postscript",
    "letter_frequency",
    "two_responses",
    ":title",
];

/// The labels that a line wants and that were given, in the form of the line.
fn labels(row: &Value, found: &[Statement]) -> (Labels, Labels) {
    match row["instruction_id_list"].as_array() {
        Some(ids) => (
            // What is no kind here is not wanted.
            ids.iter()
                .filter_map(|id| Some(id.as_str()?.to_owned()))
                // It says how many paragraphs there are.
                .map(|id| id.replace("nth_paragraph_first_word", "number_paragraphs"))
                .filter(|id| !OTHERS.iter().any(|other| id.ends_with(other)))
                .collect(),
            instruction_ids(row["prompt"].as_str().unwrap_or_default(), found),
        ),
        None => own_labels(row, found),
    }
}

/// What the constraints are called in `instruction_following_eval`.
fn instruction_ids(prompt: &str, found: &[Statement]) -> Labels {
    let has = |kind: Kind| found.iter().any(|one| one.kind == kind);
    let mut ids = Labels::new();
    let mut is = |holds: bool, id: &str| {
        if holds {
            ids.insert(id.to_owned());
        }
    };
    is(has(Kind::WordCount), "length_constraints:number_words");
    is(has(Kind::SentenceCount), "length_constraints:number_sentences");
    is(has(Kind::ExcludeWords), "keywords:forbidden_words");
    is(has(Kind::IncludeWords), "keywords:existence");
    is(has(Kind::Lowercase), "change_case:english_lowercase");
    is(has(Kind::Uppercase), "change_case:english_capital");
    is(has(Kind::EndsWith), "startend:end_checker");
    is(has(Kind::Choice), "detectable_format:constrained_response");
    // There, what three asterisks separate are paragraphs.
    let is_separated = prompt.contains("***");
    let paragraphs = has(Kind::ParagraphCount) || is_separated && has(Kind::SectionCount);
    is(paragraphs, "length_constraints:number_paragraphs");
    // There a language is another one than English, and sections are marked.
    let foreign =
        |one: &Statement| one.kind == Kind::Language && one.parameters.texts() != ["English"];
    is(found.iter().any(foreign), "language:response_language");
    let json = |one: &Statement| one.kind == Kind::Format && one.parameters.texts() == ["json"];
    is(found.iter().any(json), "detectable_format:json_format");
    let bullets = |one: &Statement| {
        one.kind == Kind::ItemCount
            && one.parameters.texts().iter().any(|unit| unit.starts_with("bullet"))
    };
    is(found.iter().any(bullets), "detectable_format:number_bullet_lists");
    let marked = |one: &Statement| one.kind == Kind::SectionCount;
    is(!is_separated && found.iter().any(marked), "detectable_format:multiple_sections");
    ids
}

fn report(score: &Score) {
    println!("{:<48} {:>5} {:>9} {:>7} {:>6}", "kind", "count", "precision", "recall", "F1");
    for (kind, tally) in &score.kinds {
        println!("{kind:<48} {tally}");
    }
    println!("{:<48} {}", format!("all, micro ({} prompts)", score.prompts), score.total());
    let kinds = u32::try_from(score.kinds.len()).unwrap_or(1).max(1);
    let macro_f1 = score.kinds.values().map(|tally| tally.f1()).sum::<f64>() / f64::from(kinds);
    println!("{:<48} {:>5} {:>9} {:>7} {macro_f1:>6.3}", "all, macro", "", "", "");
}
