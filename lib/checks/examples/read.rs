//! Prints the checks and the coverage of a prompt, and the verdicts on an answer.
//!
//! `cargo run -p checks --example read -- LANGUAGE PROMPT_FILE [ANSWER_FILE]`

use std::{error::Error, fs};

use checks::{of, run};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let language = arguments.next().ok_or("which language?")?;
    let prompt = fs::read_to_string(arguments.next().ok_or("which file?")?)?;
    let reading = of(&prompt, &language);
    println!("{}", serde_json::to_string_pretty(&reading)?);
    if let Some(answer) = arguments.next() {
        let verdicts = run(&reading.checks, Some(&prompt), [&*fs::read_to_string(answer)?], None);
        println!("{}", serde_json::to_string_pretty(&verdicts)?);
    }
    Ok(())
}
