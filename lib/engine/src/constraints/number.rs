//! Numbers and what is said about them.

use patterns::{Captures, Pattern, Table, pattern, table};

use crate::CountParameters;
use crate::Relation::{self, About, AtLeast, AtMost, Between, Exactly};

/// What an amount means if the comparison that leads it is denied: "not longer than 5" is at most 5.
pub fn denied(amount: CountParameters, lead: &str) -> CountParameters {
    let lead = lead.trim().to_lowercase();
    let mut comparisons = MEANINGS.iter().filter(|(side, ..)| *side == "lead");
    match comparisons.find(|(_, words, ..)| words.is_match(&lead)) {
        Some((_, _, AtLeast, 1)) => CountParameters::of(AtMost, amount.number.saturating_sub(1)),
        Some((_, _, AtMost, -1)) => CountParameters::of(AtLeast, amount.number.saturating_add(1)),
        _ => amount,
    }
}

/// The words for numbers.
const VALUES: &Table = table!("number_values", r"^{}$");

/// The value of a number in figures or words.
pub fn value(text: &str) -> Option<u32> {
    let text = text.trim().to_lowercase();
    let figures: String = text.chars().filter(char::is_ascii_digit).collect();
    if !figures.is_empty() {
        return figures.parse().ok();
    }
    let (number, _) = VALUES.iter().find(|(_, words)| words.is_match(&text))?;
    number.parse().ok()
}

/// What is said before or behind a number, how it is meant then, and what is added to it: counts are whole, so
/// "less than 5" is at most 4.
const MEANINGS: [(&str, Pattern, Relation, i32); 10] = [
    ("lead", pattern!(r"{constraint_number.no_less}"), AtLeast, 0),
    ("lead", pattern!(r"{constraint_number.no_more}"), AtMost, 0),
    ("trail", pattern!(r"{constraint_number.behind_most}"), AtMost, 0),
    ("trail", pattern!(r"{constraint_number.behind_least}|\+"), AtLeast, 0),
    ("trail", pattern!(r"{constraint_number.behind_about}"), About, 0),
    ("lead", pattern!(r"{constraint_number.lead_below}"), AtMost, -1),
    ("lead", pattern!(r"{constraint_number.lead_above}"), AtLeast, 1),
    ("lead", pattern!(r"{constraint_number.lead_least}"), AtLeast, 0),
    ("lead", pattern!(r"{constraint_number.lead_most}"), AtMost, 0),
    ("lead", pattern!(r"{constraint_number.lead_about}"), About, 0),
];

/// The amount that a match states: the number in its group `n` or `once`, with another one in `m`, and what is
/// said about it before it in `lead`, behind it in `trail` and `after`.
pub fn amount(captures: &Captures<'_>) -> Option<CountParameters> {
    let group = |name: &str| captures.name(name).map_or("", |found| found.as_str());
    let first = value(group("n")).or_else(|| value(group("once")))?;
    if let Some(second) = value(group("m")) {
        let upper = Some(first.max(second));
        return Some(CountParameters { upper, ..CountParameters::of(Between, first.min(second)) });
    }
    let lead = group("lead").trim().to_lowercase();
    let trail = format!("{} {}", group("trail").trim(), group("after").trim()).to_lowercase();
    let said = |side: &str| if side == "lead" { lead.as_str() } else { trail.as_str() };
    let meaning = MEANINGS.iter().find(|(side, words, ..)| words.is_match(said(side)));
    let (relation, more) = meaning.map_or((Exactly, 0), |(.., relation, more)| (*relation, *more));
    Some(CountParameters::of(relation, first.saturating_add_signed(more)))
}
