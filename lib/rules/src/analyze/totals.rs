//! Wholes and their parts that do not fit: amounts, rows of counts, days.

use super::announced::{self, is_measure};
use super::numbers::value;
use super::reading::Reading;
use super::rule::Spot;
use super::span::Span;
use engine::{ConstraintKind, Relation};
use patterns::pattern;

/// Numbers that do not fit what is listed, what they are the sum of, or the days that are named.
pub fn wrong_number(reading: &Reading<'_>) -> Vec<Spot> {
    let mut spots = announced::wrong_number(reading);
    for sentence in &reading.source.sentences {
        let text = reading.source.prose_of(sentence.span);
        let found = amounts(text).or_else(|| days(text));
        spots.extend(
            found.map(|(place, fits)| Spot::naming(place.moved(sentence.span.start), fits)),
        );
        let row = row(text).filter(|_| !reading.is_conditional(sentence.span));
        spots.extend(row.and_then(|sum| counted(reading, sentence.span, sum)));
    }
    spots
}

/// "A budget of 600 €, of which 450 € for the hotel, 200 € for food and 100 € for museums".
fn amounts(text: &str) -> Option<(Span, String)> {
    let whole = pattern!(r"(?i)\b(?:{analyze.total})\b[^.;\d\n]{0,30}?(?P<n>[$€£]?\d[\d.,]*\d ?(?:[$€£%]|{analyze.currency})?)").captures(text)?;
    let figure = |text: &str| {
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        let unit: String =
            text.chars().filter(|c| !c.is_ascii_digit() && !" .,".contains(*c)).collect();
        Some((digits.parse::<usize>().ok()?, unit))
    };
    let place = Span::from(whole.name("n")?.range());
    let (total, unit) = figure(&whole["n"])?;
    let parts = pattern!(r"(?i)[$€£]?\d[\d.,]*\d ?(?:[$€£%]|{analyze.currency})?");
    let parts: Vec<usize> = parts
        .find_iter(&text[place.end..])
        .filter_map(|part| figure(part.as_str()))
        .filter(|(_, other)| *other == unit && !unit.is_empty())
        .map(|(part, _)| part)
        .collect();
    let sum: usize = parts.iter().sum();
    (parts.len() >= 3 && sum > total && parts.iter().all(|part| *part < total))
        .then(|| (place, sum.to_string()))
}

/// "4 days, from 10 to 16 May".
fn days(text: &str) -> Option<(Span, String)> {
    let found = pattern!(
        r"(?i)\b(?P<n>\d{1,2})[ -](?:{analyze.days})\b[^.;\d\n]{0,25}?\b(?P<a>\d{1,2})\.? ?(?:-|–|{analyze.until}) ?(?P<b>\d{1,2})\.? (?:de |di )?\p{L}{3,}"
    )
    .captures(text)?;
    let (days, first, last) = (value(&found["n"])?, value(&found["a"])?, value(&found["b"])?);
    let named = last.checked_sub(first)? + 1;
    // A trip of seven days has six nights.
    (last <= 31 && days >= 2 && days != named && days + 1 != named && days != named + 1)
        .then(|| (found.get_match().range().into(), named.to_string()))
}

/// The sum of a row of nothing but counts: "4 easy, 4 medium, 5 hard".
fn row(text: &str) -> Option<usize> {
    let row = text.trim_end_matches(['.', ' ', ')']).rsplit([':', '(']).next()?;
    let counts: Option<Vec<usize>> = announced::items(row)
        .into_iter()
        .map(|item| {
            let found = pattern!(r"^(?P<n>\d{1,2})(?P<rest> \p{L}[\p{L}-]*(?: \p{L}[\p{L}-]*)?)$")
                .captures(item)?;
            value(&found["n"]).filter(|_| !is_measure(&found["rest"]))
        })
        .collect();
    counts.filter(|counts| counts.len() >= 2).map(|counts| counts.iter().sum())
}

/// The number of things that a row adds up to, where the prompt asks for another number.
fn counted(reading: &Reading<'_>, row: Span, sum: usize) -> Option<Spot> {
    let mut wanted = reading.plain_constraints().filter(|one| {
        one.kind == ConstraintKind::ItemCount
            && !matches!(
                one.relation,
                Some(Relation::AtLeast | Relation::AtMost | Relation::Between)
            )
    });
    let one =
        wanted.find(|one| one.end <= row.start || !row.meets(Span::new(one.start, one.end)))?;
    let number = one.number? as usize;
    let whole = number != sum && number > 3 && one.start < row.start && sum < number * 2;
    whole.then(|| Spot::naming(row, sum.to_string()))
}
