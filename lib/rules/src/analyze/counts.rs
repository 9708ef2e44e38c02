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
        || before.ends_with('(')
        || pattern!(r"{analyze_counts.part_scripted}").is_match(before)
        || labelled.is_some_and(|label| !whole.is_match(label.as_str()))
        || reading.is_conditional(span)
}

/// Bytes between two statements that may be about two parts.
const BESIDE: usize = 160;

/// Two bounds of one noun that exclude each other: of the whole answer, or side by side of one part.
pub fn conflicting_counts(reading: &Reading<'_>) -> Vec<Spot> {
    let prose = &reading.source.prose;
    let mut spots = Vec::new();
    let mut known: Vec<Count> = Vec::new();
    for count in counts(reading) {
        let same = |other: &&mut Count| {
            let gap = other.span.end..count.span.start.max(other.span.end);
            let side = gap.len() < BESIDE
                && pattern!(r"(?i)^[\s,;]*(?:{analyze.and}|{analyze.but})?\s*$")
                    .is_match(&prose[gap.clone()]);
            // "a summary of 50 words and an article of 500 words"
            let together =
                reading.sentence_at(gap.start).0 == reading.sentence_at(count.span.start).0;
            let apart = together
                && gap.len() < BESIDE
                && pattern!(r"(?i)\b{analyze.and} {analyze.article} |\b{analyze.or}\b")
                    .is_match(&prose[gap]);
            let whole = !other.part && !count.part && !apart;
            other.kind == count.kind && other.unit == count.unit && (whole || side)
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
    let found = turned.captures(&reading.source.prose);
    let is_turned = |found: &patterns::Captures<'_>| {
        let number = |group: &str| found[group].parse::<u32>().ok();
        number("a") > number("b")
    };
    let place = found.filter(is_turned).map(|found| Span::from(found.get_match().range()));
    place.map(|place| Spot::naming(place, reading.source.slice(place))).into_iter().collect()
}
