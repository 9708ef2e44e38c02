//! How long each operation of the rules engine takes, by the length of its input.
//!
//! `cargo run -q --release -p rules --example timings`
//!
//! Prints the slowest of three runs in milliseconds at 1,000, 10,000 and 50,000 characters, for prompts of
//! several kinds, and how much longer the longest takes than ten times the characters should.

use std::time::Instant;

use domain::Timestamp;
use engine::{
    Beside, Engine, GenerateBrief, Material, Mode, OutputMode, PromptBrief, RefineBrief,
    ReverseBrief, TargetModel, tokens,
};
use futures::FutureExt;
use rules::Rules;

const SIZES: [usize; 3] = [1_000, 10_000, 50_000];
const UNTIL: Timestamp = Timestamp::from_millis(0);

/// Prompts that a piece of text, repeated, makes.
const KINDS: [(&str, &str); 6] = [
    (
        "prose",
        "Write a friendly article about our new {{product}} for parents, maybe 300 words, and quote \"built to last\". Keep it short but cover everything in detail. ",
    ),
    (
        "list",
        "- Mention the price of 49.90 EUR\n- Do not use jargon\n- See https://example.com/a?b=1\n\n",
    ),
    (
        "code",
        "Fix this:\n```rust\nfn main() { println!(\"{}\", 1 + 1); }\n```\nIt must handle errors.\n\n",
    ),
    ("one line", "and some more words without any end "),
    ("chinese", "请写一篇关于新产品的文章，语气友好，不超过500字，并引用“经久耐用”。"),
    ("one letter", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
];

fn main() {
    Rules::warm_up();
    println!(
        "{:<24}{:<12}{:>9}{:>9}{:>9}{:>8}",
        "operation", "prompt", "1k", "10k", "50k", "growth"
    );
    for (name, run) in OPERATIONS {
        for (kind, piece) in KINDS {
            let times = SIZES.map(|size| {
                let prompt: String = piece.chars().cycle().take(size).collect();
                (0..3).map(|_| time(|| run(&prompt))).fold(0.0, f64::max)
            });
            let growth = times[2] / (5.0 * times[1]);
            println!(
                "{name:<24}{kind:<12}{:>9.1}{:>9.1}{:>9.1}{growth:>8.2}",
                times[0], times[1], times[2]
            );
        }
    }
}

/// Milliseconds that something takes.
fn time(work: impl FnOnce()) -> f64 {
    let begun = Instant::now();
    work();
    begun.elapsed().as_secs_f64() * 1_000.0
}

type Run = fn(&str);

const OPERATIONS: [(&str, Run); 8] = [
    ("generate (current)", generate),
    ("analyze", analyze),
    ("optimize, 1 version", |prompt| optimize(prompt, 1)),
    ("optimize, 2 versions", |prompt| optimize(prompt, 2)),
    ("analyze and optimize", analyze_and_optimize),
    ("refine", refine),
    ("reverse text", reverse),
    ("token estimate", |prompt| drop(tokens::measure(prompt))),
];

fn brief(prompt: &str, variations: u8) -> PromptBrief {
    PromptBrief {
        prompt: prompt.to_owned(),
        context: String::new(),
        language: "en".to_owned(),
        target_model: TargetModel::default(),
        variations,
        images: Vec::new(),
    }
}

fn generate(prompt: &str) {
    let brief = GenerateBrief {
        message: "Make it more formal and under 200 words".to_owned(),
        mode: Mode::Auto,
        output_mode: OutputMode::ReadyToUse,
        target_model: TargetModel::default(),
        language: "en".to_owned(),
        current_prompt: Some(prompt.to_owned()),
        conversation: Vec::new(),
        previous: None,
        images: Vec::new(),
    };
    drop(Rules.generate(&brief, UNTIL).now_or_never());
}

fn analyze(prompt: &str) {
    drop(Rules.analyze(&brief(prompt, 1), UNTIL).now_or_never());
}

fn optimize(prompt: &str, variations: u8) {
    drop(Rules.optimize(&brief(prompt, variations), UNTIL).now_or_never());
}

fn analyze_and_optimize(prompt: &str) {
    drop(Rules.analyze_and_optimize(&brief(prompt, 2), UNTIL).now_or_never());
}

fn refine(prompt: &str) {
    let brief = RefineBrief {
        beside: Beside::default(),
        prompt: prompt.to_owned(),
        feedback: "Make it more formal, at most 200 words, and add an example".to_owned(),
        language: "en".to_owned(),
        target_model: TargetModel::default(),
        images: Vec::new(),
    };
    drop(Rules.refine(&brief, UNTIL).now_or_never());
}

fn reverse(text: &str) {
    let brief = ReverseBrief {
        material: Material::Text(text.to_owned()),
        language: "en".to_owned(),
        target_model: TargetModel::default(),
    };
    drop(Rules.reverse(&brief, UNTIL).now_or_never());
}
