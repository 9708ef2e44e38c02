//! Words of natural languages, by concept.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::Pattern;
use crate::scope::Scope;

/// What each language says for a concept, by its tag: an alternative a line.
pub type Said = &'static [(&'static str, &'static str)];

/// The concepts of all languages as `build.rs` lays them out.
const CONCEPTS: &[(&str, Said)] = include!(concat!(env!("OUT_DIR"), "/words.rs"));

static BY_NAME: LazyLock<HashMap<&str, Said>> =
    LazyLock::new(|| CONCEPTS.iter().copied().collect());

/// What stands for words that the languages which are asked do not have: it matches nothing.
const NOTHING: &str = "[a&&b]";
/// Concepts whose words name each other.
const DEEPEST: usize = 8;

/// What each language says for a concept, see [`words!`](crate::words!).
///
/// # Panics
///
/// No language has the concept.
#[doc(hidden)]
pub const fn said(name: &str) -> Said {
    let mut at = 0;
    while at < CONCEPTS.len() {
        if CONCEPTS[at].0.eq_ignore_ascii_case(name) {
            return CONCEPTS[at].1;
        }
        at += 1;
    }
    panic!("no language says this");
}

/// The concepts of a group with their patterns, see [`table!`](crate::table!).
///
/// # Panics
///
/// No language has the group.
#[doc(hidden)]
pub fn rows(group: &str, frame: &'static str) -> Vec<(&'static str, Pattern)> {
    let of_group = CONCEPTS.iter().filter_map(|(name, _)| {
        let concept = name.strip_prefix(group)?.strip_prefix('.')?;
        Some((concept, Pattern::new(frame, name, Box::leak(Box::default()))))
    });
    let rows: Vec<_> = of_group.collect();
    assert!(!rows.is_empty(), "no language says anything of {group}");
    rows
}

/// The text of an expression with the words of all languages, see [`expression!`](crate::expression!).
///
/// # Panics
///
/// It names a concept that no language has.
#[doc(hidden)]
pub fn of_all(expression: &str) -> String {
    expanded(expression, Scope::ALL).unwrap_or_else(|problem| panic!("{problem}"))
}

/// Replaces each `{group.concept}` by the alternatives of the languages that are asked.
///
/// # Errors
///
/// Names the concept that no language has.
pub fn expanded(expression: &str, scope: Scope) -> Result<String, String> {
    let spaced = expression.contains("(?ix)") || expression.contains("(?x)");
    expand(expression, scope, spaced, 0)
}

/// As [`expanded`], for concepts that words name, too. Where the expression does not count spaces (`spaced`), those of
/// words still count.
fn expand(text: &str, scope: Scope, spaced: bool, depth: usize) -> Result<String, String> {
    if depth > DEEPEST {
        return Err(format!("concepts name each other in a circle: {text}"));
    }
    let mut expanded = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        let (before, behind) = rest.split_at(open + 1);
        let name = behind.split_once('}').map(|(name, _)| name);
        let is_name =
            |name: &&str| name.starts_with(|c: char| c.is_ascii_lowercase()) && name.contains('.');
        let Some(name) = name.filter(is_name) else {
            expanded.push_str(before);
            rest = behind;
            continue;
        };
        let said = BY_NAME.get(name).ok_or_else(|| format!("no language says {name}"))?;
        let asked = said.iter().filter(|(tag, _)| scope.asks(tag));
        let mut words =
            asked.map(|(_, lines)| lines.replace('\n', "|")).collect::<Vec<_>>().join("|");
        if spaced {
            words = words.replace(' ', r"\x20");
        }
        let words = expand(&words, scope, spaced, depth + 1)?;
        let words = if words.is_empty() { NOTHING } else { &words };
        expanded.push_str(&format!("{}(?:{words})", &before[..open]));
        rest = &behind[name.len() + 1..];
    }
    Ok(expanded + rest)
}
