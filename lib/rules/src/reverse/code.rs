//! Which programming language a piece of code is in.

use super::document::Code;
use crate::knowledge::{Cues, cue};
use patterns::table;

/// Characters of a piece of code that are looked at.
const LOOKED_AT: usize = 6000;

/// Marks of languages that say more than those of others.
const TELLING: [&str; 2] = ["SQL", "TypeScript"];

/// Names of languages, and what fences call them: first the name of its marks.
const LANGUAGES: [(&str, &str); 20] = [
    ("PHP", "php"),
    ("C#", "csharp cs"),
    ("Java", "java"),
    ("Kotlin", "kotlin"),
    ("Swift", "swift"),
    ("Rust", "rust rs"),
    ("Go", "go golang"),
    ("C++", "cpp c++"),
    ("C", "c"),
    ("TypeScript", "typescript ts tsx"),
    ("JavaScript", "javascript js jsx"),
    ("Python", "python py"),
    ("Ruby", "ruby rb"),
    ("SQL", "sql"),
    ("HTML", "html"),
    ("CSS", "css"),
    ("Bash", "bash sh shell"),
    ("YAML", "yaml yml"),
    ("JSON", "json"),
    ("TOML", "toml"),
];
const MARKS: Cues = table!("reverse_code", "(?m){}");

/// The language of the first piece of code, if it can be told.
pub fn language(code: &[Code]) -> Option<&'static str> {
    let first = code.first()?;
    let label = first.label.split([' ', '{', ',']).next().unwrap_or_default();
    let mut names = LANGUAGES.iter();
    if let Some((name, _)) = names.find(|(_, labels)| labels.split(' ').any(|known| known == label))
    {
        return Some(name);
    }
    let text: String = first.text.chars().take(LOOKED_AT).collect();
    let count = |(name, labels): &(&'static str, &str)| {
        let marks = cue(MARKS, labels.split(' ').next()?)?;
        let weight = if TELLING.contains(name) { 2 } else { 1 };
        Some((weight * marks.find_iter(&text).count(), *name))
    };
    // The first of those that have equally many.
    let told = LANGUAGES.iter().rev().filter_map(count).filter(|(count, _)| *count >= 2);
    told.max_by_key(|(count, _)| *count).map(|(_, name)| name)
}
