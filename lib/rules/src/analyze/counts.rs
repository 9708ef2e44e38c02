//! Lengths that no answer can have.

use super::reading::Reading;
use super::rule::Spot;
use super::span::Span;
use engine::ConstraintKind::{
    self, CharacterCount, ItemCount, ParagraphCount, SentenceCount, WordCount,
};
use engine::Relation;
use engine::constraints::Statement;
use patterns::pattern;

/// A length, from the least to the most that fits.
#[derive(Clone)]
struct Count {
    kind: ConstraintKind,
    least: u32,
    most: u32,
    span: Span,
    /// Whether it holds for a part: "50 words each", "a 50-word summary".
    part: bool,
    /// What is counted, where that is no measure.
    unit: Option<String>,
}

fn counts(reading: &Reading<'_>) -> Vec<Count> {
    let measures = [WordCount, SentenceCount, ParagraphCount, CharacterCount];
    let bullets = |one: &Statement| {
        let unit = one.values.first().map_or("", String::as_str);
        // Other things are counted in many ways, and only plain bounds of one noun exclude each other.
        let bounded = matches!(one.relation, Some(Relation::AtLeast | Relation::AtMost));
        one.kind == ItemCount && (bounded || pattern!(r"(?i)^{analyze.bullets}$").is_match(unit))
    };
    let bounds = |one: &Statement| {
        let number = one.number?;
        let span = Span::new(one.start, one.end);
        let exact = !matches!(one.kind, WordCount | CharacterCount)
            || pattern!(r"(?i)\b{analyze.exactly}\b").is_match(reading.source.slice(span));
        let (least, most) = match one.relation {
            Some(Relation::AtLeast) => (number, u32::MAX),
            Some(Relation::AtMost) => (0, number),
            Some(Relation::Between) => (number, one.upper.unwrap_or(number)),
            _ if exact => (number, number),
            // "500 words" is met by what is near it.
            _ => (number - number / 5, number.saturating_add(number / 5)),
        };
        let unit = one.values.first().map(|unit| unit.to_lowercase());
        Some(Count { kind: one.kind, least, most, span, part: is_of_part(reading, span), unit })
    };
    let stated = reading.plain_constraints();
    stated.filter(|one| measures.contains(&one.kind) || bullets(one)).filter_map(bounds).collect()
}

/// Bytes before a number in which the part that it is about is named.
const NEAR: usize = 120;

fn is_of_part(reading: &Reading<'_>, span: Span) -> bool {
    let prose = &reading.source.prose;
    let near = prose.floor_char_boundary(span.start.saturating_sub(NEAR));
    let line = prose[near..span.start].rfind(['\n', '.', ';']).map_or(near, |at| near + at + 1);
    let before = &prose[line..span.start];
    let behind = text::head(&prose[span.end..], NEAR);
    // "Summary: 50 words", but not "Length: 50 words"
    let labelled = pattern!(r"^[^:：\n]{2,40}(?:[:：]| [–—-] ?)").find(before);
    let whole = pattern!(r"(?i)^\W*{analyze_counts.whole}\W*$");
    pattern!(r"\d-\p{L}").is_match(reading.source.prose_of(span))
        || pattern!(r"(?i)^\s*(?:{analyze_counts.part_behind})(?-u:\b)").is_match(behind)
        || pattern!(r"(?i)(?:^|\s|(?-u:\b)){analyze_counts.part_before}(?-u:\b)").is_match(before)
        || pattern!(r"\($|[\x22”“»][^,;]{0,12}$").is_match(before)
        || pattern!(r"{analyze_counts.part_scripted}").is_match(before)
        || labelled.is_some_and(|label| !whole.is_match(label.as_str()))
        || reading.is_conditional(span)
}

/// Bytes between two statements that may be about two parts.
const BESIDE: usize = 160;

/// Two bounds of one noun that exclude each other: of the whole answer, or side by side of one part.
pub fn conflicting_counts(reading: &Reading<'_>) -> Vec<Spot> {
    let mut spots = Vec::new();
    let mut known: Vec<Count> = Vec::new();
    for count in counts(reading) {
        let same = |other: &&mut Count| {
            let gap = other.span.end..count.span.start.max(other.span.end);
            let between = text::head(&reading.source.prose[gap.clone()], BESIDE);
            let near = between.len() == gap.len();
            let side = pattern!(r"(?i)^[\s,;]*(?:{analyze.and}|{analyze.but})?\s*$");
            // "a summary of 50 words and an article of 500 words"
            let apart = pattern!(r"(?i)\b{analyze.and} {analyze.article} |\b{analyze.or}\b");
            let together = near && reading.together(other.span, count.span);
            let apart = together && apart.is_match(between);
            other.kind == count.kind
                && other.unit == count.unit
                && (!(other.part || count.part || apart) || near && side.is_match(between))
        };
        match known.iter_mut().rev().find(same) {
            Some(first) if count.most < first.least || count.least > first.most => {
                spots.push(Spot::clash(reading, first.span, count.span));
            }
            Some(first) if !first.part => {
                first.least = first.least.max(count.least);
                first.most = first.most.min(count.most);
            }
            _ => known.push(count),
        }
    }
    spots
}

/// Bounds that are turned round.
pub fn impossible_length(reading: &Reading<'_>) -> Vec<Spot> {
    let turned = pattern!(
        r"(?i)\b(?:{analyze.between}) (?P<a>\d{1,5}) (?:{analyze.and}|{analyze.to}) (?P<b>\d{1,5}) \p{L}"
    );
    let Some(found) = turned.captures(&reading.source.prose) else { return Vec::new() };
    let number = |group: &str| found[group].parse::<u32>().ok();
    let place = Span::from(found.get_match().range());
    Spot::naming(place, reading.source.slice(place)).when(number("a") > number("b"))
}
