//! Counts the tokens of files for every model, to compare with what a vendor counts:
//! `cargo run -q --release -p engine --example tokens -- FILE...`. Without files, prints how long it
//! takes to measure 200,000 characters of every class of text.

#[path = "../tests/suite/tokens_texts/mod.rs"]
mod texts;

use std::time::Instant;

use engine::tokens::measure;

fn main() -> std::io::Result<()> {
    let files: Vec<_> = std::env::args_os().skip(1).collect();
    if files.is_empty() {
        times();
    }
    for file in files {
        let measure = measure(&std::fs::read_to_string(&file)?);
        println!("{}: {} characters, {} words", file.display(), measure.characters, measure.words);
        for count in measure.by_tokenizer {
            println!("{:8} {:24} {}", count.tokens, count.tokenizer, count.models.join(", "));
        }
    }
    Ok(())
}

fn times() {
    let begin = Instant::now();
    measure("");
    println!("{:24} {:8.2} ms", "first call", begin.elapsed().as_secs_f64() * 1e3);
    for (name, text) in texts::classes(200_000) {
        let begin = Instant::now();
        let measure = measure(&text);
        let elapsed = begin.elapsed().as_secs_f64() * 1e3;
        println!(
            "{name:24} {elapsed:8.2} ms {:8} tokens {:8} words",
            measure.tokens, measure.words
        );
    }
}
