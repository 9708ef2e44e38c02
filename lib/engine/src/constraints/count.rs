//! How long the answer is, and how many parts it has.

use std::cell::LazyCell;

use crate::ConstraintKind as Kind;
use crate::Relation;
use patterns::{Captures, Pattern, pattern, table};

use super::{
    found::Found,
    number::{self, Amount},
    owner::{edits, is_plain, tells},
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
        _ => Kind::ItemCount,
    }
}

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
            let between = group(&captures, "adj");
            if between.contains('\n') || joins(between) {
                // "One in two sentences": another thing is counted by this number, not by the next.
                from = captures.name("n").map_or(from, |number| number.end());
            } else if let Some(constraint) = counted(text, &captures, kind_of(unit), || *validates)
            {
                found.push(constraint);
            }
        }
    }
}

fn group<'t>(captures: &'t Captures<'_>, name: &str) -> &'t str {
    captures.name(name).map_or("", |found| found.as_str())
}

/// A number with its unit, and what stands around them.
struct Match<'t> {
    before: &'t str,
    after: &'t str,
    lead: &'t str,
    number: &'t str,
    behind: &'t str,
    adjectives: String,
    unit: String,
    /// Whether nothing says how the number is meant.
    bare: bool,
}

/// The statement that a match makes; `validates` tells whether the text speaks of checking what a program is given.
fn counted(
    text: &Text<'_>,
    captures: &Captures<'_>,
    kind: Kind,
    validates: impl FnOnce() -> bool,
) -> Option<Statement> {
    let range = range(captures);
    let found = Match {
        before: text.before(range.start),
        after: text.after(range.end),
        lead: group(captures, "lead"),
        number: group(captures, "n"),
        behind: group(captures, "after"),
        adjectives: group(captures, "adj").to_lowercase(),
        unit: group(captures, "unit").to_lowercase(),
        bare: captures.name("lead").is_none()
            && group(captures, "trail").is_empty()
            && group(captures, "after").is_empty(),
    };
    if !is_plain(found.before, found.after, &found.unit) {
        return None;
    }
    // "3 headlines (max 30 characters)": what is said is of the next number.
    let is_of_next = !found.behind.is_empty() && pattern!(r"^[\s.:]*\d").is_match(found.after);
    if found.is_material() || is_of_next {
        return None;
    }
    let amount = found.meant(number::amount(captures)?);
    // Those of what a program is given.
    let is_input =
        || pattern!(r"(?i)\b{constraint_count.input}\b").is_match(found.before) || validates();
    if amount.relation == Relation::Exactly && tells(found.before)
        || kind != Kind::ItemCount && edits(found.before)
        || kind == Kind::CharacterCount && is_input()
        || !found.counts(kind, amount.number)
    {
        return None;
    }
    let constraint = Statement::of(kind, range).counted(amount);
    Some(if kind == Kind::ItemCount { constraint.valued(found.unit) } else { constraint })
}

impl Match<'_> {
    /// Whether it is of something that exists, or of another noun: "these two paragraphs", "my 500-word essay",
    /// "<one sentence>".
    fn is_material(&self) -> bool {
        // A "15-word sentence" has one number and two nouns.
        let compound = pattern!(
            r"(?i)\b(?:{constraint_count.words}|{constraint_count.characters}|{constraint_count.sentences}|{constraint_count.paragraphs}|{constraint_owner.compound})\b"
        );
        let points = pattern!(r"(?i)\b{constraint_count.pointing}\s*$");
        let one_of_many = pattern!(r"(?i)\b{constraint_count.one_of_many}\s*$");
        compound.is_match(&self.adjectives)
            || points.is_match(self.before)
            || points.is_match(&self.adjectives)
            || self.bare && one_of_many.is_match(self.before)
            || pattern!(r"(?i)^\s*{constraint_count.no_length}").is_match(self.after)
            || self.lead.starts_with(['<', '>'])
                && !self.number.starts_with(|c: char| c.is_ascii_digit())
    }

    /// What the amount means here.
    fn meant(&self, mut amount: Amount) -> Amount {
        let later = pattern!(r"(?i)^[^,;:]{0,20}\b{constraint_owner.at_most_later}\b");
        let is_limit = || later.is_match(self.after) || limits(self.before);
        if self.bare && amount.relation == Relation::Exactly && is_limit() {
            amount.relation = Relation::AtMost;
        }
        if is_denied(self.before) { amount.denied(self.lead) } else { amount }
    }

    /// Whether the unit is the one of the kind here.
    fn counts(&self, kind: Kind, number: u32) -> bool {
        let Self { before, after, .. } = *self;
        let single = self.bare && number == 1;
        let emphasis = pattern!(r"(?i)\b{constraint_count.emphasis}");
        let clause = after.split(',').next().unwrap_or(after);
        let emphasised =
            [before, &*self.adjectives, clause].iter().any(|text| emphasis.is_match(text));
        match kind {
            Kind::WordCount => {
                let others = pattern!(r"(?i)^[^,;:]{0,50}{constraint_count.capitals_said}");
                // "Use one word for it", "two words: thank you".
                let few = self.bare && number < 3 && self.unit != "word";
                let just = || pattern!(r"(?i)\b{constraint_count.just}\s*$").is_match(before);
                !others.is_match(after)
                    && !emphasised
                    && !["capital", "key"].iter().any(|word| self.adjectives.contains(word))
                    && !few
                    && (!single || just())
            }
            Kind::SentenceCount => self.is_of_sentences() && (!single || states(before)),
            Kind::SectionCount => {
                let parts = self.bare && self.unit == "parts";
                !emphasised && (!(parts || single) || states(before))
            }
            Kind::ParagraphCount => !single || states(before),
            Kind::ItemCount => {
                let is_total =
                    pattern!(r"(?i)^\s*(?:\w+\s+)?{check_scope.total}\b").is_match(after);
                !self.bare || self.unit.starts_with("bullet") || is_total || states(before)
            }
            _ => true,
        }
    }

    /// English phrases are no sentences.
    fn is_of_sentences(&self) -> bool {
        self.unit != "phrases"
            || pattern!(r"(?i)^{constraint_count.few}$").is_match(self.number)
            || pattern!(r"(?i)\b{constraint_count.in_sentences_of}\s*$").is_match(self.before)
            || pattern!(r"(?i)\b{constraint_count.phrases_at} |{constraint_count.phrases_at_most}")
                .is_match(self.behind)
    }
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
