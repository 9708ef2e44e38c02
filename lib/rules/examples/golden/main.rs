//! What the rules engine answers to thousands of inputs, and what a change of the engine changes of that.
//!
//! ```sh
//! cargo run -q --release -p rules --example golden -- dump before.jsonl [inputs.jsonl…]
//! cargo run -q --release -p rules --example golden -- compare before.jsonl after.jsonl [samples]
//! cargo run -q --release -p rules --example golden -- digests before.jsonl
//! ```
//!
//! `dump` writes a line for each input and operation. Inputs are the texts of this crate's tests, but not of the sets
//! that nothing may be tuned on, those of the official library, and those of the given files, whose lines are
//! `{"source", "text"}`. `infra/proof/prompt_collections.py` writes such a file from public collections. `compare` counts by operation what differs between two dumps, and prints samples.
//! `digests` prints a digest of each source and operation, which `digests.tsv` has for the inputs of the repository.

mod compare;
mod dump;
mod inputs;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        ["dump", out, ref files @ ..] => dump::dump(out, files),
        ["compare", before, after] => compare::compare(before, after, 3),
        ["compare", before, after, samples] => match samples.parse() {
            Ok(samples) => compare::compare(before, after, samples),
            Err(_) => Err(format!("{samples} is no number of samples")),
        },
        ["digests", dump] => compare::digests(dump),
        _ => {
            Err("usage: dump OUT [INPUTS…] | compare BEFORE AFTER [SAMPLES] | digests DUMP".into())
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
