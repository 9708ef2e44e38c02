//! Lays out the words of all languages as one table, which the crate reads where it lies.
//!
//! A row is what each language says for a concept: its name, and the tag of each language with an alternative a line.
//! English comes first: most prompts are, and the first alternative wins.

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// What languages say for a concept: its name, and tags with alternatives.
type Concept = (String, Vec<(String, String)>);

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=../../knowledge");
    let mut languages = within(Path::new("../../knowledge"))?;
    languages.retain(|path| path.is_dir());
    languages.sort_by_key(|path| (!path.ends_with("en"), path.clone()));
    let mut concepts = Vec::new();
    for language in languages {
        let tag = language.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let mut files = within(&language)?;
        files.retain(|path| path.extension().is_some_and(|extension| extension == "words"));
        files.sort();
        for file in files {
            read(tag, &std::fs::read_to_string(file)?, &mut concepts)?;
        }
    }
    let mut table = String::from("&[");
    for (name, said) in concepts {
        writeln!(table, "({name:?}, &{said:?}),")?;
    }
    table.push(']');
    std::fs::write(Path::new(&std::env::var("OUT_DIR")?).join("words.rs"), table)?;
    Ok(())
}

fn within(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
}

/// Reads a file: a heading `[group.concept]`, and an alternative a line. `#` begins a comment.
fn read(language: &str, text: &str, concepts: &mut Vec<Concept>) -> Result<(), String> {
    let mut last = None;
    let lines =
        text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("# "));
    for line in lines {
        let heading = line.strip_prefix('[').and_then(|line| line.strip_suffix(']'));
        let is_name = |name: &&str| {
            name.contains('.')
                && name.chars().all(|c| c.is_ascii_alphanumeric() || "._".contains(c))
        };
        if let Some(name) = heading.filter(is_name) {
            let known = concepts.iter().position(|(known, _)| known == name);
            let at = known.unwrap_or_else(|| {
                concepts.push((name.to_owned(), Vec::new()));
                concepts.len() - 1
            });
            concepts[at].1.push((language.to_owned(), String::new()));
            last = Some(at);
        } else if let Some((_, said)) = last.and_then(|at| concepts[at].1.last_mut()) {
            if !said.is_empty() {
                said.push('\n');
            }
            said.push_str(line);
        }
    }
    let empty = concepts.iter().find(|(_, said)| said.iter().any(|(_, lines)| lines.is_empty()));
    empty.map_or(Ok(()), |(name, _)| Err(format!("{name} has no words in {language}")))
}
