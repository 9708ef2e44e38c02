//! Which losses of refined prompts are taken as asked for: `cargo run -p engine --example asked -- FILE…`.
//!
//! A line has `prompt`, `feedback`, `language`, and either `good`, a new prompt, or `answer` with `prompt` and `removed`.
//! Of `good`, everything that is lost counts as listed with the whole feedback as its reason.
use std::{env, fs};

use engine::integrity::{self, Asked, Removed};
use serde_json::Value;

fn main() {
    for path in env::args().skip(1) {
        let (mut taken, mut all) = (0, 0);
        for line in fs::read_to_string(&path).unwrap_or_default().lines() {
            let Ok(case) = serde_json::from_str::<Value>(line) else { continue };
            let text = |field: &str| case[field].as_str().unwrap_or_default();
            let (prompt, feedback, language) = (text("prompt"), text("feedback"), text("language"));
            let asked = Asked::by(feedback, language);
            let answer = &case["answer"];
            let new = answer["prompt"].as_str().unwrap_or_else(|| text("good"));
            let removed: Vec<Removed> = if answer.is_null() {
                let lost = integrity::check(prompt, new, "", &Asked::by("", language));
                let all = [
                    lost.variables.lost,
                    lost.numbers_lost,
                    lost.quoted_literals_lost,
                    lost.urls_lost,
                    lost.constraints
                        .lost
                        .iter()
                        .chain(&lost.constraints.loosened)
                        .map(|one| one.quote.clone())
                        .collect(),
                ];
                let because = feedback.to_owned();
                let one = |text: String| Removed { text, because: because.clone() };
                all.into_iter().flatten().map(one).collect()
            } else {
                serde_json::from_value(answer["removed"].clone()).unwrap_or_default()
            };
            let asked = asked.listing(&removed);
            let result = integrity::check(prompt, new, "", &asked);
            let is_taken = result.passed;
            all += 1;
            taken += usize::from(is_taken);
            let show = env::var("SHOW").is_ok_and(|show| (show == "taken") == is_taken);
            if show {
                let constraints: Vec<_> = result
                    .constraints
                    .lost
                    .iter()
                    .chain(&result.constraints.loosened)
                    .filter(|one| !one.requested)
                    .map(|one| (one.kind, &one.quote))
                    .collect();
                println!(
                    "--- {} {}\n  {prompt}\n  F {feedback}\n  N {new}\n  removed {:?}\n  planted {}\n  lost {:?} {:?} {:?} {:?} code {} {:?} {}→{}\n  requested {:?}",
                    text("id"),
                    language,
                    removed.iter().map(|one| (&one.text, &one.because)).collect::<Vec<_>>(),
                    case["planted"],
                    result.variables.lost,
                    result.numbers_lost,
                    result.quoted_literals_lost,
                    result.urls_lost,
                    result.code_blocks.lost,
                    constraints,
                    result.language_in,
                    result.language_out,
                    result.requested
                );
            }
        }
        println!("{path}: {taken} of {all} taken");
    }
}
