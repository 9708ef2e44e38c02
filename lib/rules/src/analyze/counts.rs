//! Lengths that no answer can have.

use super::reading::Reading;
use super::rule::Spot;
use engine::ConstraintKind::{
    self, CharacterCount, ItemCount, ParagraphCount, SentenceCount, WordCount,
};
use engine::Relation;
use engine::constraints::Statement;
use engine::prompt::Span;
use patterns::pattern;

/// A length, from the least to the most that fits.
struct Count {
    /// What is counted, where that is no measure.
    unit: Option<String>,
    least: u32,
    most: u32,
    span: Span,
}

fn count(one: &Statement) -> Option<Count> {
    let count = one.parameters.count()?;
    let number = count.number;
    let (least, most) = match count.relation {
        Relation::AtLeast => (number, u32::MAX),
        Relation::AtMost => (0, number),
        Relation::Between => (number, count.upper.unwrap_or(number)),
        // Other things are counted in many ways.
        _ if one.kind == ItemCount => return None,
        // "500 words" is met by what is near it.
        _ => (number - number / 5, number.saturating_add(number / 5)),
    };
    let unit = count.of.as_ref().map(|unit| unit.to_lowercase());
    Some(Count { unit, least, most, span: Span::new(one.start, one.end) })
}

/// Bytes around a number in which the part that it is about is named, and between two that may be about two parts.
const NEAR: usize = 120;

/// Whether a length holds for a part: "50 words each", "a 50-word summary", "Summary: 50 words".
fn is_of_part(reading: &Reading<'_>, span: Span) -> bool {
    let prose = &reading.source.prose;
    let before = text::tail(&prose[..span.start], NEAR);
    let before = before.rsplit(['\n', '.', ';']).next().unwrap_or_default();
    let behind = text::head(&prose[span.end..], NEAR);
    pattern!(r"\d-\p{L}").is_match(reading.source.prose_of(span))
        || pattern!(r"(?i)^\s*(?:{analyze_counts.part_behind})(?-u:\b)").is_match(behind)
        || pattern!(r"(?i)(?:^|\s|(?-u:\b)){analyze_counts.part_before}(?-u:\b)|{analyze_counts.part_scripted}|[:：(]| [–—-] ").is_match(before)
        || reading.is_conditional(span)
}

/// Two bounds of one noun that exclude each other: of the whole answer, or side by side of one part.
pub fn conflicting_counts(reading: &Reading<'_>) -> Vec<Spot> {
    let side = pattern!(r"(?i)^[\s,;，；]*(?:{analyze.and}|{analyze.but})?\s*$");
    // "a summary of 50 words and an article of 500 words"
    let apart = pattern!(r"(?i)\b{analyze.and} {analyze.article} |\b{analyze.or}\b");
    let pair = |two: &[Count]| {
        let [one, other] = two else { return None };
        let gap = one.span.end..other.span.start.max(one.span.end);
        let between = text::head(&reading.source.prose[gap.clone()], NEAR);
        let near = between.len() == gap.len();
        let parts = || is_of_part(reading, one.span) || is_of_part(reading, other.span);
        let fits = one.least <= other.most && other.least <= one.most;
        let same = one.unit == other.unit
            && (near && side.is_match(between) || !(parts() || near && apart.is_match(between)));
        (!fits && same).then(|| Spot::clash(reading, one.span, other.span))
    };
    let of = |kind: ConstraintKind| {
        let stated = reading.plain_constraints().filter(|one| one.kind == kind);
        let counts: Vec<Count> = stated.filter_map(count).collect();
        counts.windows(2).filter_map(pair).collect::<Vec<Spot>>()
    };
    let kinds = [WordCount, SentenceCount, ParagraphCount, CharacterCount, ItemCount];
    kinds.into_iter().flat_map(of).chain(too_many_parts(reading)).collect()
}

/// Words that the shortest sentence and the shortest paragraph have.
const SHORTEST: [(ConstraintKind, u32); 2] = [(SentenceCount, 3), (ParagraphCount, 8)];

/// Parts that a bound of words cannot hold: "at most 30 words", "in four paragraphs".
fn too_many_parts(reading: &Reading<'_>) -> Option<Spot> {
    let whole = |kind: ConstraintKind| {
        let stated = reading.plain_constraints().filter(move |one| one.kind == kind);
        stated.filter_map(count).filter(|one| !is_of_part(reading, one.span))
    };
    let parts = SHORTEST.iter().flat_map(|(kind, least)| whole(*kind).map(move |it| (it, *least)));
    let parts: Vec<(Count, u32)> = parts.collect();
    whole(WordCount).find_map(|words| {
        let mut parts = parts.iter();
        let beyond = parts.find(|(one, least)| one.least.saturating_mul(*least) > words.most);
        beyond.map(|(one, _)| Spot::clash(reading, words.span, one.span))
    })
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
