//! Rules about the parts of a prompt: whether they can be told apart and are whole.

use std::collections::{HashMap, VecDeque};

use super::mask::Kind;
use super::reading::{Medium, Reading};
use super::rule::{Rule, Spot};
use super::span::Span;
use crate::MetricName::Structure;
use crate::Severity::{High, Low, Medium as Middling};
use patterns::pattern;

/// The rules of this file.
pub const RULES: &[Rule] = &[
    Rule { id: "wall_of_text", metric: Structure, severity: Middling, find: wall_of_text },
    Rule { id: "crowded_request", metric: Structure, severity: Middling, find: crowded_request },
    Rule { id: "buried_task", metric: Structure, severity: Middling, find: buried_task },
    Rule { id: "unmarked_material", metric: Structure, severity: Low, find: unmarked_material },
    Rule {
        id: "duplicate_instruction",
        metric: Structure,
        severity: Low,
        find: duplicate_instruction,
    },
    Rule { id: "heading_levels", metric: Structure, severity: Low, find: heading_levels },
    Rule { id: "unclosed_fence", metric: Structure, severity: High, find: unclosed_fence },
    Rule { id: "unclosed_quote", metric: Structure, severity: Low, find: unclosed_quote },
    Rule { id: "unclosed_bracket", metric: Structure, severity: Low, find: unclosed_bracket },
    Rule { id: "unclosed_tag", metric: Structure, severity: Middling, find: unclosed_tag },
];

/// Characters of prose in one paragraph from which on nobody finds anything in it.
const WALL: usize = 1200;

fn wall_of_text(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    if reading.medium != Medium::Text {
        return Vec::new();
    }
    let mut spots = Vec::new();
    let mut offset = 0;
    for line in source.prose.split_inclusive('\n') {
        let start = offset;
        offset += line.len();
        if line.trim().chars().count() < WALL {
            continue;
        }
        let visible: usize = line.split_whitespace().map(|word| word.chars().count() + 1).sum();
        if visible >= WALL {
            let lead = line.len() - line.trim_start().len();
            let span = Span::new(start + lead, start + line.trim_end().len());
            spots.push(Spot::naming(super::opening(source.text, span), visible.to_string()));
        }
    }
    spots
}

/// Requests in one sentence from which on it should be a list.
const CROWD: usize = 4;

fn crowded_request(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    if reading.medium != Medium::Text || !reading.has_known_words() {
        return Vec::new();
    }
    let joints = pattern!(
        r"(?i)(?:,\s*(?:{analyze_structure.behind_comma} )*|;\s*|(?-u:\b){analyze_structure.joint}\s+)(?P<verb>[\p{L}’'-]+)"
    );
    source
        .sentences
        .iter()
        .filter(|sentence| {
            let text = source.prose_of(sentence.span);
            let joined = joints
                .captures_iter(text)
                .filter(|found| {
                    let verb = found["verb"].to_lowercase();
                    is_work(source.language, &verb)
                })
                .count();
            let begins = source.words_of(sentence).first().is_some_and(|word| {
                is_work(source.language, &word.lower)
                    || matches!(
                        word.lower.as_str(),
                        "please" | "can" | "i" | "bitte" | "por" | "per"
                    )
            });
            begins && joined + 1 >= CROWD
        })
        .map(|sentence| Spot::new(sentence.span))
        .collect()
}

/// Whether a word orders a piece of work of its own.
pub fn is_work(language: &str, word: &str) -> bool {
    if language == "en" {
        return pattern!(r"^{analyze_structure.order}$").is_match(word);
    }
    word.chars().count() > 4 && super::lexicon::is_order(language, word)
}

/// Bytes before the first request from which on it is easily missed.
const BURIED: usize = 1500;

/// A request behind a long text that nothing sets apart, with more text behind it.
fn buried_task(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    let Some(first) = reading.requests.first() else { return Vec::new() };
    let span = source.sentences[*first].span;
    let marked = source.sentences.iter().any(|sentence| sentence.heading)
        || source.mask.of(Kind::Tag).next().is_some()
        || source.mask.of(Kind::Fence).next().is_some()
        || pattern!(r"(?m)^\s*(?:</?[a-z_]+>|---+|===+)\s*$").is_match(source.text);
    let before =
        source.prose[..span.start].split_whitespace().map(|word| word.len() + 1).sum::<usize>();
    let behind =
        source.prose[span.end..].split_whitespace().map(|word| word.len() + 1).sum::<usize>();
    let buried = reading.medium == Medium::Text
        && reading.has_known_words()
        && !marked
        && before >= BURIED
        && behind >= 200;
    if buried { vec![Spot::new(span)] } else { Vec::new() }
}

/// A text to work on that nothing sets apart from the request.
fn unmarked_material(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    if reading.medium != Medium::Text {
        return Vec::new();
    }
    let pasted = source.mask.of(Kind::Pasted).find(|span| {
        let text = source.slice(*span);
        !text.starts_with("> ") && text.chars().count() >= 200
    });
    let loose = || {
        let marked = source.mask.material().any(|(_, kind)| kind != Kind::Quote)
            || source.sentences.iter().any(|sentence| sentence.heading);
        let referred = reading.phrases("material_reference").next().is_some();
        (referred && reading.carries_loose_text() && !marked && reading.variables.is_empty())
            .then(|| {
                let request = reading.request();
                let outside =
                    source.sentences.iter().find(|sentence| !request.holds(sentence.span));
                outside.map(|sentence| sentence.span)
            })
            .flatten()
    };
    pasted
        .or_else(loose)
        .map(|span| Span::at(start_of_text(source.text, span)))
        .map(Spot::new)
        .into_iter()
        .collect()
}

fn start_of_text(text: &str, span: Span) -> usize {
    let own = &text[span.start..span.end];
    span.start + (own.len() - own.trim_start().len())
}

/// Words of a sentence from which on its repetition is no coincidence.
const REPEATED: usize = 4;

fn duplicate_instruction(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    let mut seen: HashMap<Vec<&str>, ()> = HashMap::new();
    let mut spots = Vec::new();
    for sentence in &source.sentences {
        let words: Vec<&str> =
            source.words_of(sentence).iter().map(|word| word.lower.as_str()).collect();
        if words.len() < REPEATED || sentence.heading {
            continue;
        }
        if seen.insert(words, ()).is_some() {
            spots.push(Spot::new(sentence.span));
        }
    }
    spots
}

fn heading_levels(reading: &Reading<'_>) -> Vec<Spot> {
    let mut last: Option<usize> = None;
    let mut spots = Vec::new();
    let mut offset = 0;
    for line in reading.source.prose.split_inclusive('\n') {
        let level = line.bytes().take_while(|byte| *byte == b'#').count();
        if (1..=6).contains(&level)
            && line[level..].starts_with(' ')
            && !line[level..].trim().is_empty()
        {
            if last.is_some_and(|last| level > last + 1) {
                spots.push(Spot::new(Span::new(offset, offset + line.trim_end().len())));
            }
            last = Some(level);
        }
        offset += line.len();
    }
    spots
}

fn unclosed_fence(reading: &Reading<'_>) -> Vec<Spot> {
    reading.source.mask.open_fence.map(Spot::new).into_iter().collect()
}

fn unclosed_quote(reading: &Reading<'_>) -> Vec<Spot> {
    reading.source.mask.open_quote.map(Spot::new).into_iter().collect()
}

/// Brackets of the prose that have no counterpart in their paragraph.
fn unclosed_bracket(reading: &Reading<'_>) -> Vec<Spot> {
    let prose = &reading.source.prose;
    let mut open: Vec<(usize, char)> = Vec::new();
    let mut spots = Vec::new();
    let mut before = '\n';
    for (at, character) in prose.char_indices() {
        match character {
            '(' | '[' | '（' | '【' => open.push((at, character)),
            ')' | ']' | '）' | '】' => {
                let partner = match character {
                    ')' => '(',
                    ']' => '[',
                    '）' => '（',
                    _ => '【',
                };
                if let Some(position) = open.iter().rposition(|(_, other)| *other == partner) {
                    open.truncate(position);
                }
            }
            '\n' if before == '\n' => {
                spots.extend(
                    open.drain(..).map(|(at, c)| Spot::new(Span::new(at, at + c.len_utf8()))),
                );
            }
            _ => {}
        }
        // Depth is bounded, so that looking for a partner stays cheap.
        if open.len() > 64 {
            open.clear();
        }
        if !matches!(character, ' ' | '\r') {
            before = character;
        }
    }
    spots.extend(open.into_iter().map(|(at, c)| Spot::new(Span::new(at, at + c.len_utf8()))));
    // ":(" is a face, "a)" numbers an item.
    spots.retain(|spot| !prose[..spot.span.start].ends_with([':', ';', '-']));
    spots
}

/// A tag alone on its line, or one with a counterpart elsewhere, that is not closed.
fn unclosed_tag(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    let fenced: Vec<Span> = source
        .mask
        .parts
        .iter()
        .filter(|(_, kind)| matches!(kind, Kind::Fence | Kind::Code | Kind::Quote))
        .map(|(span, _)| *span)
        .collect();
    let inside = |at: usize| {
        let next = fenced.partition_point(|span| span.end <= at);
        fenced.get(next).is_some_and(|span| span.start <= at)
    };
    let mut open: HashMap<&str, VecDeque<Span>> = HashMap::new();
    let mut orphans = Vec::new();
    for tag in pattern!(r"<(?P<close>/)?(?P<name>[A-Za-z][A-Za-z0-9_-]{1,40})(?: [^<>\n]{0,200})?>")
        .captures_iter(source.text)
    {
        let (Some(whole), Some(name)) = (tag.get(0), tag.name("name")) else { continue };
        let span = Span::new(whole.start(), whole.end());
        if inside(span.start) || whole.as_str().ends_with("/>") || is_void(name.as_str()) {
            continue;
        }
        if tag.name("close").is_some() {
            if open.get_mut(name.as_str()).and_then(VecDeque::pop_back).is_none() {
                orphans.push(span);
            }
        } else if alone_on_its_line(source.text, span) {
            open.entry(name.as_str()).or_default().push_back(span);
        } else {
            open.entry(name.as_str()).or_default().push_front(span);
        }
    }
    // "<name>" in the middle of a line may be a placeholder.
    let mut found: Vec<Span> = open
        .into_values()
        .flatten()
        .filter(|span| alone_on_its_line(source.text, *span))
        .chain(orphans)
        .collect();
    found.sort();
    found.into_iter().map(Spot::new).collect()
}

fn alone_on_its_line(text: &str, span: Span) -> bool {
    let before = text[..span.start].rsplit('\n').next().unwrap_or_default();
    let after = text[span.end..].split('\n').next().unwrap_or_default();
    before.trim().is_empty() && after.trim().is_empty()
}

/// Elements of HTML that have no end, or need none.
fn is_void(name: &str) -> bool {
    matches!(
        name.to_ascii_lowercase().as_str(),
        "br" | "hr"
            | "img"
            | "input"
            | "meta"
            | "link"
            | "source"
            | "area"
            | "base"
            | "col"
            | "embed"
            | "track"
            | "wbr"
            | "li"
            | "td"
            | "tr"
            | "th"
            | "dt"
            | "dd"
            | "option"
    )
}
