//! Writes the checks of a prompt for another runner.
//!
//! `cargo run -p checks --example export -- promptfoo|pytest FILE [NAME=VALUE …]`

use std::{collections::BTreeMap, error::Error, fs};

use checks::{export, of};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let runner = arguments.next().ok_or("which runner?")?;
    let prompt = fs::read_to_string(arguments.next().ok_or("which file?")?)?;
    let pair = |text: String| {
        text.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()))
    };
    let variables: BTreeMap<String, String> = arguments.filter_map(pair).collect();
    let checks = of(&prompt, "en").checks;
    let text = match runner.as_str() {
        "promptfoo" => export::promptfoo(&prompt, &variables, &checks),
        "pytest" => export::pytest(&prompt, &variables, &checks),
        other => return Err(format!("no runner {other}").into()),
    };
    print!("{text}");
    Ok(())
}
