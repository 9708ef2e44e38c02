//! Words of natural languages, from the files of the package that is compiled.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::node;

/// Replaces each `{group.concept}` by the alternatives of all languages.
///
/// # Errors
///
/// Names the concept that no language has.
pub fn expanded(pattern: &str) -> Result<String, String> {
    expand(pattern, pattern.contains("(?ix)") || pattern.contains("(?x)"), 0)
}

/// Replaces concepts, and those that their words name. Where the expression does not count spaces (`spaced`), those of
/// words still count.
fn expand(pattern: &str, spaced: bool, depth: usize) -> Result<String, String> {
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
                let mut found = alternatives(name)?;
                if spaced {
                    found = found.replace(' ', r"\x20");
                }
                let found = expand(&found, spaced, depth + 1)?;
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

/// The name of a concept that a brace opens: `group.concept`.
fn name(behind: &str) -> Option<&str> {
    behind.split_once('}').map(|(name, _)| name).filter(|name| is_name(name))
}

/// Whether a text is `group.concept`.
fn is_name(text: &str) -> bool {
    let is_word = |word: &str| {
        let fits = |c: u8| c.is_ascii_alphanumeric() || c == b'_';
        !word.is_empty() && word.bytes().all(fits)
    };
    let begins = text.starts_with(|c: char| c.is_ascii_lowercase());
    begins
        && text.split_once('.').is_some_and(|(group, concept)| is_word(group) && is_word(concept))
}

/// What all languages say for a concept, each marked, joined by `|`.
fn alternatives(name: &str) -> Result<String, String> {
    let said = said(name)?;
    let marked = said.into_iter().map(|section| marked(&section.language, &section.lines));
    Ok(marked.collect::<Result<Vec<_>, _>>()?.join("|"))
}

/// All concepts of a group, each with what all languages say for it.
///
/// # Errors
///
/// No language has the group, or a concept has no words.
pub fn concepts(group: &str) -> Result<Vec<(String, String)>, String> {
    let mut found: Vec<(String, String)> = Vec::new();
    for section in sections()? {
        let Some((_, concept)) = section.name.split_once('.').filter(|(known, _)| *known == group)
        else {
            continue;
        };
        if section.lines.is_empty() {
            return Err(format!("{} has no words in {}", section.name, section.language));
        }
        let said = marked(&section.language, &section.lines)?;
        match found.iter_mut().find(|(known, _)| known == concept) {
            Some((_, known)) => *known = format!("{known}|{said}"),
            None => found.push((concept.to_owned(), said)),
        }
    }
    if found.is_empty() { Err(format!("no language has concepts of {group}")) } else { Ok(found) }
}

/// What each language says for a concept, with its tag: the lines joined by spaces.
///
/// # Errors
///
/// Names the concept that no language has.
pub fn by_language(name: &str) -> Result<Vec<(String, String)>, String> {
    let said = said(name)?.into_iter();
    Ok(said.map(|section| (section.language.clone(), section.lines.join(" "))).collect())
}

/// What each language says for a concept.
fn said(name: &str) -> Result<Vec<&'static Section>, String> {
    let found: Vec<&Section> = sections()?.iter().filter(|section| section.name == name).collect();
    if found.is_empty() { Err(format!("no language says {name}")) } else { Ok(found) }
}

/// The alternatives of a language behind its mark; those of `any` are always asked and have none.
fn marked(language: &str, lines: &[String]) -> Result<String, String> {
    let lines = lines.join("|");
    match language {
        "any" => Ok(lines),
        tag => node::mark(tag)
            .map(|mark| format!("{mark}(?:{lines})"))
            .ok_or_else(|| format!("{tag} is no language of two letters")),
    }
}

/// What a language says for a concept.
struct Section {
    /// The tag of the language, or `any`.
    language: String,
    /// `group.concept`.
    name: String,
    /// An alternative each.
    lines: Vec<String>,
}

/// All files of words, read once for each package that is compiled. English comes first: most prompts are, and the
/// first alternative wins.
fn sections() -> Result<&'static [Section], String> {
    static SECTIONS: OnceLock<Result<Vec<Section>, String>> = OnceLock::new();
    match SECTIONS.get_or_init(|| read().map_err(|error| format!("knowledge: {error}"))) {
        Ok(sections) => Ok(sections),
        Err(problem) => Err(problem.clone()),
    }
}

/// Reads the words, which stand in the workspace of the package that is compiled, two folders above the package.
fn read() -> Result<Vec<Section>, Box<dyn Error>> {
    let folder = Path::new(&std::env::var("CARGO_MANIFEST_DIR")?).join("../../knowledge");
    let mut languages = within(&folder)?;
    languages.sort_by_key(|path| (!path.ends_with("en"), path.clone()));
    let mut sections = Vec::new();
    for language in languages.iter().filter(|path| path.is_dir()) {
        let tag = language.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let mut files = within(language)?;
        files.retain(|path| path.extension().is_some_and(|extension| extension == "words"));
        files.sort();
        for file in files {
            parse(tag, &std::fs::read_to_string(file)?, &mut sections);
        }
    }
    Ok(sections)
}

fn within(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
}

/// Reads a file: a heading `[group.concept]`, and an alternative a line. `#` begins a comment.
fn parse(language: &str, text: &str, sections: &mut Vec<Section>) {
    let lines =
        text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("# "));
    for line in lines {
        let heading = line.strip_prefix('[').and_then(|line| line.strip_suffix(']'));
        match (heading.filter(|name| is_name(name)), sections.last_mut()) {
            (Some(name), _) => sections.push(Section {
                language: language.to_owned(),
                name: name.to_owned(),
                lines: Vec::new(),
            }),
            (None, Some(section)) => section.lines.push(line.to_owned()),
            (None, None) => {}
        }
    }
}
