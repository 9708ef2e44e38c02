//! Author names that only the service itself may have.
//!
//! The names are data: a file a language in `reserved_names`, a name a line, in lower case without accents. It is
//! reserved wherever its words stand in an author's name, behind `=` only if it is the whole name.

use std::sync::LazyLock;

use crate::field::{Field, Hit};
use crate::normalization::figure;

const FILES: [&str; 6] = [
    include_str!("../reserved_names/any.txt"),
    include_str!("../reserved_names/de.txt"),
    include_str!("../reserved_names/en.txt"),
    include_str!("../reserved_names/es.txt"),
    include_str!("../reserved_names/fr.txt"),
    include_str!("../reserved_names/it.txt"),
];

const MESSAGE: &str = "This author name is kept for the service and its vendors. Ask the operator for another \
                       one, then create the item again.";

/// The names, each between spaces, and whether it must be the whole name.
static NAMES: LazyLock<Vec<(String, bool)>> = LazyLock::new(|| {
    let lines = FILES.iter().flat_map(|file| file.lines());
    let names = lines.map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    names
        .map(|line| match line.strip_prefix('=') {
            Some(name) => (format!(" {name} "), true),
            None => (format!(" {line} "), false),
        })
        .collect()
});

/// Finds a name that is reserved, also in disguise.
pub(crate) fn find(field: &Field<'_>) -> Option<Hit> {
    let is_reserved = |name: &str| {
        let words = words(name);
        NAMES.iter().any(|(reserved, whole)| match whole {
            true => words == *reserved,
            false => words.contains(reserved),
        })
    };
    // In a name every figure may stand for a letter, also the first one.
    let lettered = |text: &str| -> String {
        let letter = |c: char| u8::try_from(c).ok().and_then(figure).map_or(c, char::from);
        text.chars().map(letter).collect()
    };
    let found = field
        .readings
        .iter()
        .any(|reading| is_reserved(&reading.text) || is_reserved(&lettered(&reading.text)));
    (found && !field.text.is_empty())
        .then(|| field.hit("reserved_name", 0..field.text.len(), MESSAGE))
}

/// The words of a name, each between spaces.
fn words(name: &str) -> String {
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    std::iter::once(" ".to_owned()).chain(words.map(|word| format!("{word} "))).collect()
}
