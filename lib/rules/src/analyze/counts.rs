//! Lengths that no answer can have.

use super::clashes::clash;
use super::numbers::value;
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
    let counted = [WordCount, SentenceCount, ParagraphCount, CharacterCount];
    let bullets = |one: &Statement| {
        let unit = one.values.first().map_or("", String::as_str);
        // Other things are counted in many ways, and only plain bounds of one noun exclude each other.
        let bounded = matches!(one.relation, Some(Relation::AtLeast | Relation::AtMost));
        one.kind == ItemCount && (bounded || pattern!(r"(?i)^{analyze.bullets}$").is_match(unit))
    };
    let stated =
        reading.plain_constraints().filter(|one| counted.contains(&one.kind) || bullets(one));
    let bounds = |constraint: &Statement| {
        let number = constraint.number?;
        let span = Span::new(constraint.start, constraint.end);
        let (least, most) = match constraint.relation {
            Some(Relation::AtLeast) => (number, u32::MAX),
            Some(Relation::AtMost) => (0, number),
            Some(Relation::Between) => (number, constraint.upper.unwrap_or(number)),
            _ if constraint.kind == ItemCount => (number, number),
            // "500 words" is met by what is near it.
            _ => (number - number / 5, number.saturating_add(number / 5)),
        };
        let part = is_of_part(reading, span);
        let unit = constraint.values.first().map(|unit| unit.to_lowercase());
        Some(Count { kind: constraint.kind, least, most, span, part, unit })
    };
    stated.filter_map(bounds).collect()
}

/// Bytes before a number in which the part that it is about is named.
const NEAR: usize = 120;

fn is_of_part(reading: &Reading<'_>, span: Span) -> bool {
    let prose = &reading.source.prose;
    let near = prose.floor_char_boundary(span.start.saturating_sub(NEAR));
    let line = prose[near..span.start].rfind(['\n', '.', ';']).map_or(near, |at| near + at + 1);
    let behind = text::head(&prose[span.end..], NEAR);
    pattern!(r"\d-\p{L}").is_match(reading.source.prose_of(span))
        || pattern!(r"(?i)^\s*(?:{analyze_counts.part_behind})(?-u:\b)").is_match(behind)
        || pattern!(r"(?i)(?-u:\b){analyze_counts.part_before}(?-u:\b)")
            .is_match(&prose[line..span.start])
        || pattern!(r"{analyze_counts.part_scripted}").is_match(&prose[line..span.start])
        // "Summary: 50 words"
        || pattern!(r"^[^:：\n]{2,40}(?:[:：]| [–—-] ?)").is_match(&prose[line..span.start])
        || reading.is_conditional(span)
}

/// Bytes between two statements that may be about two parts.
const BESIDE: usize = 160;

/// Two lengths of the whole answer that exclude each other.
pub fn conflicting_counts(reading: &Reading<'_>) -> Vec<Spot> {
    let mut spots = Vec::new();
    let mut known: Vec<Count> = Vec::new();
    for count in counts(reading).into_iter().filter(|count| !count.part) {
        let Some(first) =
            known.iter_mut().find(|first| first.kind == count.kind && first.unit == count.unit)
        else {
            known.push(count);
            continue;
        };
        // "a summary of 50 words and an article of 500 words"
        let between = first.span.end..count.span.start;
        let beside = between.start < between.end
            && between.len() < BESIDE
            && pattern!(r"(?i)\b{analyze.and} {analyze.article} |\b{analyze.or}\b")
                .is_match(&reading.source.prose[between]);
        if beside {
            continue;
        }
        if count.most < first.least || count.least > first.most {
            spots.push(clash(reading, first.span, count.span));
        } else {
            first.least = first.least.max(count.least);
            first.most = first.most.min(count.most);
        }
    }
    spots
}

/// The least words of all parts together, and the longest part: "an intro of 100 words, 5 tips with 120 words each".
fn parts(reading: &Reading<'_>, counts: &[Count]) -> Option<(u32, Span)> {
    let several = pattern!(
        r"(?i)\b(?P<n>\d{1,2}|{analyze.number}) \p{L}+(?: \p{L}+){0,2},? ?(?P<each>(?:{analyze_counts.each})(?: \p{L}+)? ?)?\(?$"
    );
    let words = |count: &&Count| {
        count.kind == WordCount
            && count.part
            && count.least > 0
            && !reading.is_conditional(count.span)
    };
    let least = |count: &Count| {
        let prose = &reading.source.prose;
        let each = pattern!(r"(?i)^\s*(?:{analyze_counts.part_behind})(?-u:\b)")
            .is_match(text::head(&prose[count.span.end..], NEAR));
        let before = text::tail(&prose[..count.span.start], NEAR);
        let times = several.captures(before).filter(|found| each || found.name("each").is_some());
        let times = times.and_then(|found| value(&found["n"]));
        count.least.saturating_mul(times.unwrap_or(1).try_into().unwrap_or(1))
    };
    let longest = counts.iter().filter(words).max_by_key(|count| least(count))?;
    Some((counts.iter().filter(words).map(least).sum(), longest.span))
}

/// Words that a sentence has at most, and characters that a word takes at least, with its space.
const SENTENCE: u32 = 60;
const WORD: u32 = 6;

/// Words that do not fit into the sentences, characters or form that are asked for.
pub fn impossible_length(reading: &Reading<'_>) -> Vec<Spot> {
    let counts = counts(reading);
    let turned = pattern!(
        r"(?i)\b(?:{analyze.between}) (?P<a>\d{1,5}) (?:{analyze.and}|{analyze.to}) (?P<b>\d{1,5}) \p{L}"
    );
    if let Some(found) = turned.captures(&reading.source.prose)
        && let (Some(least), Some(most)) = (value(&found["a"]), value(&found["b"]))
        && least > most
    {
        let place = Span::from(found.get_match().range());
        return vec![Spot::naming(place, reading.source.slice(place))];
    }
    let most = |kind: ConstraintKind| {
        counts
            .iter()
            .filter(move |count| count.kind == kind && !count.part && count.most < u32::MAX)
            .min_by_key(|count| count.most)
    };
    let words =
        counts.iter().filter(|count| count.kind == WordCount).max_by_key(|count| count.least);
    if let (Some(whole), Some((parts, place))) = (most(WordCount), parts(reading, &counts))
        && parts > whole.most
    {
        return vec![clash(reading, whole.span, place)];
    }
    let Some(words) = words.filter(|words| words.least > 0) else { return Vec::new() };
    let each = counts.iter().find(|count| {
        count.kind == WordCount && count.part && count.most < words.least && count.least == 0
    });
    let sentences = most(SentenceCount).filter(|sentences| {
        let longest = each.map_or(SENTENCE, |each| each.most);
        let together =
            reading.sentence_at(sentences.span.start).0 == reading.sentence_at(words.span.start).0;
        !words.part && together && words.least > sentences.most.saturating_mul(longest)
    });
    let characters = most(CharacterCount).filter(|characters| {
        let before = text::tail(&reading.source.prose[..characters.span.start], NEAR);
        words.least.saturating_mul(WORD) > characters.most
            && pattern!(r"(?i)\b{analyze.short_form}\b[^.\n]{0,30}$").is_match(before)
    });
    let form = || {
        let haiku = reading
            .all(pattern!(r"(?i)\b{analyze.haiku}\b|{analyze.haiku_scripted}|\b5-7-5\b"))
            .next();
        haiku.filter(|_| !words.part && words.least > 17)
    };
    let other = sentences.or(characters).map(|other| other.span).or_else(form);
    other.map(|other| clash(reading, other, words.span)).into_iter().collect()
}
