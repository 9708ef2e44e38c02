//! How long the answer is, and how many parts it has.

use crate::ConstraintKind as Kind;
use crate::Relation;
use patterns::{Captures, Table, pattern, table};

use super::{found::Found, number, owner::is_plain, statement::Statement, text::Text};

/// What is counted, the more specific units first.
const UNITS: &Table = table!(
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
        _ => Kind::ItemCount,
    }
}

pub fn find(text: &Text<'_>, found: &mut Found) {
    let amounts = pattern!(r"(?i)(?:{constraint_number.lead}\s*)?{constraint_number.number}");
    let amounts: Vec<_> = amounts.find_iter(&text.blanked).map(|found| found.start()).collect();
    for (unit, rule) in UNITS.iter() {
        let mut from = 0;
        for start in &amounts {
            if *start < from {
                continue;
            }
            let Some(captures) = rule.captures_anchored(&text.blanked, *start) else { continue };
            from = captures.get_match().range().end;
            let between = group(&captures, "adj");
            if between.contains('\n') || joins(between) {
                // "One in two sentences": another thing is counted by this number, not by the next.
                from = captures.name("n").map_or(from, |number| number.end());
            } else if let Some(constraint) = counted(text, &captures, kind_of(unit)) {
                found.push(constraint);
            }
        }
    }
}

fn group<'t>(captures: &'t Captures<'_>, name: &str) -> &'t str {
    captures.name(name).map_or("", |found| found.as_str())
}

/// The statement that a number with its unit makes.
fn counted(text: &Text<'_>, captures: &Captures<'_>, kind: Kind) -> Option<Statement> {
    let range = captures.get_match().range();
    let (before, after) = (text.before(range.start), text.after(range.end));
    let unit = group(captures, "unit").to_lowercase();
    // Whether nothing says how the number is meant.
    let is_bare = ["lead", "trail", "after", "m"].iter().all(|it| group(captures, it).is_empty());
    // A "15-word sentence" has one number and two nouns, and "these two paragraphs" are there already.
    let compound = pattern!(
        r"(?i)\b(?:{constraint_count.words}|{constraint_count.characters}|{constraint_count.sentences}|{constraint_count.paragraphs}|{constraint_owner.compound})\b"
    );
    let points = pattern!(r"(?i)\b(?:{constraint_count.pointing}\s*|{constraint_count.in_asked})$");
    // "Highlight at least two sections", "250 words per minute", "a password has at least 12 characters".
    let emphasis = pattern!(r"(?i)\b{constraint_count.emphasis}");
    let rate = pattern!(r"(?i)^\s*{constraint_count.no_length}");
    let input = pattern!(r"(?i)\b{constraint_count.input}\b");
    let rest = pattern!(r"(?i),|\b{constraint_count.new_clause}\b").split(after).next();
    // "<one sentence>"
    let is_placeholder = group(captures, "lead").starts_with(['<', '>'])
        && !group(captures, "n").starts_with(|c: char| c.is_ascii_digit());
    if !is_plain(before, after, &unit)
        || compound.is_match(group(captures, "adj"))
        || points.is_match(before)
        || [before, group(captures, "adj")].iter().chain(&rest).any(|it| emphasis.is_match(it))
        || rate.is_match(after)
        || is_placeholder
        || kind == Kind::CharacterCount && input.is_match(before)
    {
        return None;
    }
    let mut amount = number::amount(captures)?;
    let later = pattern!(r"(?i)^[^,;:]{0,20}\b{constraint_owner.at_most_later}\b");
    if is_bare && amount.relation == Relation::Exactly && (later.is_match(after) || limits(before))
    {
        amount.relation = Relation::AtMost;
    }
    if is_denied(before) {
        amount = number::denied(amount, group(captures, "lead"));
    }
    // "Words in capital letters", "key words".
    let others = pattern!(r"(?i)^[^,;:]{0,50}{constraint_count.capitals_said}");
    let is_asked = || !is_bare || states(before);
    let is_stated = match kind {
        Kind::WordCount => !others.is_match(after),
        Kind::SentenceCount | Kind::SectionCount | Kind::ParagraphCount => {
            amount.number != 1 || group(captures, "n").contains(' ') || is_asked()
        }
        Kind::ItemCount => {
            is_asked()
                || unit.starts_with("bullet")
                || pattern!(r"(?i)^\s*(?:\w+\s+)?{check_scope.total}\b").is_match(after)
        }
        _ => true,
    };
    amount.of = Some(unit).filter(|_| kind == Kind::ItemCount);
    is_stated.then(|| Statement::counting(kind, range, amount))
}

/// Whether what stands between a number and a unit joins it to something else.
fn joins(adjectives: &str) -> bool {
    pattern!(r"(?i)\b{constraint_count.joint}\b").is_match(adjectives)
        && !pattern!(r"(?i)^\s*{constraint_count.joint_allowed}?\s*$").is_match(adjectives)
}

/// Whether a comparison behind these words is denied: "must not be" longer than 5 sentences.
fn is_denied(before: &str) -> bool {
    let denied = pattern!(r"(?i)\b{constraint_count.denial}\b(?P<gap>[^,]{0,30})$");
    let joint = pattern!(r"(?i)\b{constraint_count.new_clause}\b");
    denied.captures(before).is_some_and(|found| !joint.is_match(&found["gap"]))
}

/// Whether a number without more is a limit: "keep it to 50 words".
fn limits(before: &str) -> bool {
    pattern!(r"(?i)\b{constraint_count.limit}\w*\b[^,]{0,60}\b{constraint_count.limit_to}\s*$")
        .is_match(before)
}

/// Whether the words before a number ask for so many.
pub fn states(before: &str) -> bool {
    pattern!(r"(?i)(?:\b{constraint_count.so_many}|{constraint_count.so_many_anywhere})\s*(?:{constraint_count.for_whom} )?$").is_match(before)
}
