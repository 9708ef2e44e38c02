//! Numbers and what is said about them.

use super::Relation;
use super::pattern::regex;

/// Numbers that rules read, in figures or words.
pub const NUMBER: &str = r"(?:\b(?:\d{1,3}(?:[,.]\d{3})+|\d{1,7}|a single|a couple of|a dozen|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|(?:one |a )?hundred|(?:two|three|five) hundred|(?:one |a )?thousand|eine[mnrs]?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|deux|trois|quatre|cinq|dix|dos|tres|cuatro|cinco|diez|due|quattro|cinque|dieci|dois|duas|três|quatro|dez)|дв[ае]|три|четыре|пять|шесть|семь|восемь|девять|десять)";

/// What is said about a number before it.
pub const LEAD: &str = r"(?:\b(?:at (?:the )?(?:very )?least|(?:no|not) (?:longer|shorter|bigger|larger) than|shorter than|smaller than|longer than|larger than|does not exceed|(?:un |a )?(?:máximo|mínimo|massimo|minimo|maximum|minimum) d[ei](?:l)?|(?:einem )?(?:maximum|minimum) von|meno di|at (?:the )?(?:very )?most|at (?:a )?minimum(?: of)?|at (?:a )?maximum(?: of)?|(?:a |the )?minimum(?: length)?(?: of|:)?|(?:a |the )?maximum(?: length)?(?: of|:)?|min\.?|max\.?|no (?:less|fewer) than|not (?:less|fewer) than|no more than|not more than|not exceed(?:ing)?|(?:do not|don'?t|never|must not|should not|cannot) (?:exceed|go over|use more than|write more than)|less than|fewer than|more than|greater than|over|under|below|above|within|up to|upto|exactly|precisely|only|just|about|around|approximately|approx\.?|roughly|circa|some|nearly|close to|between|from|in the range of|mindestens|wenigstens|höchstens|maximal|nicht mehr als|weniger als|mehr als|genau|etwa|ungefähr|rund|zwischen|bis zu|unter|au moins|au plus|au maximum|maximum|pas plus de|moins de|plus de|exactement|environ|entre|al menos|como mínimo|como máximo|a lo sumo|no más de|menos de|más de|exactamente|unas|unos|aproximadamente|máximo|mínimo|almeno|al massimo|massimo|non più di|meno di|più di|esattamente|circa|tra|pelo menos|no máximo|no mínimo|até|não mais de|mais de|exatamente|cerca de|não mais que)|~|≈|<|>|≤|≥|<=|>=|не более|не больше|не менее|не меньше|минимум|максимум|ровно|около|до|примерно)";

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
    if regex!(
        r"(?:less|fewer|shorter|smaller) than|^under$|^below$|^<$|weniger als|^unter$|moins de|menos de|meno di"
    )
    .is_match(&lead)
    {
        return is(AtMost, first.saturating_sub(1));
    }
    if regex!(r"(?:more|greater|longer|larger) than|^over$|^above$|^>$|mehr als|plus de|más de|più di|mais de")
        .is_match(&lead)
    {
        return is(AtLeast, first + 1);
    }
    if regex!(
        r"least|minim|^min|≥|>=|mindestens|wenigstens|au moins|al menos|almeno|pelo menos|mínimo"
    )
    .is_match(&lead)
    {
        return is(AtLeast, first);
    }
    if regex!(r"most|maxim|^max|≤|<=|within|up ?to|höchstens|bis zu|au plus|a lo sumo|máximo|massimo|até|^до$|максимум").is_match(&lead) {
        return is(AtMost, first);
    }
    if regex!(r"about|around|approx|roughly|circa|^some$|nearly|close to|~|≈|etwa|ungefähr|^rund$|environ|unas|unos|cerca|около|примерно").is_match(&lead) {
        return is(About, first);
    }
    is(Exactly, first)
}
