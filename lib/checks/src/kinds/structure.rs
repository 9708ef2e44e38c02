//! Headings, code, the columns of tables, and numbers within a range.

use std::ops::Range;

use engine::CountParameters;
use patterns::pattern;

use super::judgement::{Judgement, wanted};
use crate::Reason;
use crate::output::{Output, lowered};

/// Headings, of a level if one is named.
pub fn headings(output: &Output<'_>, count: &CountParameters) -> Judgement {
    let level = count.of.as_deref().and_then(|level| level.strip_prefix(['h', 'H'])?.parse().ok());
    let all = output.markdown().headings().into_iter();
    let places: Vec<Range<usize>> = all
        .filter(|(_, own)| level.is_none_or(|level: usize| *own == level))
        .map(|(range, _)| range)
        .collect();
    let tagged = pattern!(r"(?i)<h[1-6][^>\n]{0,200}>");
    let tagged: Vec<_> = tagged
        .find_iter(output.text)
        .filter(|tag| level.is_none_or(|level| tag.as_str()[2..].starts_with(&level.to_string())))
        .map(|tag| tag.range())
        .collect();
    Judgement::places(if places.is_empty() { &tagged } else { &places }, count)
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
pub fn other_names(language: &str) -> &'static [&'static str] {
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
        let own: Vec<String> = table.columns.iter().map(|cell| plain(output.at(cell))).collect();
        // "Price" may be headed "Price (EUR)".
        own.len() == names.len()
            && names.iter().all(|name| own.iter().any(|own| own.starts_with(name.as_str())))
    };
    let found = tables.iter().find(has);
    let head = found.unwrap_or(first);
    let cells: Vec<&str> = head.columns.iter().map(|cell| output.at(cell)).collect();
    Judgement::of(found.is_some(), wanted).found(cells.join(" | ")).at(Some(head.range.clone()))
}

/// A number within bounds: the one that follows its name or stands before "of" the upper bound, else the only one.
pub fn number(output: &Output<'_>, count: &CountParameters) -> Judgement {
    let (least, most) = count.bounds();
    let rule = pattern!(r"[-−]?\d+(?:[.,]\d+)?");
    let upper = most.to_string();
    let name = lowered(count.of.as_deref().unwrap_or_default());
    let mut all: Vec<(f64, Range<usize>)> = Vec::new();
    let mut named = Vec::new();
    for found in rule.find_iter(output.text) {
        let text = found.as_str().replace('−', "-").replace(',', ".");
        let Ok(value) = text.parse::<f64>() else { continue };
        let before = text::tail(&output.lower()[..found.start()], 40);
        let after = text::head(&output.lower()[found.end()..], 12);
        let bound = pattern!(r"^\s*(?:/|{check_units.out_of}\s)\s*").find(after);
        let bounded = bound.is_some_and(|bound| after[bound.end()..].starts_with(&upper));
        // The bound itself, as in "8/10".
        let is_bound = pattern!(r"\d\s*(?:/|{check_units.out_of})\s*$").is_match(before);
        if is_bound {
            continue;
        }
        let line = before.rsplit('\n').next().unwrap_or(before);
        let near = !name.is_empty()
            && line.rfind(&name).is_some_and(|at| !line[at..].contains(|c: char| c.is_numeric()));
        if bounded || near {
            named.push((value, found.range()));
        }
        all.push((value, found.range()));
    }
    let candidates = if named.is_empty() { &all } else { &named };
    let inside = |(value, _): &&(f64, Range<usize>)| (least as f64..=most as f64).contains(value);
    let wanted = wanted(count);
    let within = candidates.iter().filter(inside).count();
    match candidates.as_slice() {
        [] => Judgement::of(false, wanted),
        [first, ..] if within == candidates.len() => {
            Judgement::of(true, wanted).found(first.0.to_string()).at(Some(first.1.clone()))
        }
        _ if within > 0 && named.is_empty() => Judgement::undecided(Reason::Unmarked),
        [first, ..] => {
            let outside = candidates.iter().find(|one| !inside(one)).unwrap_or(first);
            Judgement::of(false, wanted).found(outside.0.to_string()).at(Some(outside.1.clone()))
        }
    }
}
