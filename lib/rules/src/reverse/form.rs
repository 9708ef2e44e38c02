//! Marks of a document's form, which recognition of its kind builds on.

use std::collections::{HashMap, HashSet};

use super::counts::Counts;
use super::document::Document;
use super::voice::Voice;
use engine::page::BlockRole;
use patterns::pattern;

/// Fewer words than this are a short text.
const SHORT: usize = 90;
/// More words than this are a long one.
const LONG: usize = 350;

/// The names of the marks that a document has.
#[derive(Debug)]
pub struct Form(HashSet<&'static str>);

impl Form {
    /// The marks of a document; `lower` is a sample of it in lower case.
    pub fn of(document: &Document, counts: &Counts, voice: &Voice, lower: &str) -> Self {
        let lines: Vec<&str> =
            document.raw.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let blocks = &document.blocks;
        let many = |role: BlockRole| blocks.iter().filter(|block| block.role == role).count() >= 2;
        let asks = |text: &str| text.ends_with(['?', '？']);
        let asking =
            blocks.iter().filter(|block| asks(&block.text) && block.role != BlockRole::Field);
        let asking = asking.count();
        let whole_code = blocks.is_empty() && !document.code.is_empty();
        let length = if counts.in_characters { counts.words / 2 } else { counts.words };
        let speakers = speakers(&lines);
        let json = is_json(&document.raw);
        let csv = !json && !document.page && is_csv(&lines);
        let xml = document.raw.trim_start().starts_with("<?xml");
        let data = json || csv || xml || whole_code;
        let timed = pattern!(r"^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d");
        let labels = pattern!(r"(?m)^{reverse_signals.question}\b ?\d{0,2} ?[:.]").find_iter(lower);
        let password = pattern!(r"(?i){reverse_signals.password}");
        let login = |block: &engine::page::Block| {
            block.role == BlockRole::Field && password.is_match(&block.text)
        };
        let list = [
            ("greeting", greets(&lines)),
            ("signoff", signs_off(&lines)),
            ("numbered", counts.numbered >= 3),
            ("bullets", counts.items >= 3),
            (
                "mostly_items",
                counts.items >= 4
                    && counts.items * 10 >= blocks.len() * 6
                    && counts.numbered * 2 < counts.items,
            ),
            ("headings", counts.headings >= 2),
            ("questions", counts.questions >= 3),
            ("faq", asking >= 3 && asking * 4 >= blocks.len() && blocks.len() > asking),
            ("qa", labels.take(2).count() == 2),
            ("verse", !document.page && !data && !speakers && is_verse(&lines, counts)),
            ("rhyme", !document.page && rhymes(&lines)),
            ("speakers", speakers),
            ("speech", counts.speech >= 2),
            ("code", whole_code && !json && !xml),
            ("fenced", !document.code.is_empty() && !whole_code),
            ("table", counts.rows >= 2 && counts.rows * 2 >= blocks.len()),
            ("json", json),
            ("csv", csv),
            ("xml", xml),
            ("log", lines.iter().filter(|line| timed.is_match(line)).take(3).count() == 3),
            ("hashtags", counts.hashtags >= 2),
            ("emojis", counts.emojis >= 2),
            ("exclaims", counts.exclamations >= 2),
            ("numbers", counts.numbers >= 5),
            ("price", counts.prices >= 1),
            ("prices", counts.prices >= 3),
            ("short", length < SHORT),
            ("long", length > LONG),
            ("paragraphs", counts.paragraphs >= 4),
            ("actions", many(BlockRole::Action)),
            ("fields", many(BlockRole::Field)),
            ("calls", calls(lower) >= 1),
            ("login", blocks.iter().any(login)),
        ];
        let told = voice.marks.iter().filter(|mark| **mark != "narrative" || counts.headings < 2);
        let form = list.into_iter().filter(|(_, is)| *is).map(|(name, _)| name);
        Self(form.chain(told.copied()).collect())
    }

    /// Whether it has the mark of this name.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains(name)
    }
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
        line.chars().count() < 60
            && pattern!(r"^{reverse_signals.closing}\b").is_match(&line.to_lowercase())
    })
}

/// Whether names before colons take turns.
fn speakers(lines: &[&str]) -> bool {
    let name =
        pattern!(r"^(?:\[[^\]]{1,20}\] ?)?(\p{Lu}[\p{L} .'-]{0,24}?)(?: \([^)]{1,30}\))?[:：] ?\S");
    let mut turns: HashMap<&str, usize> = HashMap::new();
    for name in lines.iter().filter_map(|line| name.captures(line)?.get(1)) {
        *turns.entry(name.as_str()).or_default() += 1;
    }
    let spoken: usize = turns.values().filter(|count| **count >= 2).sum();
    turns.len() >= 2 && spoken >= 3
}

/// Whether the lines are those of a poem: several, short, and mostly not whole sentences.
fn is_verse(lines: &[&str], counts: &Counts) -> bool {
    if lines.len() < 3 || counts.items > 0 || counts.rows > 0 || counts.headings > 1 {
        return false;
    }
    let lengths: Vec<usize> = lines.iter().map(|line| line.chars().count()).collect();
    let mean = lengths.iter().sum::<usize>() / lines.len();
    let marked = |line: &&&str| {
        line.contains([':', '=', ';', '@', '#', '<', '|', '\t'])
            || line.chars().filter(char::is_ascii_digit).count() >= 3
    };
    let ends = |line: &&&str| line.ends_with(['.', '!', '?']);
    (6..=55).contains(&mean)
        && lengths.iter().all(|length| *length <= 80)
        && lines.iter().filter(marked).count() * 5 <= lines.len()
        && lines.iter().filter(ends).count() * 10 <= lines.len() * 6
        && !greets(lines)
}

/// Whether the ends of neighbouring lines sound alike.
fn rhymes(lines: &[&str]) -> bool {
    if !(4..=200).contains(&lines.len()) {
        return false;
    }
    let end = |line: &&str| -> Vec<char> {
        let letters = line.chars().rev().filter(|c| c.is_alphabetic());
        letters.take(2).flat_map(char::to_lowercase).collect()
    };
    let ends: Vec<Vec<char>> = lines.iter().map(end).collect();
    let rhymed = |index: &usize| {
        let mut next = ends.iter().skip(index + 1).take(2);
        !ends[*index].is_empty() && next.any(|end| *end == ends[*index])
    };
    (0..ends.len()).filter(rhymed).count() * 10 >= ends.len() * 3
}

fn is_json(text: &str) -> bool {
    let text = text.trim();
    text.starts_with(['{', '[']) && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

/// Whether all lines have the same number of separators, and fields rather than clauses between them.
fn is_csv(lines: &[&str]) -> bool {
    let lines = &lines[..lines.len().min(200)];
    let separated = |separator: char| {
        let fields = lines[0].matches(separator).count();
        let clause = format!("{separator} ");
        let prose =
            |line: &&&str| line.contains(&clause) || line.ends_with(['.', '!', '?', ';', '{']);
        fields >= 1
            && lines.iter().all(|line| line.matches(separator).count() == fields)
            && lines.iter().filter(prose).count() * 5 <= lines.len()
    };
    lines.len() >= 3 && [',', ';', '\t'].into_iter().any(separated)
}
