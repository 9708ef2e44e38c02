//! Rules about the parts of a prompt: whether they can be told apart and stand where they are seen.

use std::collections::HashSet;

use super::lexicon::is_work;
use super::mask::Kind;
use super::mends;
use super::reading::{Medium, Reading};
use super::rule::{Rule, Spot};
use super::source::Sentence;
use super::span::Span;
use engine::MetricName::Structure;
use engine::Severity::{Low, Medium as Middling};
use patterns::pattern;

/// The rules of this file.
pub const RULES: &[Rule] = &[
    Rule::code("wall_of_text", Structure, Middling, wall_of_text),
    Rule::code("crowded_request", Structure, Middling, crowded_request),
    Rule::code("buried_task", Structure, Middling, buried_task),
    Rule::code("unmarked_material", Structure, Low, unmarked_material),
    Rule::code("duplicate_instruction", Structure, Low, duplicate_instruction)
        .mended(mends::cut_sentence),
    Rule::code("heading_levels", Structure, Low, heading_levels),
];

/// Characters of prose in one paragraph from which on nobody finds anything in it.
const WALL: usize = 1200;

fn wall_of_text(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    if reading.medium != Medium::Text {
        return Vec::new();
    }
    let mut offset = 0;
    let lines = source.prose.split_inclusive('\n').map(|line| {
        offset += line.len();
        (offset - line.len(), line)
    });
    // Material is blank in the prose and counts for one space.
    let visible =
        |line: &str| line.split_whitespace().map(|word| word.chars().count() + 1).sum::<usize>();
    lines
        .filter(|(_, line)| line.len() >= WALL)
        .map(|(start, line)| (start, line, visible(line)))
        .filter(|(.., visible): &(_, _, usize)| *visible >= WALL)
        .map(|(start, line, visible)| {
            let lead = line.len() - line.trim_start().len();
            let span = Span::new(start + lead, start + line.trim_end().len());
            Spot::naming(span.opening(source.text), visible.to_string())
        })
        .collect()
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
    let is_crowded = |sentence: &&Sentence| {
        let begins = source.words_of(sentence).first().is_some_and(|word| {
            is_work(source.language, &word.lower)
                || pattern!(r"^{analyze_structure.opening}$").is_match(&word.lower)
        });
        let joined = joints
            .captures_iter(source.prose_of(sentence.span))
            .filter(|found| is_work(source.language, &found["verb"].to_lowercase()));
        begins && joined.count() + 1 >= CROWD
    };
    source.sentences.iter().filter(is_crowded).map(|sentence| Spot::new(sentence.span)).collect()
}

/// Bytes before the first request from which on it is easily missed, and behind it from which on it is in the middle.
const BURIED: (usize, usize) = (1500, 200);

/// A request behind a long text that nothing sets apart, with more text behind it.
fn buried_task(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    let Some(first) = reading.requests.first() else { return Vec::new() };
    let span = source.sentences[*first].span;
    let marked = || {
        source.sentences.iter().any(|sentence| sentence.heading)
            || source.mask.of(Kind::Tag).next().is_some()
            || source.mask.of(Kind::Fence).next().is_some()
            || pattern!(r"(?m)^\s*(?:</?[a-z_]+>|---+|===+)\s*$").is_match(source.text)
    };
    let length = |text: &str| text.split_whitespace().map(|word| word.len() + 1).sum::<usize>();
    let buried = reading.medium == Medium::Text
        && reading.has_known_words()
        && length(&source.prose[..span.start]) >= BURIED.0
        && length(&source.prose[span.end..]) >= BURIED.1
        && !marked();
    Spot::new(span).when(buried)
}

/// Characters of pasted content from which on it should be set apart.
const PASTED: usize = 200;

/// A text to work on that nothing sets apart from the request.
fn unmarked_material(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    if reading.medium != Medium::Text {
        return Vec::new();
    }
    let pasted = source.mask.of(Kind::Pasted).find(|span| {
        let text = source.slice(*span);
        !text.starts_with("> ") && text.chars().count() >= PASTED
    });
    let loose = || {
        let marked = source.mask.material().any(|(_, kind)| kind != Kind::Quote)
            || source.sentences.iter().any(|sentence| sentence.heading);
        let referred = reading.phrases("material_reference").next().is_some();
        let request = reading.request();
        let mut outside = source.sentences.iter().filter(|other| !request.holds(other.span));
        outside.next().map(|sentence| sentence.span).filter(|_| {
            referred && reading.carries_loose_text() && !marked && reading.variables.is_empty()
        })
    };
    let place = pasted.or_else(loose).map(|span| {
        let own = source.slice(span);
        Span::at(span.start + own.len() - own.trim_start().len())
    });
    place.map(Spot::new).into_iter().collect()
}

/// Words of a sentence from which on its repetition is no coincidence.
const REPEATED: usize = 4;

fn duplicate_instruction(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    let mut seen: HashSet<String> = HashSet::new();
    let mut spots = Vec::new();
    for sentence in &source.sentences {
        if source.words_of(sentence).len() < REPEATED || sentence.heading {
            continue;
        }
        // What is quoted or filled in counts: "Mention {{a}} by name" is not "Mention {{b}} by name".
        if !seen.insert(plain(source.slice(sentence.span))) {
            spots.push(Spot::new(sentence.span));
        }
    }
    spots
}

/// The words of a sentence in small letters, without punctuation.
fn plain(sentence: &str) -> String {
    let words = sentence.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
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
