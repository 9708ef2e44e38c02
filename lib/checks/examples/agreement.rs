//! Compares verdicts with those of the public evaluators IFEval and IFBench.
//!
//! `cargo run --release -p checks --example agreement -- FILE [KIND]` reads a JSON object a line: `prompt`, `response`,
//! `instruction_id`, `kwargs` and the evaluator's `strict` verdict. It prints how many verdicts agree for each
//! instruction that is one of our kinds, and the differences of the one that is named behind the file. With `read` behind
//! that (`all read` for none), the checks are those that we read in the prompt, where there are some of the kind.

use std::{collections::BTreeMap, error::Error, fs};

use checks::{Check, Outcome, of, run};
use engine::{Constraint, ConstraintKind as Kind, ConstraintParameters};
use serde_json::{Value, json};

#[derive(Default)]
struct Tally {
    agreed: usize,
    we_pass: usize,
    we_fail: usize,
    undecided: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("which file?")?;
    let shown = arguments.next();
    let reads = arguments.next().as_deref() == Some("read");
    let mut kinds: BTreeMap<String, Tally> = BTreeMap::new();
    let mut unsupported: BTreeMap<String, usize> = BTreeMap::new();
    for line in fs::read_to_string(file)?.lines() {
        let row: Value = serde_json::from_str(line)?;
        let text = |name: &str| row[name].as_str().unwrap_or_default();
        let id = text("instruction_id");
        let prompt = text("prompt");
        let Some(mut checks) = checks_of(id, &row["kwargs"]) else {
            *unsupported.entry(id.to_owned()).or_default() += 1;
            continue;
        };
        if reads {
            let kinds: Vec<Kind> = checks.iter().map(|check| check.kind).collect();
            checks = of(prompt, "en").checks;
            checks.retain(|check| kinds.contains(&check.kind));
            if !kinds.iter().all(|kind| checks.iter().any(|check| check.kind == *kind)) {
                *unsupported.entry(id.to_owned()).or_default() += 1;
                continue;
            }
        }
        let mut theirs = row["strict"].as_bool().unwrap_or_default();
        // Theirs also asks whether the answer is English, by a guess that changes from run to run. Only case is compared.
        let response = text("response");
        match id {
            "change_case:english_capital" => {
                theirs = response.to_uppercase() == response && response.to_lowercase() != response;
            }
            "change_case:english_lowercase" => {
                theirs = response.to_lowercase() == response && response.to_uppercase() != response;
            }
            _ => {}
        }
        let verdicts = run(&checks, Some(prompt), [text("response")], None).remove(0);
        let tally = kinds.entry(id.to_owned()).or_default();
        let failed = verdicts.iter().find(|one| one.verdict == Outcome::Failed);
        let open = verdicts.iter().find(|one| one.verdict == Outcome::Undecided);
        let ours = failed.is_none();
        if failed.is_none() && open.is_some() {
            tally.undecided += 1;
            if shown.as_deref() == Some(id) {
                println!("undecided, theirs {theirs}: {} {open:?} {prompt}", row["kwargs"]);
            }
            continue;
        }
        match (ours, theirs) {
            (true, false) => tally.we_pass += 1,
            (false, true) => tally.we_fail += 1,
            _ => tally.agreed += 1,
        }
        if ours != theirs && shown.as_deref() == Some(id) {
            let evidence = verdicts.iter().map(|one| &one.evidence).collect::<Vec<_>>();
            println!("---- ours {ours}, theirs {theirs}: {} {evidence:?}", row["kwargs"]);
            if reads {
                println!("{prompt}\n{checks:?}");
            }
            println!("{}", text("response").chars().take(1500).collect::<String>());
        }
    }
    println!(
        "{:<46}{:>6}{:>9}{:>9}{:>9}{:>10}",
        "instruction", "count", "agree %", "we pass", "we fail", "undecided"
    );
    for (id, tally) in &kinds {
        let decided = tally.agreed + tally.we_pass + tally.we_fail;
        let share = 100.0 * tally.agreed as f64 / decided.max(1) as f64;
        println!(
            "{id:<46}{:>6}{share:>9.2}{:>9}{:>9}{:>10}",
            decided + tally.undecided,
            tally.we_pass,
            tally.we_fail,
            tally.undecided
        );
    }
    println!("not one of our kinds: {unsupported:?}");
    Ok(())
}

/// The checks that mean the same as an instruction.
fn checks_of(id: &str, kwargs: &Value) -> Option<Vec<Check>> {
    let number = |name: &str| kwargs[name].as_f64().map(|n| n as u64);
    let string = |name: &str| kwargs[name].as_str();
    let relation = |name: &str, bound: &str| {
        // Theirs is "less than", ours "at most".
        match string(name) {
            Some("less than") => {
                json!({"relation": "at_most", "number": number(bound).unwrap_or(0).saturating_sub(1), "upper": null, "of": null})
            }
            _ => {
                json!({"relation": "at_least", "number": number(bound), "upper": null, "of": null})
            }
        }
    };
    let count = |relation: &str, number: u64| json!({"relation": relation, "number": number, "upper": null, "of": null});
    let of = |mut parameters: Value, of: &str| {
        parameters["of"] = of.into();
        parameters
    };
    let one = |kind: Kind, parameters: Value, quote: &str| vec![check(kind, parameters, quote)];
    let checks = match id {
        "length_constraints:number_words" => {
            one(Kind::WordCount, relation("relation", "num_words"), "")
        }
        "length_constraints:number_sentences" => {
            one(Kind::SentenceCount, relation("relation", "num_sentences"), "")
        }
        "keywords:existence" => one(Kind::IncludeWords, json!({"words": kwargs["keywords"]}), ""),
        "keywords:forbidden_words" => {
            one(Kind::ExcludeWords, json!({"words": kwargs["forbidden_words"]}), "the words")
        }
        "change_case:english_capital" => one(Kind::Uppercase, json!({}), ""),
        "change_case:english_lowercase" => one(Kind::Lowercase, json!({}), ""),
        "startend:end_checker" => one(Kind::EndsWith, json!({"text": string("end_phrase")?}), "\""),
        "language:response_language" => one(
            Kind::Language,
            json!({"value": text::language::english_name(string("language")?)}),
            "",
        ),
        "detectable_format:json_format" => one(Kind::Format, json!({"value": "json"}), ""),
        "detectable_format:number_bullet_lists" => {
            one(Kind::ItemCount, of(count("exactly", number("num_bullets")?), "bullet points"), "")
        }
        "detectable_format:multiple_sections" => one(
            Kind::SectionCount,
            of(count("at_least", number("num_sections")?), string("section_spliter")?),
            "",
        ),
        "detectable_format:constrained_response" => {
            let words = ["My answer is yes.", "My answer is no.", "My answer is maybe."];
            one(Kind::Choice, json!({"words": words}), "")
        }
        // IFBench
        "count:word_count_range" => one(
            Kind::WordCount,
            json!({"relation": "between", "number": number("min_words"), "upper": number("max_words"), "of": null}),
            "",
        ),
        "count:keywords_multiple" | "words:keywords_specific_position" | "words:words_position" => {
            return None;
        }
        "format:options" => {
            let words: Vec<&str> = string("options")?.split('/').collect();
            one(Kind::Choice, json!({"words": words}), "")
        }
        _ => return None,
    };
    Some(checks)
}

fn check(kind: Kind, parameters: Value, quote: &str) -> Check {
    let parameters: ConstraintParameters = serde_json::from_value(parameters).expect("parameters");
    let constraint = Constraint {
        id: "c1".to_owned(),
        kind,
        parameters,
        quote: quote.to_owned(),
        start: 0,
        end: quote.chars().count(),
    };
    Check::of(constraint, "en")
}
