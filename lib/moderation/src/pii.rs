//! Personal data of several people.

use std::collections::HashSet;
use std::ops::Range;

use patterns::expression;

use crate::field::{Field, Hit};
use crate::words::regex;

/// People whose data count as a list.
const MANY: usize = 3;

const MESSAGE: &str =
    "This lists contact data or numbers of several people. Put variables in their place.";

const ONE_PERSON: &str = "This shows an identity number of a person. Put a variable in its place.";

/// Finds mail addresses, telephone numbers and identity numbers of at least three people.
pub(crate) fn find(field: &Field<'_>) -> Vec<Hit> {
    [mail_addresses(field.text), telephones(field.text), identity_numbers(field.text)]
        .into_iter()
        .filter_map(|places| several(field.text, places))
        .map(|bytes| field.hit("personal_data", bytes, MESSAGE))
        .chain(identified(field.text).map(|bytes| field.hit("personal_data", bytes, ONE_PERSON)))
        .collect()
}

/// The identity number of one person with the name, address or birthday next to it.
fn identified(text: &str) -> Option<Range<usize>> {
    let person = regex!(expression!(
        r"(?x)(?-u:\b)(?: (?i:{moderation_people.described})(?-u:\b)[\s:.]{1,3}[\w\d]
        | \d{1,5}\ (?:[A-Z][a-z]+\ ){1,3}{moderation_people.street}(?-u:\b)
        | [A-Z][a-z]{1,20}\ (?:[A-Z]\.?\ )?[A-Z][a-z]{1,20}(?:{moderation_people.has})?\ (?:{moderation_people.number}|\d))"
    ));
    identity_numbers(text).into_iter().find(|place| {
        let before = text[..place.start].char_indices().rev().nth(120).map_or(0, |(at, _)| at);
        let rest = &text[place.end..];
        let behind = rest.char_indices().nth(120).map_or(text.len(), |(at, _)| place.end + at);
        let published = ["123-45-6789", "078-05-1120", "219-09-9999", "111-11-1111"];
        !published.contains(&&text[place.clone()]) && person.is_match(&text[before..behind])
    })
}

/// The range from the first to the last place, if enough of them differ.
fn several(text: &str, places: Vec<Range<usize>>) -> Option<Range<usize>> {
    let different: HashSet<String> = places
        .iter()
        .filter_map(|place| text.get(place.clone()))
        .map(|value| value.chars().filter(|c| c.is_alphanumeric()).collect())
        .collect();
    (different.len() >= MANY).then(|| {
        places.first().map_or(0, |first| first.start)..places.last().map_or(0, |last| last.end)
    })
}

fn mail_addresses(text: &str) -> Vec<Range<usize>> {
    // RFC 2606 reserves these names for examples; role addresses belong to no person.
    let reserved =
        regex!(r"(?i)@(?:[\w-]+\.)*(?:example\.\w+|[\w-]+\.(?:example|test|invalid|localhost))$");
    let function = regex!(expression!(r"(?i)^{moderation_people.mailbox}@"));
    regex!(r"(?-u:\b)[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,5}")
        .find_iter(text)
        .filter(|found| !reserved.is_match(found.as_str()) && !function.is_match(found.as_str()))
        .map(|found| found.range())
        .collect()
}

fn telephones(text: &str) -> Vec<Range<usize>> {
    // Numbering authorities reserve 555-0100 to 555-0199 and similar ranges for fiction.
    let fictional = regex!(r"555\D?01\d\d|7946\D?0\d{3}|1632\D?960");
    regex!(
        r"(?x) \+\d{1,3}[\ .-]?\(?\d{2,4}\)?(?:[\ .-]?\d{2,4}){2,4}(?-u:\b)
        | \(\d{3}\)\ ?\d{3}[-\ .]\d{4}(?-u:\b) | (?-u:\b)\d{3}[-.]\d{3}[-.]\d{4}(?-u:\b)
        | (?-u:\b)0[1-9](?:[\ .]\d{2}){4}(?-u:\b) | (?-u:\b)0\d{2,4}[\ /-]\d{3,4}[\ -]?\d{3,5}(?-u:\b)"
    )
    .find_iter(text)
    .filter(|found| !fictional.is_match(found.as_str()))
    .map(|found| found.range())
    .collect()
}

fn identity_numbers(text: &str) -> Vec<Range<usize>> {
    let named = regex!(expression!(r"(?i)(?-u:\b){moderation_people.identity}"));
    if !named.is_match(text) {
        return Vec::new();
    }
    regex!(r"(?-u:\b)\d{3}-\d{2}-\d{4}(?-u:\b)")
        .find_iter(text)
        .filter(|found| !found.as_str().starts_with("000") && !found.as_str().starts_with('9'))
        .map(|found| found.range())
        .collect()
}
