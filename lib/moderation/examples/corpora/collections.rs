//! The collections, each as its authors have laid it out.

use std::{fs::File, io, path::Path};

use flate2::read::GzDecoder;
use serde_json::Value;

use crate::gitleaks;

/// A labelled text.
pub struct Text {
    /// Where it is from.
    pub collection: &'static str,
    pub text: String,
    /// Whether it must not be published, by its label.
    pub harmful: bool,
    /// Its labels, in the collection's own terms.
    pub categories: Vec<String>,
}

type Read = fn(&Path) -> io::Result<Vec<Text>>;

/// The repositories on GitHub, the file in each, and how it is read. The licence is that of the texts.
const COLLECTIONS: [(&str, Read); 8] = [
    // MIT
    ("moderation-api-release/data/samples-1680.jsonl.gz", moderation_api_release),
    // mlcommons/ailuminate, CC BY 4.0; all of its texts are harmful.
    ("ailuminate/airr_official_1.0_demo_en_us_prompt_set_release.csv", |file| {
        table(file, "ailuminate, English", "prompt_text", "hazard", |_| true)
    }),
    ("ailuminate/airr_official_1.0_demo_fr_fr_prompt_set_release.csv", |file| {
        table(file, "ailuminate, French", "prompt_text", "hazard", |_| true)
    }),
    // paul-rottger/exaggerated-safety (XSTest), CC BY 4.0
    ("exaggerated-safety/xstest_prompts.csv", |file| {
        table(file, "exaggerated-safety", "prompt", "type", |row| row("label") == "unsafe")
    }),
    // paul-rottger/hatecheck-data, CC BY 4.0
    ("hatecheck-data/test_suite_cases.csv", |file| {
        table(file, "hatecheck-data", "test_case", "target_ident", |row| {
            row("label_gold") == "hateful"
        })
    }),
    // t-davidson/hate-speech-and-offensive-language, MIT; label 1 is offensive, but not hate.
    ("hate-speech-and-offensive-language/data/labeled_data.csv", |file| {
        let texts = table(file, "hate-speech-and-offensive-language", "tweet", "class", |row| {
            row("class") == "0"
        })?;
        Ok(texts.into_iter().filter(|text| text.categories != ["1"]).collect())
    }),
    // What `infra/proof/prompt_collections.py` writes; MIT and Apache 2.0. Prompts that people share.
    ("prompts.jsonl", prompts),
    // gitleaks/gitleaks, MIT: the tests of its rules.
    ("gitleaks/cmd/generate/config/rules", gitleaks::read),
];

/// The texts of all collections that are in a folder.
///
/// # Errors
///
/// A file cannot be read, or is not what it should be.
pub fn read(folder: &Path) -> io::Result<Vec<Text>> {
    let mut texts = Vec::new();
    for (path, read) in COLLECTIONS {
        let path = folder.join(path);
        if path.exists() {
            texts.extend(read(&path)?);
        } else {
            eprintln!("left out: {}", path.display());
        }
    }
    Ok(texts)
}

fn moderation_api_release(file: &Path) -> io::Result<Vec<Text>> {
    let lines = io::read_to_string(GzDecoder::new(File::open(file)?))?;
    let text = |line: &str| {
        let sample: Value = serde_json::from_str(line)?;
        let labels = sample.as_object().into_iter().flatten();
        let categories: Vec<String> =
            labels.filter(|(_, label)| **label == 1).map(|(name, _)| name.clone()).collect();
        Ok(Text {
            collection: "moderation-api-release",
            text: sample["prompt"].as_str().unwrap_or_default().to_owned(),
            harmful: !categories.is_empty(),
            categories,
        })
    };
    lines.lines().map(text).collect()
}

fn prompts(file: &Path) -> io::Result<Vec<Text>> {
    let text = |line: &str| {
        let prompt: Value = serde_json::from_str(line)?;
        let text = prompt["text"].as_str().unwrap_or_default().to_owned();
        Ok(Text { collection: "shared prompts", text, harmful: false, categories: Vec::new() })
    };
    std::fs::read_to_string(file)?.lines().map(text).collect()
}

/// The rows of a table with a heading.
fn table(
    file: &Path,
    collection: &'static str,
    text: &str,
    category: &str,
    harmful: impl Fn(&dyn Fn(&str) -> String) -> bool,
) -> io::Result<Vec<Text>> {
    let mut table = csv::Reader::from_path(file)?;
    let names = table.headers()?.clone();
    let row = |record: Result<csv::StringRecord, csv::Error>| {
        let record = record?;
        let column = |name: &str| {
            let at = names.iter().position(|other| other.trim_start_matches('\u{feff}') == name);
            at.and_then(|at| record.get(at)).unwrap_or_default().to_owned()
        };
        let categories = vec![column(category)];
        Ok(Text { collection, text: column(text), harmful: harmful(&column), categories })
    };
    table.records().map(row).collect()
}
