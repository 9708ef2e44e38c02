//! Prints what the rules find, and wrongly find, in public collections of labelled texts.
//!
//! `cargo run -q --release -p moderation --example corpora -- [--classifier] FOLDER`
//!
//! FOLDER has clones of the repositories that [`collections`] names; those that are missing are left out. No text of
//! them is part of this repository. `--classifier` instead prints what a linear classifier over n-grams finds in
//! each collection after it has learned from all others.

mod classifier;
mod collections;
mod gitleaks;

use std::{collections::BTreeMap, path::Path};

use collections::Text;
use moderation::{Verdict, check};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (options, folders): (Vec<_>, Vec<_>) =
        std::env::args().skip(1).partition(|argument| argument == "--classifier");
    let folder = folders.first().ok_or("name the folder of the collections")?;
    let texts = collections::read(Path::new(folder))?;
    if options.is_empty() {
        rules(&texts)
    } else {
        classifier::try_out(&texts)
    }
    Ok(())
}

fn rules(texts: &[Text]) {
    let mut rows: BTreeMap<(&str, bool, &str), (u32, u32)> = BTreeMap::new();
    for text in texts {
        let blocked = check("", &[("promptText", &text.text)]) != Verdict::Approved;
        let categories = std::iter::once("(all)").chain(text.categories.iter().map(String::as_str));
        for category in categories {
            let (found, all) = rows.entry((text.collection, text.harmful, category)).or_default();
            *found += u32::from(blocked);
            *all += 1;
        }
    }
    println!("collection\tlabel\tcategory\tblocked\tof\tpercent");
    for ((collection, harmful, category), (blocked, all)) in rows {
        let label = if harmful { "harmful" } else { "harmless" };
        let percent = 100.0 * f64::from(blocked) / f64::from(all);
        println!("{collection}\t{label}\t{category}\t{blocked}\t{all}\t{percent:.1}");
    }
}
