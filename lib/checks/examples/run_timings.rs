//! Measures reading and running checks: one of almost every kind, on answers of 200 KB together.
//!
//! `cargo run --release -p checks --example timings`

use std::time::{Duration, Instant};

use checks::{Check, of, run};

/// A prompt with a check of every kind that has one.
const PROMPT: &str = r#"Write a report on rain in a formal tone for beginners. Write at least 100 words and at most 90 sentences. Use exactly 4 paragraphs of text. The text has at most 9000 characters. Use exactly 4 bullet points. Write a report with 3 sections. Return it as JSON. Answer with one of the following: "yes" or "no". Include the keywords "rain" and "cloud". Do not use the words "snow" or "hail". Use the word "sea" at least 3 times. Wrap your entire response in double quotation marks. Write in lowercase letters only. Answer in German. Start with the phrase "Once upon a time". The last sentence must be "The end." Use at least 2 headings. Give the query in a fenced code block tagged sql. Make a table with the columns City, Rain and Year. Give it a score from 1 to 10."#;

const ANSWER: &str = "# Rain over the sea\n\nOnce upon a time, rain fell: 3.5 mm in *Hamburg*, said Dr. Rossi. **It rained** and rained!\n\n- clouds\n- SEA and [name]\n\n| City | Rain | Year |\n|---|---|---|\n| Kyoto | 9 | 2020 |\n\n```sql\nselect 1;\n```\n\n***\n\nDer Regen fällt auf das Meer. 雨が降る。今日は晴れ。\n\n";

fn main() {
    let started = Instant::now();
    let reading = of(PROMPT, "en");
    println!(
        "first reading: {:?}, {} checks, coverage {}/{}",
        started.elapsed(),
        reading.checks.len(),
        reading.coverage.covered,
        reading.coverage.demands
    );
    let started = Instant::now();
    let reading = of(PROMPT, "en");
    println!("second reading: {:?}", started.elapsed());
    for (name, piece) in [
        ("an answer of 20 KB, ten times", ANSWER.repeat(20_000 / ANSWER.len())),
        ("an answer of 200 KB", ANSWER.repeat(200_000 / ANSWER.len())),
        ("asterisks", "*".repeat(200_000)),
        ("asterisks and letters", "*a ".repeat(66_666)),
        ("brackets", "[".repeat(200_000)),
        ("spaces", format!("a{}b", " ".repeat(199_998))),
        ("one word", "a".repeat(200_000)),
        ("stops", "a. ".repeat(66_666)),
        ("rain", "rain ".repeat(40_000)),
        ("p.", "p.".repeat(100_000)),
        ("angle brackets", "<<a ".repeat(50_000)),
        ("braces", "{\"a\":".repeat(40_000)),
        ("empty lines", "a\n\n".repeat(66_666)),
        ("bars", "|-|\n".repeat(50_000)),
        ("quotation marks", "\"".repeat(200_000)),
        ("Han", "雨".repeat(66_666)),
    ] {
        let times = if piece.len() < 50_000 { 10 } else { 1 };
        let best = (0..3).map(|_| timed(&reading.checks, &piece, times)).min().unwrap_or_default();
        println!("{name:<32} {best:?}");
    }
    let answer = ANSWER.repeat(200_000 / ANSWER.len());
    for check in &reading.checks {
        let best = (0..3)
            .map(|_| timed(std::slice::from_ref(check), &answer, 1))
            .min()
            .unwrap_or_default();
        println!("  {:<26} {best:?}", check.kind.as_str());
    }
}

fn timed(checks: &[Check], answer: &str, times: usize) -> Duration {
    let started = Instant::now();
    for _ in 0..times {
        std::hint::black_box(run(checks, Some(PROMPT), [answer], None));
    }
    started.elapsed()
}
