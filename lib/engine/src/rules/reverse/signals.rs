//! Marks of a document's form, which recognition of its kind builds on.

use std::collections::{HashMap, HashSet};

use super::document::Document;
use super::measure::Measures;
use super::voice::Voice;
use crate::page::BlockRole;
use patterns::pattern;

/// Fewer words than this are a short text.
const SHORT: usize = 90;
/// More words than this are a long one.
const LONG: usize = 350;

/// The names of the marks that a document has; `lower` is a sample of it in lower case.
pub fn signals(
    document: &Document,
    measures: &Measures,
    voice: &Voice,
    lower: &str,
) -> HashSet<&'static str> {
    let lines: Vec<&str> =
        document.raw.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let blocks = &document.blocks;
    let asking = blocks
        .iter()
        .filter(|block| block.text.ends_with(['?', '？']) && block.role != BlockRole::Field)
        .count();
    let whole_code = blocks.is_empty() && !document.code.is_empty();
    let length = if measures.in_characters { measures.words / 2 } else { measures.words };
    let speakers = speakers(&lines);
    let json = is_json(&document.raw);
    let csv = !json && !document.page && is_csv(&lines);
    let xml = document.raw.trim_start().starts_with("<?xml");
    let data = json || csv || xml || whole_code;
    let list = [
        ("greeting", greets(&lines)),
        ("signoff", signs_off(&lines)),
        ("numbered", measures.numbered >= 3),
        ("bullets", measures.items >= 3),
        (
            "mostly_items",
            measures.items >= 4
                && measures.items * 10 >= blocks.len() * 6
                && measures.numbered * 2 < measures.items,
        ),
        ("headings", measures.headings >= 2),
        ("questions", measures.questions >= 3),
        ("faq", asking >= 3 && asking * 4 >= blocks.len() && blocks.len() > asking),
        (
            "qa",
            pattern!(r"(?m)^{reverse_signals.question}\b ?\d{0,2} ?[:.]").find_iter(lower).count()
                >= 2,
        ),
        ("verse", !document.page && !data && !speakers && is_verse(&lines, measures)),
        ("rhyme", !document.page && rhymes(&lines)),
        ("speakers", speakers),
        ("speech", measures.speech >= 2),
        ("code", whole_code && !json && !xml),
        ("fenced", !document.code.is_empty() && !whole_code),
        ("table", measures.rows >= 2 && measures.rows * 2 >= blocks.len()),
        ("json", json),
        ("csv", csv),
        ("xml", xml),
        (
            "log",
            lines
                .iter()
                .filter(|line| pattern!(r"^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d").is_match(line))
                .count()
                >= 3,
        ),
        ("hashtags", measures.hashtags >= 2),
        ("emojis", measures.emojis >= 2),
        ("exclaims", measures.exclamations >= 2),
        ("numbers", measures.numbers >= 5),
        ("price", measures.prices >= 1),
        ("prices", measures.prices >= 3),
        ("short", length < SHORT),
        ("long", length > LONG),
        ("paragraphs", measures.paragraphs >= 4),
        ("actions", document.count(BlockRole::Action) >= 2),
        ("fields", document.count(BlockRole::Field) >= 2),
        ("calls", calls(lower) >= 1),
        (
            "login",
            blocks.iter().any(|block| {
                block.role == BlockRole::Field
                    && pattern!(r"(?i){reverse_signals.password}").is_match(&block.text)
            }),
        ),
    ];
    let told = voice.marks.iter().filter(|mark| **mark != "narrative" || measures.headings < 2);
    list.into_iter().filter(|(_, is)| *is).map(|(name, _)| name).chain(told.copied()).collect()
}

/// How many phrases call on the reader to act.
pub fn calls(lower: &str) -> usize {
    pattern!(r"\b{reverse_signals.call}\b").find_iter(lower).count()
}

fn greets(lines: &[&str]) -> bool {
    lines.iter().take(4).any(|line| {
        let start: String = line.chars().take(60).collect::<String>().to_lowercase();
        pattern!(r"^{reverse_signals.greeting}\b[^.?]{0,45}[,!:，、]?").is_match(&start)
            && (start.contains([',', '!', '，', ':']) || line.chars().count() < 40)
    })
}

fn signs_off(lines: &[&str]) -> bool {
    lines.iter().rev().take(6).any(|line| {
        let line = line.to_lowercase();
        line.chars().count() < 60 && pattern!(r"^{reverse_signals.closing}\b").is_match(&line)
    })
}

/// Whether names before colons take turns.
fn speakers(lines: &[&str]) -> bool {
    let mut turns: HashMap<&str, usize> = HashMap::new();
    for line in lines {
        if let Some(found) = pattern!(
            r"^(?:\[[^\]]{1,20}\] ?)?(\p{Lu}[\p{L} .'-]{0,24}?)(?: \([^)]{1,30}\))?[:：] ?\S"
        )
        .captures(line)
        {
            let name = found.get(1).map_or("", |name| name.as_str());
            *turns.entry(name).or_default() += 1;
        }
    }
    let spoken: usize = turns.values().filter(|count| **count >= 2).sum();
    turns.values().any(|count| *count >= 2) && turns.len() >= 2 && spoken >= 3
}

/// Whether the lines are those of a poem: several, short, and mostly not whole sentences.
fn is_verse(lines: &[&str], measures: &Measures) -> bool {
    if lines.len() < 3 || measures.items > 0 || measures.rows > 0 || measures.headings > 1 {
        return false;
    }
    let mean = lines.iter().map(|line| line.chars().count()).sum::<usize>() / lines.len();
    let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let marked = lines
        .iter()
        .filter(|line| {
            line.contains([':', '=', ';', '@', '#', '<', '|', '\t'])
                || line.chars().filter(char::is_ascii_digit).count() >= 3
        })
        .count();
    let sentences = lines.iter().filter(|line| line.ends_with(['.', '!', '?'])).count();
    (6..=55).contains(&mean)
        && longest <= 80
        && marked * 5 <= lines.len()
        && sentences * 10 <= lines.len() * 6
        && !greets(lines)
}

/// Whether the ends of neighbouring lines sound alike.
fn rhymes(lines: &[&str]) -> bool {
    if !(4..=200).contains(&lines.len()) {
        return false;
    }
    let ends: Vec<String> = lines
        .iter()
        .map(|line| {
            let letters: Vec<char> =
                line.to_lowercase().chars().filter(|c| c.is_alphabetic()).collect();
            letters[letters.len().saturating_sub(3)..].iter().collect()
        })
        .collect();
    let alike = |one: &str, other: &str| {
        let tail = |text: &str| text.chars().skip(1).collect::<String>();
        !one.is_empty() && (one == other || tail(one) == tail(other))
    };
    let rhymed = (0..ends.len())
        .filter(|index| {
            (1..=2).any(|step| ends.get(index + step).is_some_and(|end| alike(&ends[*index], end)))
        })
        .count();
    rhymed * 10 >= ends.len() * 3
}

fn is_json(text: &str) -> bool {
    let text = text.trim();
    (text.starts_with('{') || text.starts_with('['))
        && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

/// Whether all lines have the same number of separators, and fields rather than clauses between them.
fn is_csv(lines: &[&str]) -> bool {
    let lines = &lines[..lines.len().min(200)];
    if lines.len() < 3 {
        return false;
    }
    [',', ';', '\t'].into_iter().any(|separator| {
        let fields = lines[0].matches(separator).count();
        fields >= 1
            && lines.iter().all(|line| line.matches(separator).count() == fields)
            && lines
                .iter()
                .filter(|line| {
                    line.contains(&format!("{separator} "))
                        || line.ends_with(['.', '!', '?', ';', '{'])
                })
                .count()
                * 5
                <= lines.len()
    })
}
