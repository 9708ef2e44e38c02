//! Headings, code, and the columns of tables.

use std::ops::Range;

use super::judgement::Judgement;
use crate::output::{Output, lowered};
use engine::CountParameters;

/// Headings, of a level if one is named.
pub fn headings(output: &Output<'_>, count: &CountParameters) -> Judgement {
    let level = count.of.as_deref().and_then(|level| level.strip_prefix(['h', 'H'])?.parse().ok());
    let all = output.markdown().headings().into_iter();
    let places: Vec<Range<usize>> = all
        .filter(|(_, own)| level.is_none_or(|level: usize| *own == level))
        .map(|(range, _)| range)
        .collect();
    Judgement::places(&places, count)
}

/// Other names of languages behind fences.
const OTHER_NAMES: [(&str, &[&str]); 9] = [
    ("python", &["py", "python3"]),
    ("javascript", &["js", "jsx", "node"]),
    ("typescript", &["ts", "tsx"]),
    ("bash", &["sh", "shell", "zsh"]),
    ("shell", &["sh", "bash", "zsh", "console"]),
    ("yaml", &["yml"]),
    ("rust", &["rs"]),
    ("ruby", &["rb"]),
    ("markdown", &["md"]),
];

/// Other names of a language in small letters.
fn other_names(language: &str) -> &'static [&'static str] {
    OTHER_NAMES.iter().find(|(name, _)| *name == language).map_or(&[], |(_, others)| others)
}

/// A block of code whose fence names the language.
pub fn code(output: &Output<'_>, language: &str) -> Judgement {
    let language = lowered(language);
    let others = other_names(&language);
    let fences = &output.markdown().fences;
    let named = |fence: &&crate::output::Fence| {
        let own = output.at(&fence.language).to_lowercase();
        own == language || others.contains(&own.as_str())
    };
    match fences.iter().find(named) {
        Some(fence) => Judgement::of(true, language).at(Some(fence.range.clone())),
        None => {
            let first = fences.first();
            let judgement = Judgement::of(false, language);
            match first {
                Some(fence) => {
                    let found = output.at(&fence.language).to_owned();
                    judgement.found(found).at(Some(fence.range.clone()))
                }
                None => judgement,
            }
        }
    }
}

/// A table whose head has these names, in this order or another.
pub fn columns(output: &Output<'_>, names: &[String]) -> Judgement {
    let tables = &output.markdown().tables;
    let wanted = names.join(" | ");
    let Some(first) = tables.first() else { return Judgement::of(false, wanted) };
    let plain =
        |text: &str| lowered(text).chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    let names: Vec<String> = names.iter().map(|name| plain(name)).collect();
    let has = |table: &&crate::output::Table| {
        if table.columns.len() != names.len() {
            return false;
        }
        budget::spend(names.len() * names.len());
        let own: Vec<String> = table.columns.iter().map(|cell| plain(output.at(cell))).collect();
        // "Price" may be headed "Price (EUR)".
        names.iter().all(|name| own.iter().any(|own| own.starts_with(name.as_str())))
    };
    let found = tables.iter().find(has);
    let head = found.unwrap_or(first);
    let cells: Vec<&str> = head.columns.iter().map(|cell| output.at(cell)).collect();
    Judgement::of(found.is_some(), wanted).found(cells.join(" | ")).at(Some(head.range.clone()))
}
