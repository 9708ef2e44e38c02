//! Lengths that a prompt states as numbers, in six languages.

use super::source::Source;
use super::span::Span;
use patterns::{Pattern, pattern};

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Words.
    Words,
    /// Sentences.
    Sentences,
    /// Paragraphs.
    Paragraphs,
    /// Characters.
    Characters,
}

/// A stated length.
#[derive(Clone, Debug)]
pub struct Count {
    /// What is counted.
    pub unit: Unit,
    /// The least that fits.
    pub least: u32,
    /// The most that fits.
    pub most: u32,
    /// Its extent.
    pub span: Span,
    /// Whether it is the length of a part: "each", "50-word summary".
    pub partial: bool,
}

const PATTERN: Pattern = pattern!(
    r"(?ix)
    (?P<rel>(?:(?-u:\b)(?:{analyze_counts.at_least}|{analyze_counts.at_most})|{analyze_counts.above})\ )?
    (?P<low>(?-u:\b)\d{1,3}(?:[.,]\d{3})+|(?-u:\b)\d{1,6})(?:\ ?(?:-|–|{analyze_counts.to})\ ?(?P<high>\d{1,3}(?:[.,]\d{3})+|\d{1,6}))?
    (?P<joint>[\ -])
    (?P<unit>{analyze_counts.words}|{analyze_counts.sentences}|{analyze_counts.paragraphs}|{analyze_counts.characters})(?-u:\b)
    (?P<tail>\ {analyze_counts.bound_behind}(?-u:\b))?"
);

/// Bytes before a number in which the part that it is about is named.
const NEAR: usize = 120;

/// The lengths that the prose states, in order.
pub fn of<'s>(source: &'s Source<'_>) -> impl Iterator<Item = Count> + 's {
    let prose = &source.prose;
    PATTERN.captures_iter(prose).filter_map(move |found| {
        let whole = found.get(0)?;
        let number = |name: &str| {
            let digits: String = found.name(name)?.as_str().chars().filter(char::is_ascii_digit).collect();
            digits.parse::<u32>().ok()
        };
        let low = number("low")?;
        let high = number("high");
        let relation = format!(
            "{} {}",
            found.name("rel").map_or("", |text| text.as_str()),
            found.name("tail").map_or("", |text| text.as_str())
        );
        let at_least = pattern!(r"(?i){analyze_counts.lower}|(?-u:\b){analyze_counts.min}(?-u:\b)|(?-u:\b){analyze_counts.over}(?-u:\b)").is_match(&relation)
            && !pattern!(r"(?i){analyze_counts.not_more}|(?:^| ){analyze_counts.less_than}").is_match(&relation)
            || pattern!(r"(?i){analyze_counts.not_less}").is_match(&relation);
        let bounded = !relation.trim().is_empty();
        let (least, most) = match (high, at_least, bounded) {
            (Some(high), ..) => (low.min(high), low.max(high)),
            (None, true, _) => (low, u32::MAX),
            (None, false, true) => (0, low),
            // "500 words" is met by what is near it.
            (None, false, false) => (low - low / 5, low.saturating_add(low / 5)),
        };
        let unit = match found["unit"].chars().next()?.to_ascii_lowercase() {
            'w' => Unit::Words,
            's' | 'o' | 'f' => Unit::Sentences,
            'c' | 'z' => Unit::Characters,
            'm' => Unit::Words,
            _ => match found["unit"].to_lowercase().as_str() {
                "palabras" | "parole" | "palavras" => Unit::Words,
                "phrases" => Unit::Sentences,
                _ => Unit::Paragraphs,
            },
        };
        let after = prose[whole.end()..].trim_start_matches(' ');
        let near = (whole.start().saturating_sub(NEAR)..=whole.start()).find(|at| prose.is_char_boundary(*at))?;
        let line = prose[near..whole.start()].rfind(['\n', '.', ';']).map_or(near, |at| near + at + 1);
        // "the answer within the first 80 words" is about a place.
        let partial = &found["joint"] == "-"
            || relation.to_lowercase().contains("within")
            || pattern!(r"(?i)^{analyze_counts.part_behind}(?-u:\b)").is_match(after)
            || pattern!(r"(?i)(?-u:\b){analyze_counts.part_before}(?-u:\b)").is_match(&prose[line..whole.start()]);
        Some(Count { unit, least, most, span: Span::new(whole.start(), whole.end()), partial })
    })
}

/// Whether a text states a length.
pub fn mentions(text: &str) -> bool {
    PATTERN.is_match(text)
}
