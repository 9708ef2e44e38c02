//! Prints the error rates of the rules on a labelled set, by part and category.
//!
//! `cargo run -q -p moderation --example rates [-- [--mistakes] [FILE]]`; the file has one JSON
//! object a line with `part`, `label` (`blocked` or `harmless`), `category`, `title` and `text`.
//! `--mistakes` lists the mistakes in the part `tune`.

use std::collections::BTreeMap;

use moderation::{Verdict, check};
use serde::Deserialize;

#[derive(Deserialize)]
struct Item {
    part: String,
    label: String,
    category: String,
    title: String,
    text: String,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suite/labelled.jsonl");
    let (options, files): (Vec<_>, Vec<_>) =
        std::env::args().skip(1).partition(|argument| argument == "--mistakes");
    let file = files.first().map_or(default, String::as_str);
    let mut rows: BTreeMap<(String, String, String), (u32, u32)> = BTreeMap::new();
    for line in std::fs::read_to_string(file)?.lines() {
        let item: Item = serde_json::from_str(line)?;
        let verdict = check(&item.title, &[("promptText", &item.text)]);
        let wrong = (verdict == Verdict::Approved) == (item.label == "blocked");
        for category in ["(all)", item.category.as_str()] {
            let key = (item.part.clone(), item.label.clone(), category.to_owned());
            let (mistakes, all) = rows.entry(key).or_default();
            *all += 1;
            *mistakes += u32::from(wrong);
        }
        if wrong && item.part == "tune" && !options.is_empty() {
            println!("{} | {} | {} | {verdict:?}", item.category, item.title, item.text);
        }
    }
    println!("part\tlabel\tcategory\twrong\tof\tpercent");
    for ((part, label, category), (mistakes, all)) in rows {
        let percent = 100.0 * f64::from(mistakes) / f64::from(all);
        println!("{part}\t{label}\t{category}\t{mistakes}\t{all}\t{percent:.1}");
    }
    Ok(())
}
