//! Writes the checks of a prompt for another runner.
//!
//! `cargo run -p checks --example export -- promptfoo|pytest FILE [NAME=VALUE …]`

use std::{error::Error, fs};

use checks::{export::Format, of};
use domain::preset::{Values, render};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let format = match arguments.next().ok_or("which runner?")?.as_str() {
        "promptfoo" => Format::Promptfoo,
        "pytest" => Format::Pytest,
        other => return Err(format!("no runner {other}").into()),
    };
    let prompt = fs::read_to_string(arguments.next().ok_or("which file?")?)?;
    let pair = |text: String| {
        text.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()))
    };
    let values: Values = arguments.filter_map(pair).collect();
    let filled = render(&prompt, &values)?.text;
    print!("{}", format.write(&prompt, &values, &filled, &of(&filled, "en").checks));
    Ok(())
}
