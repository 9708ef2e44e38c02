//! Words of natural languages, from the files of the package that is compiled.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::node;

/// An expression with its words, and the files that they come from.
pub struct Source {
    pub text: String,
    pub files: Vec<String>,
}

/// Replaces each `{file.concept}` by the alternatives of all languages.
///
/// # Errors
///
/// Names the concept that no language has.
pub fn expanded(pattern: &str) -> Result<Source, String> {
    let mut files = BTreeSet::new();
    let spaced = pattern.contains("(?ix)") || pattern.contains("(?x)");
    let text = expand(pattern, &folder()?, &mut files, spaced, 0)?;
    Ok(Source { text, files: files.into_iter().collect() })
}

/// Replaces concepts, and those that their words name. Where the expression does not count spaces (`spaced`), those of
/// words still count.
fn expand(
    pattern: &str,
    folder: &Path,
    files: &mut BTreeSet<String>,
    spaced: bool,
    depth: usize,
) -> Result<String, String> {
    if depth > 8 {
        return Err(format!("concepts name each other in a circle: {pattern}"));
    }
    let mut text = String::new();
    let mut rest = pattern;
    while let Some(open) = rest.find('{') {
        let (before, behind) = rest.split_at(open);
        text.push_str(before);
        match name(&behind[1..]) {
            Some(name) => {
                let mut found = alternatives(name, folder, files)?;
                if spaced {
                    found = found.replace(' ', r"\x20");
                }
                let found = expand(&found, folder, files, spaced, depth + 1)?;
                text.push_str(&format!("(?:{found})"));
                rest = &behind[name.len() + 2..];
            }
            None => {
                text.push('{');
                rest = &behind[1..];
            }
        }
    }
    text.push_str(rest);
    Ok(text)
}

/// The name of a concept that a brace opens: `file.concept`.
fn name(behind: &str) -> Option<&str> {
    let (name, _) = behind.split_once('}')?;
    let (file, concept) = name.split_once('.')?;
    let is_word = |word: &str| {
        !word.is_empty()
            && word.bytes().all(|c| c.is_ascii_lowercase() || c == b'_')
            && !word.starts_with('_')
    };
    (is_word(file) && is_word(concept)).then_some(name)
}

/// What all languages say for a concept, each marked, joined by `|`.
fn alternatives(name: &str, folder: &Path, read: &mut BTreeSet<String>) -> Result<String, String> {
    let (file, concept) = name.split_once('.').expect("checked");
    let mut found = Vec::new();
    for path in words(folder, file)? {
        let text = text(&path)?;
        for (_, lines) in sections(&text).into_iter().filter(|(known, _)| *known == concept) {
            found.push(marked(&path, &lines)?);
        }
        read.insert(path.display().to_string());
    }
    if found.is_empty() { Err(format!("no language says {name}")) } else { Ok(found.join("|")) }
}

/// All concepts of a file, each with what all languages say for it.
///
/// # Errors
///
/// No language has the file.
pub fn concepts(file: &str) -> Result<Vec<(String, String)>, String> {
    let mut found: Vec<(String, String)> = Vec::new();
    for path in words(&folder()?, file)? {
        for (concept, lines) in sections(&text(&path)?) {
            if lines.is_empty() {
                return Err(format!("{concept} has no words in {}", path.display()));
            }
            let said = marked(&path, &lines)?;
            match found.iter_mut().find(|(known, _)| known == concept) {
                Some((_, known)) => *known = format!("{known}|{said}"),
                None => found.push((concept.to_owned(), said)),
            }
        }
    }
    if found.is_empty() { Err(format!("no language has {file}.words")) } else { Ok(found) }
}

/// What each language says for a concept, with its tag: the lines joined by spaces.
///
/// # Errors
///
/// Names the concept that no language has.
pub fn by_language(name: &str) -> Result<Vec<(String, String)>, String> {
    let (file, concept) = name.split_once('.').ok_or("a concept is named file.concept")?;
    let mut found = Vec::new();
    for path in words(&folder()?, file)? {
        let language = language(&path);
        for (_, lines) in sections(&text(&path)?).into_iter().filter(|(known, _)| *known == concept)
        {
            found.push((language.to_owned(), lines.join(" ")));
        }
    }
    if found.is_empty() { Err(format!("no language says {name}")) } else { Ok(found) }
}

/// The alternatives of a file behind the mark of its language; those of `any` are always asked and have none.
fn marked(path: &Path, lines: &[&str]) -> Result<String, String> {
    let lines = lines.join("|");
    match language(path) {
        "any" => Ok(lines),
        tag => node::mark(tag)
            .map(|mark| format!("{mark}(?:{lines})"))
            .ok_or_else(|| format!("{tag} is no language of two letters")),
    }
}

/// The language that a file is in: the name of its folder.
fn language(path: &Path) -> &str {
    path.parent().and_then(Path::file_name).and_then(|name| name.to_str()).unwrap_or_default()
}

/// The paths of a file in all languages.
///
/// # Errors
///
/// The folder cannot be read.
pub fn files(file: &str) -> Result<Vec<String>, String> {
    Ok(words(&folder()?, file)?.iter().map(|path| path.display().to_string()).collect())
}

/// Where the words stand: in the workspace of the package that is compiled, two folders above it.
fn folder() -> Result<PathBuf, String> {
    let package = std::env::var("CARGO_MANIFEST_DIR").map_err(|error| error.to_string())?;
    Ok(Path::new(&package).join("../../knowledge"))
}

/// A file in all languages that have it, English first: most prompts are, and the first alternative wins.
fn words(folder: &Path, file: &str) -> Result<Vec<PathBuf>, String> {
    let entries =
        std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut languages: Vec<PathBuf> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    languages.sort_by_key(|path| (!path.ends_with("en"), path.clone()));
    let paths = languages.into_iter().map(|language| language.join(file).with_extension("words"));
    Ok(paths.filter(|path| path.is_file()).collect())
}

fn text(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// The sections of a file: a heading `[concept]`, and an alternative a line. `#` begins a comment.
fn sections(text: &str) -> Vec<(&str, Vec<&str>)> {
    let mut sections: Vec<(&str, Vec<&str>)> = Vec::new();
    let lines =
        text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("# "));
    for line in lines {
        let heading = line.strip_prefix('[').and_then(|line| line.strip_suffix(']'));
        match (heading.filter(|name| !name.contains(['[', ']', '-'])), sections.last_mut()) {
            (Some(concept), _) => sections.push((concept, Vec::new())),
            (None, Some((_, lines))) => lines.push(line),
            (None, None) => {}
        }
    }
    sections
}
