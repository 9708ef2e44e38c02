//! Rules about bounds: whether they agree with each other and can be followed.

use std::collections::HashSet;

use super::clashes;
use super::mask::Kind;
use super::reading::{Medium, Reading};
use super::rule::{Rule, Spot};
use super::span::Span;
use super::work::TRANSLATION;
use engine::MetricName::Constraints;
use engine::Severity::{High, Medium as Middling};
use engine::constraints::Statement;
use engine::{ConstraintKind, Relation};
use patterns::pattern;

/// The rules of this file.
pub const RULES: &[Rule] = &[
    Rule::code("conflicting_counts", Constraints, High, conflicting_counts),
    Rule::code("conflicting_detail", Constraints, High, conflicting_detail),
    Rule::code("conflicting_tone", Constraints, High, conflicting_tone),
    Rule::code("conflicting_languages", Constraints, High, conflicting_languages),
    Rule::code("conflicting_elements", Constraints, High, clashes::conflicting_elements),
    Rule::code("conflicting_formats", Constraints, High, conflicting_formats),
    Rule::code("conflicting_words", Constraints, High, conflicting_words),
    Rule::code("negative_only", Constraints, Middling, negative_only),
    Rule::code("prompt_too_long", Constraints, High, prompt_too_long),
];

/// Two places of which the later excludes the earlier.
fn clash(reading: &Reading<'_>, one: Span, other: Span) -> Spot {
    Spot::naming(one.max(other), reading.source.slice(one.min(other)).trim().to_owned())
}

/// The wishes that demand something else than the first of them does.
fn clashing<T: PartialEq>(reading: &Reading<'_>, wishes: Vec<(T, Span)>) -> Vec<Spot> {
    let Some(((first, earlier), later)) = wishes.split_first() else { return Vec::new() };
    let others = later.iter().filter(|(wish, _)| wish != first);
    others.map(|(_, span)| clash(reading, *earlier, *span)).collect()
}

/// A length that the whole answer is to have, from the least to the most that fits.
struct Count {
    kind: ConstraintKind,
    least: u32,
    most: u32,
    span: Span,
}

/// Bytes before a number in which the part that it is about is named.
const NEAR: usize = 120;

/// The lengths that hold for the whole answer.
fn counts(reading: &Reading<'_>) -> Vec<Count> {
    use ConstraintKind::{CharacterCount, ParagraphCount, SentenceCount, WordCount};
    let counted = [WordCount, SentenceCount, ParagraphCount, CharacterCount];
    let stated =
        reading.plain_constraints().filter(|constraint| counted.contains(&constraint.kind));
    let bounds = |constraint: &Statement| {
        let number = constraint.number?;
        let span = Span::new(constraint.start, constraint.end);
        let (least, most) = match constraint.relation {
            Some(Relation::AtLeast) => (number, u32::MAX),
            Some(Relation::AtMost) => (0, number),
            Some(Relation::Between) => (number, constraint.upper.unwrap_or(number)),
            // "500 words" is met by what is near it.
            _ => (number - number / 5, number.saturating_add(number / 5)),
        };
        Some(Count { kind: constraint.kind, least, most, span })
    };
    stated.filter_map(bounds).filter(|count| !is_of_part(reading, count.span)).collect()
}

/// Whether a length holds for a part: "50 words each", "a 50-word summary".
fn is_of_part(reading: &Reading<'_>, span: Span) -> bool {
    let prose = &reading.source.prose;
    let near = prose.floor_char_boundary(span.start.saturating_sub(NEAR));
    let line = prose[near..span.start].rfind(['\n', '.', ';']).map_or(near, |at| near + at + 1);
    pattern!(r"\d-\p{L}").is_match(reading.source.prose_of(span))
        || pattern!(r"(?i)^\s*(?:{analyze_counts.part_behind})(?-u:\b)")
            .is_match(&prose[span.end..])
        || pattern!(r"(?i)(?-u:\b){analyze_counts.part_before}(?-u:\b)")
            .is_match(&prose[line..span.start])
}

/// Bytes between two statements that may be about two parts.
const BESIDE: usize = 160;
/// Words that fit into a sentence.
const SENTENCE: u32 = 60;

/// Two counts that no answer can meet.
fn conflicting_counts(reading: &Reading<'_>) -> Vec<Spot> {
    let mut spots = Vec::new();
    let mut known: Vec<Count> = Vec::new();
    for count in counts(reading) {
        let Some(first) = known.iter_mut().find(|first| first.kind == count.kind) else {
            known.push(count);
            continue;
        };
        // "a summary of 50 words and an article of 500 words"
        let between = first.span.end..count.span.start;
        let beside = between.start < between.end
            && between.len() < BESIDE
            && pattern!(r"(?i)(?-u:\b){analyze_limits.and} {analyze_limits.one} ")
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
    let of = |kind| known.iter().find(|count| count.kind == kind);
    if let (Some(sentences), Some(words)) =
        (of(ConstraintKind::SentenceCount), of(ConstraintKind::WordCount))
        && words.least > sentences.most.saturating_mul(SENTENCE)
        && reading
            .source
            .sentences
            .iter()
            .any(|sentence| sentence.span.holds(sentences.span) && sentence.span.holds(words.span))
    {
        spots.push(clash(reading, sentences.span, words.span));
    }
    spots
}

/// Whether a sentence weighs two things against each other, or speaks of a part: it states no bound.
fn states_no_bound(reading: &Reading<'_>, sentence: usize) -> bool {
    let text = reading.sentence(sentence);
    text.ends_with('?')
        || matches!(reading.source.language, "es" | "it")
            && pattern!(r"(?i)(?-u:\b){analyze_limits.short_or}(?-u:\b)").is_match(text)
        || pattern!(r"(?i)(?-u:\b){analyze_limits.weighs}(?-u:\b)").is_match(text)
        || clashes::names_part(text)
}

/// Places of a wish that are looked at.
const LOOKED_AT: usize = 20;

/// The first place of each of two wishes that exclude each other.
fn conflict(reading: &Reading<'_>, first: &str, second: &str) -> Option<Spot> {
    let place = |rule: &str| {
        let mut hits = reading.phrases(rule).take(LOOKED_AT);
        hits.find(|hit| !states_no_bound(reading, hit.sentence)).map(|hit| hit.span)
    };
    Some(clash(reading, place(first)?, place(second)?))
}

/// Words from which on an answer is not brief.
const LONG: u32 = 800;

fn conflicting_detail(reading: &Reading<'_>) -> Vec<Spot> {
    if reading.medium != Medium::Text {
        return Vec::new();
    }
    let brief = reading.phrases("wants_brief").next();
    let is_long = |count: &Count| count.kind == ConstraintKind::WordCount && count.least >= LONG;
    let counted = brief.and_then(|brief| {
        let long = counts(reading).into_iter().find(is_long)?;
        Some(clash(reading, brief.span, long.span))
    });
    // "Short and long" cannot be met at all, "short and detailed" hardly.
    let told = || conflict(reading, "wants_brief", "wants_long").map(|spot| spot.at(Middling));
    let spot = counted.or_else(|| conflict(reading, "wants_brief", "wants_length")).or_else(told);
    spot.into_iter().collect()
}

fn conflicting_tone(reading: &Reading<'_>) -> Vec<Spot> {
    if reading.medium != Medium::Text {
        return Vec::new();
    }
    conflict(reading, "wants_formal", "wants_casual").into_iter().collect()
}

/// Two languages that the whole answer shall be in.
fn conflicting_languages(reading: &Reading<'_>) -> Vec<Spot> {
    let prose = &reading.source.prose;
    let translates = pattern!(r"(?i)(?-u:\b){analyze_clashes.translation}");
    if !reading.has_known_words() || TRANSLATION.is_asked(reading) || translates.is_match(prose) {
        return Vec::new();
    }
    let stated = pattern!(
        r"(?i)(?-u:\b)(?:{analyze_clashes.answer}(?P<gap>(?: [\p{L}’'-]+){0,5}?) (?:{analyze_clashes.only} )?{analyze_clashes.in_language}|{analyze_clashes.only_in}) (?P<v>\p{L}+)(?P<more>,? {analyze_clashes.another} )?"
    );
    let languages: Vec<&Statement> = reading
        .plain_constraints()
        .filter(|constraint| constraint.kind == ConstraintKind::Language)
        .collect();
    let wish = |found: patterns::Captures<'_>| {
        let span = Span::from(found.name("v").filter(|_| found.name("more").is_none())?.range());
        let of_part = found.name("gap").is_some_and(|gap| clashes::names_part(gap.as_str()));
        let at = languages.partition_point(|constraint| constraint.end <= span.start);
        let named = languages.get(at).filter(|constraint| constraint.start < span.end);
        Some((named.filter(|_| !of_part)?.values.first()?.clone(), span))
    };
    clashing(reading, stated.captures_iter(prose).filter_map(wish).collect())
}

/// Two formats that the whole answer shall have, or a bare format with an explanation.
fn conflicting_formats(reading: &Reading<'_>) -> Vec<Spot> {
    let prose = &reading.source.prose;
    if reading.medium != Medium::Text {
        return Vec::new();
    }
    let mut explained = reading.phrases("wants_prose").filter(|hit| {
        !pattern!(r"(?i)^\s*{analyze_limits.field}").is_match(&prose[hit.span.end..])
    });
    if let (Some(data), Some(told)) = (reading.phrases("only_data").next(), explained.next()) {
        return vec![clash(reading, data.span, told.span)];
    }
    if !reading.is_english() {
        return Vec::new();
    }
    let stated = pattern!(
        r"(?i)(?-u:\b){analyze_limits.answer}(?-u:\b)(?: [\w’',-]+){0,6}? {analyze_limits.as}(?: {analyze_limits.plain})* (?P<v>json|csv|xml|ya?ml|html|{analyze_limits.format})(?-u:\b)(?P<more>,? {analyze_limits.another} )?"
    );
    let wish = |found: patterns::Captures<'_>| {
        let value = found.name("v").filter(|_| found.name("more").is_none())?;
        // "Bullets" and "bulleted list", "table" and "tables" are one format.
        let name: String = value.as_str().to_lowercase().chars().take(4).collect();
        Some((name, Span::from(value.range())))
    };
    clashing(reading, stated.captures_iter(prose).filter_map(wish).collect())
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
    let wanted: HashSet<String> = of(ConstraintKind::IncludeWords)
        .flat_map(|included| &included.values)
        .map(|word| word.to_ascii_lowercase())
        .collect();
    of(ConstraintKind::ExcludeWords)
        .filter_map(|excluded| {
            let is_wanted = |word: &&String| wanted.contains(&word.to_ascii_lowercase());
            let word = excluded.values.iter().find(is_wanted)?;
            Some(Spot::naming(Span::new(excluded.start, excluded.end), word.clone()))
        })
        .collect()
}

/// Prohibitions from which on the rest should say what is wanted.
const PROHIBITIONS: usize = 3;

/// What not to do, three times and more, and never what to do instead.
fn negative_only(reading: &Reading<'_>) -> Vec<Spot> {
    let denial =
        pattern!(r"(?i)(?-u:\b){analyze_limits.denial}(?-u:\b)|{analyze_limits.accented_denial}");
    let wish = pattern!(r"(?i)(?-u:\b)(?:{analyze_limits.wish}|\d+)(?-u:\b)");
    let instead = pattern!(r"(?i)(?-u:\b){analyze_limits.instead}(?-u:\b)");
    if reading.medium != Medium::Text || !reading.has_known_words() {
        return Vec::new();
    }
    let mut first: Option<Span> = None;
    let mut count = 0;
    for (number, sentence) in reading.source.sentences.iter().enumerate() {
        let text = reading.source.prose_of(sentence.span);
        let found = denial.find_iter(text).filter(|found| found.len() > 2).count();
        let positive = match found {
            0 => reading.requests.first() != Some(&number) && wish.is_match(text),
            _ => instead.is_match(text),
        };
        if positive {
            return Vec::new();
        }
        if found > 0 {
            count += found;
            first.get_or_insert(sentence.span);
        }
    }
    let spot = first.map(|span| Spot::naming(span, count.to_string()));
    spot.filter(|_| count >= PROHIBITIONS).into_iter().collect()
}

fn prompt_too_long(reading: &Reading<'_>) -> Vec<Spot> {
    let most = reading.target.model().max_prompt_chars;
    let behind = reading.source.text.char_indices().nth(most);
    behind.map(|(at, _)| Spot::naming(Span::at(at), most.to_string())).into_iter().collect()
}
