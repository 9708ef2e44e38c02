//! Rules about bounds: whether they agree with each other and can be followed.

use super::counts::{self, Count, Unit};
use super::mask::Kind;
use super::reading::{Medium, Reading};
use super::rule::{Rule, Spot};
use super::span::Span;
use crate::MetricName::Constraints;
use crate::Severity::{High, Medium as Middling};
use crate::{ConstraintKind, Relation};
use patterns::pattern;

/// The rules of this file.
pub const RULES: &[Rule] = &[
    Rule {
        id: "conflicting_counts",
        metric: Constraints,
        severity: High,
        find: conflicting_counts,
    },
    Rule {
        id: "conflicting_detail",
        metric: Constraints,
        severity: High,
        find: conflicting_detail,
    },
    Rule { id: "conflicting_tone", metric: Constraints, severity: High, find: conflicting_tone },
    Rule {
        id: "conflicting_languages",
        metric: Constraints,
        severity: High,
        find: super::clashes::conflicting_languages,
    },
    Rule {
        id: "conflicting_elements",
        metric: Constraints,
        severity: High,
        find: super::clashes::conflicting_elements,
    },
    Rule {
        id: "conflicting_formats",
        metric: Constraints,
        severity: High,
        find: conflicting_formats,
    },
    Rule { id: "conflicting_words", metric: Constraints, severity: High, find: conflicting_words },
    Rule { id: "negative_only", metric: Constraints, severity: Middling, find: negative_only },
    Rule { id: "prompt_too_long", metric: Constraints, severity: High, find: prompt_too_long },
];

/// Bytes between two statements that may be about two parts.
const NEAR: usize = 160;

/// Two counts of the same thing that no answer can meet.
fn conflicting_counts(reading: &Reading<'_>) -> Vec<Spot> {
    let mut counts: Vec<Count> = counts::of(&reading.source).collect();
    for constraint in reading.plain_constraints() {
        let unit = match constraint.kind {
            ConstraintKind::WordCount => Unit::Words,
            ConstraintKind::SentenceCount => Unit::Sentences,
            ConstraintKind::ParagraphCount => Unit::Paragraphs,
            ConstraintKind::CharacterCount => Unit::Characters,
            _ => continue,
        };
        let span = Span::new(constraint.start, constraint.end);
        let known =
            counts.iter().any(|count| count.span.start < span.end && span.start < count.span.end);
        if let (Some(number), false) = (constraint.number, known) {
            let upper = constraint.upper.unwrap_or(number);
            let (least, most) = match constraint.relation {
                Some(Relation::AtLeast) => (number, u32::MAX),
                Some(Relation::AtMost) => (0, number),
                Some(Relation::Between) => (number, upper),
                _ => (number - number / 5, number.saturating_add(number / 5)),
            };
            counts.push(Count { unit, least, most, span, partial: false });
        }
    }
    counts.sort_by_key(|count| count.span.start);
    let mut spots = Vec::new();
    let mut bounds: Vec<(Unit, u32, u32, Span)> = Vec::new();
    for count in counts.iter().filter(|count| !count.partial) {
        match bounds.iter_mut().find(|(unit, ..)| *unit == count.unit) {
            Some((_, least, most, earlier)) => {
                // "a summary of 50 words and an article of 500 words"
                let between = earlier.end..count.span.start;
                if between.len() < NEAR
                    && pattern!(r"(?i)(?-u:\b){analyze_limits.and} {analyze_limits.one} ")
                        .is_match(&reading.source.prose[between])
                {
                    continue;
                }
                if count.most < *least || count.least > *most {
                    let value = reading.source.slice(*earlier).trim().to_owned();
                    spots.push(Spot::naming(count.span, value));
                } else {
                    (*least, *most) = (count.least.max(*least), count.most.min(*most));
                }
            }
            None => bounds.push((count.unit, count.least, count.most, count.span)),
        }
    }
    spots
}

/// Sentences that weigh two things against each other state no bound.
fn weighs(text: &str, language: &str) -> bool {
    text.ends_with('?')
        || matches!(language, "es" | "it")
            && pattern!(r"(?i)(?-u:\b){analyze_limits.short_or}(?-u:\b)").is_match(text)
        || pattern!(r"(?i)(?-u:\b){analyze_limits.weighs}(?-u:\b)").is_match(text)
}

/// Places of a wish that are looked at.
const LOOKED_AT: usize = 20;

/// The first place of each of two wishes that exclude each other.
fn conflict(reading: &Reading<'_>, first: &str, second: &str) -> Option<Spot> {
    let source = &reading.source;
    let place = |rule: &str| {
        reading
            .phrases(rule)
            .take(LOOKED_AT)
            .find(|hit| {
                let text = source.prose_of(source.sentences[hit.sentence].span);
                !weighs(text, source.language) && !super::clashes::names_part(text)
            })
            .map(|hit| hit.span)
    };
    let (one, other) = (place(first)?, place(second)?);
    let (earlier, later) = if one < other { (one, other) } else { (other, one) };
    Some(Spot::naming(later, source.slice(earlier).to_owned()))
}

/// Words from which on an answer is not brief.
const LONG: u32 = 1000;

fn conflicting_detail(reading: &Reading<'_>) -> Vec<Spot> {
    if reading.medium != Medium::Text {
        return Vec::new();
    }
    let counted = reading.phrases("wants_brief").next().and_then(|brief| {
        counts::of(&reading.source)
            .find(|count| {
                count.unit == Unit::Words && !count.partial && count.least >= LONG * 4 / 5
            })
            .map(|count| Spot::naming(count.span, reading.source.slice(brief.span).to_owned()))
    });
    counted
        .or_else(|| conflict(reading, "wants_brief", "wants_long").map(|spot| spot.at(Middling)))
        .into_iter()
        .collect()
}

fn conflicting_tone(reading: &Reading<'_>) -> Vec<Spot> {
    if reading.medium != Medium::Text {
        return Vec::new();
    }
    conflict(reading, "wants_formal", "wants_casual").into_iter().collect()
}

/// Two formats that the whole answer shall have, or a bare format with an explanation.
fn conflicting_formats(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    if reading.medium != Medium::Text {
        return Vec::new();
    }
    let mut spots = Vec::new();
    let prose_wanted = reading.phrases("wants_prose").find(|hit| {
        let after = source.prose[hit.span.end..].trim_start();
        !pattern!(r"(?i)^{analyze_limits.field}").is_match(after)
    });
    if let (Some(data), Some(prose)) = (reading.phrases("only_data").next(), prose_wanted) {
        let (earlier, later) =
            if data.span < prose.span { (data.span, prose.span) } else { (prose.span, data.span) };
        spots.push(Spot::naming(later, source.slice(earlier).to_owned()));
    }
    if reading.is_english() && spots.is_empty() {
        let stated = pattern!(
            r"(?i)(?-u:\b){analyze_limits.answer}(?-u:\b)(?: [\w’',-]+){0,6}? {analyze_limits.as}(?: {analyze_limits.plain})* (?P<v>json|csv|xml|ya?ml|html|{analyze_limits.format})(?-u:\b)(?P<more>,? {analyze_limits.another} )?"
        );
        let mut first: Option<(String, Span)> = None;
        for found in stated.captures_iter(&source.prose) {
            let Some(value) = found.name("v") else { continue };
            if found.name("more").is_some() {
                continue;
            }
            let name = value.as_str().to_lowercase();
            let name = if name.starts_with("bullet") {
                "bullets".to_owned()
            } else {
                name.trim_end_matches('s').to_owned()
            };
            let span = Span::new(value.start(), value.end());
            match &first {
                Some((known, earlier)) if *known != name => {
                    spots.push(Spot::naming(span, source.slice(*earlier).to_owned()));
                }
                Some(_) => {}
                None => first = Some((name, span)),
            }
        }
    }
    spots
}

/// A word that must occur and must not.
fn conflicting_words(reading: &Reading<'_>) -> Vec<Spot> {
    // The words themselves stand in quotation marks, which are no prose.
    if reading.source.mask.of(Kind::Quote).next().is_none() {
        return Vec::new();
    }
    let of = |kind: ConstraintKind| {
        reading.constraints.iter().filter(move |constraint| constraint.kind == kind)
    };
    of(ConstraintKind::ExcludeWords)
        .filter_map(|excluded| {
            let wanted = |word: &String| {
                of(ConstraintKind::IncludeWords).any(|included| {
                    included.values.iter().any(|other| other.eq_ignore_ascii_case(word))
                })
            };
            let word = excluded.values.iter().find(|word| wanted(word))?;
            Some(Spot::naming(Span::new(excluded.start, excluded.end), word.clone()))
        })
        .collect()
}

/// Prohibitions from which on the rest should say what is wanted.
const PROHIBITIONS: usize = 3;

/// What not to do, three times and more, and never what to do instead.
fn negative_only(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    let clause =
        pattern!(r"(?i)(?-u:\b){analyze_limits.denial}(?-u:\b)|{analyze_limits.accented_denial}");
    let wish = pattern!(r"(?i)(?-u:\b)(?:{analyze_limits.wish}|\d+)(?-u:\b)");
    if reading.medium != Medium::Text || !reading.has_known_words() {
        return Vec::new();
    }
    let request = reading.requests.first().copied();
    let mut first: Option<Span> = None;
    let mut count = 0;
    for (number, sentence) in source.sentences.iter().enumerate() {
        let text = source.prose_of(sentence.span);
        let found = clause.find_iter(text).filter(|found| found.as_str().len() > 2).count();
        if found > 0 {
            count += found;
            first.get_or_insert(sentence.span);
        }
        let positive =
            if found > 0 { text.to_lowercase().contains("instead") } else { wish.is_match(text) };
        if positive && (found > 0 || Some(number) != request) {
            return Vec::new();
        }
    }
    if count >= PROHIBITIONS {
        first.map(|span| Spot::naming(span, count.to_string())).into_iter().collect()
    } else {
        Vec::new()
    }
}

fn prompt_too_long(reading: &Reading<'_>) -> Vec<Spot> {
    let most = reading.target.model().max_prompt_chars;
    match reading.source.text.char_indices().nth(most) {
        Some((at, _)) => vec![Spot::naming(Span::at(at), most.to_string())],
        None => Vec::new(),
    }
}
