//! Numbers of payment cards and bank accounts.

use std::ops::Range;

use patterns::expression;

use crate::MOST_PER_FIELD;
use crate::field::{Field, Hit};
use crate::words::regex;

/// Card numbers that payment providers publish for tests.
const TEST_CARDS: [&str; 14] = [
    "4242424242424242",
    "4111111111111111",
    "4012888888881881",
    "4000056655665556",
    "4000000000000002",
    "4000002500003155",
    "4000000000009995",
    "5555555555554444",
    "5105105105105100",
    "2223003122003222",
    "378282246310005",
    "371449635398431",
    "6011111111111117",
    "3530111333300000",
];

/// Account numbers that registries publish as samples.
const SAMPLE_ACCOUNTS: [&str; 8] = [
    "DE89370400440532013000",
    "GB29NWBK60161331926819",
    "GB82WEST12345698765432",
    "FR1420041010050500013M02606",
    "ES9121000418450200051332",
    "NL91ABNA0417164300",
    "CH9300762011623852957",
    "BE68539007547034",
];

/// Finds card and account numbers with valid check digits.
pub(crate) fn find(field: &Field<'_>) -> Vec<Hit> {
    let cards = regex!(r"(?-u:\b)[3-6](?:\d{12,18}|\d{3}(?:[ -]\d{4}){2}[ -]\d{1,4}(?:[ -]\d{1,3})?|\d{3}[ -]\d{6}[ -]\d{5})(?-u:\b)")
        .find_iter(field.text)
        .filter(|found| {
            is_card(found.as_str()) || is_with_code(field.text, found.range(), found.as_str())
        })
        .take(MOST_PER_FIELD)
        .map(|found| {
            field.hit("payment_card", found.range(), "This is a payment card number. Remove it.")
        });
    let accounts =
        regex!(r"(?-u:\b)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?-u:\b)")
            .find_iter(field.text)
            .filter(|found| is_account(found.as_str()))
            .take(MOST_PER_FIELD)
            .map(|found| {
                field.hit(
                    "bank_account",
                    found.range(),
                    "This is a bank account number. Remove it.",
                )
            });
    cards.chain(accounts).collect()
}

/// Whether a number of a card's length has a security code next to it, so that it is meant as a
/// card even if it was mistyped.
fn is_with_code(text: &str, place: Range<usize>, number: &str) -> bool {
    let code = regex!(expression!(
        r"(?i)(?-u:\b){moderation_accounts.security_code}(?-u:\b)[^\n\d]{0,12}\d{3,4}(?-u:\b)"
    ));
    let behind =
        text[place.end..].char_indices().nth(80).map_or(text.len(), |(at, _)| place.end + at);
    let before = text[..place.start].char_indices().rev().nth(60).map_or(0, |(at, _)| at);
    let digits: String = number.chars().filter(char::is_ascii_digit).collect();
    let mut different: Vec<u8> = digits.bytes().collect();
    different.sort_unstable();
    different.dedup();
    // Samples are published numbers or count upwards.
    let sample =
        TEST_CARDS.contains(&digits.as_str()) || digits.starts_with("1234") || different.len() < 4;
    !sample && code.is_match(&text[before..behind])
}

/// Whether the Luhn sum of a number of a card's length is divisible by ten (ISO/IEC 7812-1).
fn is_card(text: &str) -> bool {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let doubled = |(at, digit): (usize, u32)| match (at % 2, digit) {
        (0, digit) => digit,
        (_, digit) if digit > 4 => digit * 2 - 9,
        (_, digit) => digit * 2,
    };
    let sum: u32 =
        digits.chars().rev().filter_map(|c| c.to_digit(10)).enumerate().map(doubled).sum();
    let varied = digits.bytes().any(|digit| Some(&digit) != digits.as_bytes().first());
    sum.is_multiple_of(10) && varied && !TEST_CARDS.contains(&digits.as_str())
}

/// Whether a number's remainder modulo 97 is one (ISO 13616-1).
fn is_account(text: &str) -> bool {
    let compact: String = text.chars().filter(|c| *c != ' ').collect();
    let (Some(head), Some(tail)) = (compact.get(..4), compact.get(4..)) else { return false };
    let remainder = tail.chars().chain(head.chars()).fold(0u32, |rest, character| {
        let value = character.to_digit(36).unwrap_or(0);
        (rest * if value > 9 { 100 } else { 10 } + value) % 97
    });
    (15..=34).contains(&compact.len())
        && remainder == 1
        && !SAMPLE_ACCOUNTS.contains(&compact.as_str())
}
