//! How long the answer is, and how many parts it has.

use std::cell::LazyCell;

use crate::ConstraintKind as Kind;
use crate::Relation;
use patterns::{Captures, Pattern, pattern, table};

use super::{
    found::Found,
    number::{self, Amount},
    statement::Statement,
    text::{Text, range},
};

/// What is counted, the more specific units first.
const UNITS: &[(&str, Pattern)] = table!(
    "constraint_units",
    r"(?i){constraint_count.amount}(?P<unit>{}){constraint_count.behind}"
);

/// The kind that counts a unit.
fn kind_of(unit: &str) -> Kind {
    match unit {
        "words" => Kind::WordCount,
        "sentences" => Kind::SentenceCount,
        "paragraphs" => Kind::ParagraphCount,
        "characters" => Kind::CharacterCount,
        "sections" => Kind::SectionCount,
        "answers" => Kind::ResponseCount,
        "placeholders" => Kind::PlaceholderCount,
        _ => Kind::ItemCount,
    }
}

/// "The number of words is below 300", "limit the length to 300 words".
const NUMBER_OF: Pattern = pattern!(
    r"(?i)\b{constraint_count.number_of} (?P<unit>{constraint_count.number_of_what})\b[^.!?\n]{0,60}?(?:(?P<lead>{constraint_number.lead})\s*(?:{constraint_count.of}\s+)?|\b(?:{constraint_count.is}|:)\s+)(?P<n>{constraint_number.number})(?:\s*(?:-|–|{constraint_count.number_until})\s*(?P<m>{constraint_number.number}))?(?P<trail>\s+{constraint_number.or}\s+{constraint_number.more_or_less})?"
);

pub fn find(text: &Text<'_>, found: &mut Found) {
    let amounts = pattern!(r"(?i)(?:{constraint_number.lead}\s*)?{constraint_number.number}");
    let amounts: Vec<usize> = amounts.find_iter(text.read()).map(|amount| amount.start()).collect();
    let validates =
        LazyCell::new(|| pattern!(r"(?i)\b{constraint_count.validation}\b").is_match(text.read()));
    for (unit, rule) in UNITS {
        let mut from = 0;
        for start in &amounts {
            if *start < from {
                continue;
            }
            let Some(captures) = rule.captures_anchored(text.read(), *start) else { continue };
            from = range(&captures).end;
            if joins(group(&captures, "adj")) {
                // "One in two sentences": another thing is counted by this number, not by the next.
                from = captures.name("n").map_or(from, |number| number.end());
            } else if let Some(constraint) = counted(text, &captures, kind_of(unit), || *validates)
            {
                found.push(constraint);
            }
        }
    }
    for captures in text.matches(NUMBER_OF) {
        let kind = kind_of(&captures["unit"].to_lowercase());
        let about_capitals = pattern!(r"(?i)^[^.!?\n]{0,30}\b{constraint_count.in_capitals}")
            .is_match(text.after(range(&captures).start + 10));
        if let Some(amount) = number::amount(&captures).filter(|_| !about_capitals) {
            found.push(Statement::of(kind, range(&captures)).counted(amount));
        }
    }
}

fn group<'t>(captures: &'t Captures<'_>, name: &str) -> &'t str {
    captures.name(name).map_or("", |found| found.as_str())
}

/// The statement that a match makes; `validates` tells whether the text speaks of checking what a program is given.
fn counted(
    text: &Text<'_>,
    captures: &Captures<'_>,
    kind: Kind,
    validates: impl FnOnce() -> bool,
) -> Option<Statement> {
    let range = range(captures);
    let (before, after) = (text.before(range.start), text.after(range.end));
    let adjectives = group(captures, "adj").to_lowercase();
    let unit = group(captures, "unit").to_lowercase();
    let bare = captures.name("lead").is_none()
        && group(captures, "trail").is_empty()
        && group(captures, "after").is_empty();
    // "These two paragraphs", "the last 3 sentences", "my 500-word essay": material.
    let points = pattern!(r"(?i)\b{constraint_count.pointing}\s*$");
    if points.is_match(before)
        || bare && pattern!(r"(?i)\b{constraint_count.one_of_many}\s*$").is_match(before)
    {
        return None;
    }
    if pattern!(r"(?i)^\s*{constraint_count.no_length}").is_match(after) {
        return None;
    }
    let mut amount = number::amount(captures)?;
    if bare && amount.relation == Relation::Exactly && limits(before) {
        amount.relation = Relation::AtMost;
    }
    if let Some(turned) = turned(before, group(captures, "lead"), group(captures, "n")) {
        amount = turned;
    }
    // Those of what a program is given.
    let is_input = || pattern!(r"(?i)\b{constraint_count.input}\b").is_match(before) || validates();
    if describes(before) || kind == Kind::CharacterCount && is_input() {
        return None;
    }
    match kind {
        Kind::WordCount => {
            let others = pattern!(
                r"(?i)^\s*(?:{constraint_count.or_phrases} )?(?:[\p{L} ]{0,40}\b{constraint_count.must} (?:{constraint_count.appear} )?(?:{constraint_count.written} )?)?{constraint_count.capitals_said}"
            );
            if others.is_match(after)
                || adjectives.contains("capital")
                || adjectives.contains("key")
            {
                return None;
            }
            // "Use one word for it", "two words: thank you".
            if bare && amount.number < 3 && unit != "word" {
                return None;
            }
            if bare
                && amount.number == 1
                && !pattern!(r"(?i)\b{constraint_count.just}\s*$").is_match(before)
            {
                return None;
            }
        }
        // English phrases are no sentences.
        Kind::SentenceCount
            if unit == "phrases"
                && !pattern!(r"(?i)^{constraint_count.few}$").is_match(group(captures, "n"))
                && !pattern!(r"(?i)\b{constraint_count.in_sentences_of}\s*$").is_match(before)
                && !pattern!(
                    r"(?i)\b{constraint_count.phrases_at} |{constraint_count.phrases_at_most}"
                )
                .is_match(group(captures, "after")) =>
        {
            return None;
        }
        Kind::SectionCount if unit == "parts" && bare && !states(before) => return None,
        Kind::SectionCount
            if pattern!(r"(?i){constraint_count.emphasis}").is_match(before)
                || pattern!(r"(?i){constraint_count.emphasis_of_text}").is_match(&adjectives)
                || pattern!(r"(?i)^[^,]{0,40}{constraint_count.emphasis}").is_match(after) =>
        {
            return None;
        }
        Kind::ParagraphCount | Kind::SentenceCount | Kind::SectionCount
            if bare && amount.number == 1 && !states(before) =>
        {
            return None;
        }
        Kind::ResponseCount if bare && !states(before) => return None,
        Kind::ItemCount
            if bare && unit != "bullet" && !unit.starts_with("bullet") && !states(before) =>
        {
            return None;
        }
        _ => {}
    }
    let constraint = Statement::of(kind, range).counted(amount);
    Some(if kind == Kind::ItemCount { constraint.valued(unit) } else { constraint })
}

/// Whether what stands between a number and a unit joins it to something else.
fn joins(adjectives: &str) -> bool {
    pattern!(r"(?i)\b{constraint_count.joint}\b").is_match(adjectives)
        && !pattern!(r"(?i)^\s*{constraint_count.joint_allowed}?\s*$").is_match(adjectives)
}

/// What a comparison means that is denied: "must not be longer than 5 sentences".
fn turned(before: &str, lead: &str, first: &str) -> Option<Amount> {
    let denied = pattern!(r"(?i)\b{constraint_count.denial}\b(?P<gap>[^,]{0,30})$");
    let gap = denied.captures(before)?;
    if pattern!(r"(?i)\b{constraint_count.new_clause}\b").is_match(&gap["gap"]) {
        return None;
    }
    let relation = if pattern!(
        r"(?i)^{constraint_count.more} {constraint_count.than}|^{constraint_count.above}$"
    )
    .is_match(lead)
    {
        Relation::AtMost
    } else if pattern!(
        r"(?i)^{constraint_count.fewer} {constraint_count.than}|^{constraint_count.below}$"
    )
    .is_match(lead)
    {
        Relation::AtLeast
    } else {
        return None;
    };
    Some(Amount::of(relation, number::value(first)?))
}

/// Whether a number without more is a limit: "keep it to 50 words".
fn limits(before: &str) -> bool {
    pattern!(r"(?i)\b{constraint_count.limit}\w*\b[^,]{0,60}\b{constraint_count.limit_to}\s*$")
        .is_match(before)
}

/// Whether the words before a number describe something that exists: "our page has 2 sections".
pub fn describes(before: &str) -> bool {
    let told = pattern!(
        r"(?i)\b(?:{constraint_count.told}|{constraint_count.told_before_participle} \p{L}+{constraint_count.participle_ending}) (?:\p{L}+ ){0,3}$"
    );
    if told.is_match(before) {
        return true;
    }
    pattern!(r"(?i)\b{constraint_count.existing}\s+(?:[\w-]+\s+){0,2}{constraint_count.has}\s*$")
        .is_match(before)
}

/// Whether the words before a number ask for so many.
pub fn states(before: &str) -> bool {
    pattern!(r"(?i)(?:\b{constraint_count.so_many}|{constraint_count.so_many_anywhere})\s*(?:{constraint_count.for_whom} )?$").is_match(before)
}
