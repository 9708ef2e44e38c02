//! What numbers can mean.

use std::collections::HashSet;

use patterns::pattern;
use text::literals;

/// What a number can mean: "1.000" is itself and a thousand, "2,50" is two and a half.
pub fn values(number: &str) -> Vec<String> {
    let plain = number.replace('−', "-").replace(['\u{a0}', '\u{202f}', '\u{2009}'], "");
    let mut list = vec![plain.to_lowercase()];
    if pattern!(r"^-?[1-9]\d{0,2}(?:(?:,\d{3})+(?:\.\d+)?|(?:['’]\d{3})+(?:[.,]\d+)?)$")
        .is_match(&plain)
    {
        list.push(trimmed(&plain.replace([',', '\'', '’'], "")));
    }
    if pattern!(r"^-?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?$").is_match(&plain) {
        list.push(trimmed(&plain.replace('.', "").replace(',', ".")));
    }
    // Three decimals may as well be thousands.
    if pattern!(r"^-?(?:0\d*[.,]\d+|\d+[.,](?:\d{1,2}|\d{4,}))$").is_match(&plain) {
        list.push(trimmed(&plain.replace(',', ".")));
    }
    list
}

/// Without the zeros that end a decimal fraction.
fn trimmed(number: &str) -> String {
    match number.contains('.') {
        true => number.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => number.to_owned(),
    }
}

/// All values that the numbers of a text can mean, those in code and addresses included.
pub fn values_in(text: &str) -> HashSet<String> {
    literals::numbers(text).flat_map(|number| values(&text[number])).collect()
}
