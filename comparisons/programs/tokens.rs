//! Counting tokens: the engine's own counter against two public tokenizers with the same vocabulary, `o200k_base`.
//!
//! `comparisons/run tokens`. All three count exactly, and must agree on every text. The others count as fast as they
//! can: they are asked for numbers, not for tokens. The texts are those of the engine's example `tokens`.

use comparisons::{Way, median, print, race};
use engine::{TargetModel, tokens::estimate};

#[path = "../../lib/engine/tests/suite/tokens_texts/mod.rs"]
#[allow(dead_code, reason = "the engine's tests use the rest")]
mod texts;

/// Characters of a text: that of a long prompt.
const CHARACTERS: usize = 10_000;

fn main() {
    let tiktoken = tiktoken_rs::o200k_base_singleton();
    let bpe = bpe_openai::o200k_base();
    let model = TargetModel::default();
    let mut all: Vec<Vec<f64>> = Vec::new();
    println!(
        "{CHARACTERS} characters of each class of text; ours, and how many times as long the others take\n"
    );
    for (name, text) in texts::classes(CHARACTERS) {
        let count = estimate(&text, model).input as usize;
        assert_eq!(count, tiktoken.count_ordinary(&text), "tiktoken-rs, {name}");
        assert_eq!(count, bpe.count(text.as_str()), "bpe-openai, {name}");
        let ratios = race(vec![
            Way::new("ours", || estimate(&text, model)),
            Way::new("tiktoken-rs", || tiktoken.count_ordinary(&text)),
            Way::new("bpe-openai", || bpe.count(text.as_str())),
        ]);
        print(name, &ratios);
        all.push(ratios.iter().map(|ratio| ratio.quartiles()[1]).collect());
    }
    for (way, name) in [(1, "tiktoken-rs"), (2, "bpe-openai")] {
        let of_way: Vec<f64> = all.iter().map(|ratios| ratios[way]).collect();
        let (least, most) = of_way.iter().fold((f64::MAX, f64::MIN), |(least, most), ratio| {
            (least.min(*ratio), most.max(*ratio))
        });
        println!("\n{name}: {:.2} in the median class, {least:.2} to {most:.2}", median(of_way));
    }
}
