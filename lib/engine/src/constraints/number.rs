//! Numbers and what is said about them.

use crate::Relation;
use patterns::pattern;

/// A number and how it is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amount {
    pub relation: Relation,
    pub number: u32,
    pub upper: Option<u32>,
}

/// The value of a number in figures or words.
pub fn value(text: &str) -> Option<u32> {
    let text = text.trim().to_lowercase();
    let figures: String = text.chars().filter(char::is_ascii_digit).collect();
    if !figures.is_empty() {
        return figures.parse().ok();
    }
    Some(match text.as_str() {
        "a single" | "one" | "ein" | "eine" | "einen" | "einem" | "einer" | "eines" => 1,
        "a couple of" | "two" | "zwei" | "deux" | "dos" | "due" | "dois" | "duas" | "два"
        | "две" => 2,
        "three" | "drei" | "trois" | "tres" | "três" | "три" => 3,
        "four" | "vier" | "quatre" | "cuatro" | "quattro" | "quatro" | "четыре" => 4,
        "five" | "fünf" | "cinq" | "cinco" | "cinque" | "пять" => 5,
        "six" | "sechs" | "шесть" => 6,
        "seven" | "sieben" | "семь" => 7,
        "eight" | "acht" | "восемь" => 8,
        "一" | "한" => 1,
        "二" | "两" | "두" => 2,
        "三" | "세" => 3,
        "四" | "네" => 4,
        "五" | "다섯" => 5,
        "六" | "여섯" => 6,
        "七" | "일곱" => 7,
        "八" | "여덟" => 8,
        "九" | "아홉" => 9,
        "十" | "열" => 10,
        "nine" | "neun" | "девять" => 9,
        "ten" | "zehn" | "dix" | "diez" | "dieci" | "dez" | "десять" => 10,
        "eleven" => 11,
        "twelve" | "a dozen" => 12,
        "thirteen" => 13,
        "fourteen" => 14,
        "fifteen" => 15,
        "sixteen" => 16,
        "seventeen" => 17,
        "eighteen" => 18,
        "nineteen" => 19,
        "twenty" => 20,
        "thirty" => 30,
        "forty" => 40,
        "fifty" => 50,
        "sixty" => 60,
        "seventy" => 70,
        "eighty" => 80,
        "ninety" => 90,
        "hundred" | "one hundred" | "a hundred" => 100,
        "two hundred" => 200,
        "three hundred" => 300,
        "five hundred" => 500,
        "thousand" | "one thousand" | "a thousand" => 1_000,
        _ => return None,
    })
}

/// The amount that a number makes with what is said before and after it.
///
/// Counts are whole: "less than 5" is at most 4, "more than 5" at least 6.
pub fn amount(lead: &str, first: u32, second: Option<u32>, trail: &str) -> Amount {
    use Relation::{About, AtLeast, AtMost, Between, Exactly};
    if let Some(second) = second {
        let (number, upper) = (first.min(second), first.max(second));
        return Amount { relation: Between, number, upper: Some(upper) };
    }
    let lead = lead.trim().to_lowercase();
    let trail = trail.trim().to_lowercase();
    let is = |relation, number| Amount { relation, number, upper: None };
    let any = |text: &str, words: &[&str]| words.iter().any(|word| text.contains(word));
    if any(
        &lead,
        &[
            "no shorter",
            "not shorter",
            "no less",
            "no fewer",
            "not less",
            "not fewer",
            "не менее",
            "не меньше",
        ],
    ) {
        return is(AtLeast, first);
    }
    if any(
        &lead,
        &[
            "no more",
            "not more",
            "nicht mehr",
            "pas plus",
            "no más",
            "non più",
            "não mais",
            "не более",
            "не больше",
            "no longer",
            "not longer",
            "no larger",
            "not larger",
            "no bigger",
            "not bigger",
            "exceed",
            "go over",
            "use more",
            "write more",
        ],
    ) {
        return is(AtMost, first);
    }
    if any(
        &trail,
        &[
            "or less",
            "or fewer",
            "or under",
            "max",
            "at most",
            "tops",
            "or below",
            "or shorter",
            "au plus",
            "máximo",
            "massimo",
            "höchstens",
        ],
    ) {
        return is(AtMost, first);
    }
    if any(
        &trail,
        &[
            "or more",
            "+",
            "min",
            "at least",
            "or longer",
            "or above",
            "au moins",
            "mínimo",
            "mindestens",
            "al menos",
            "almeno",
        ],
    ) {
        return is(AtLeast, first);
    }
    if pattern!(r"{constraint_number.less_than}|^{constraint_number.below}$|^<$").is_match(&lead) {
        return is(AtMost, first.saturating_sub(1));
    }
    if pattern!(r"{constraint_number.more_than}|^{constraint_number.above}$|^>$").is_match(&lead) {
        return is(AtLeast, first + 1);
    }
    if pattern!(r"{constraint_number.at_least}|^{constraint_number.at_least_begun}|≥|>=")
        .is_match(&lead)
    {
        return is(AtLeast, first);
    }
    if pattern!(r"{constraint_number.at_most}|^{constraint_number.at_most_begun}|≤|<=|^{constraint_number.up_to}$").is_match(&lead) {
        return is(AtMost, first);
    }
    if pattern!(r"{constraint_number.about}|^{constraint_number.some}$|~|≈").is_match(&lead) {
        return is(About, first);
    }
    is(Exactly, first)
}
