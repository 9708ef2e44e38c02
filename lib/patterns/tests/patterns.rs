//! Results are those of the crate `regex`, which finds them in another way.

use patterns::{Pattern, pattern, reading};
use regex::Regex;

/// Pairs of a compiled pattern and its source.
macro_rules! expressions {
    ($($source:literal),* $(,)?) => {
        [$((pattern!($source), $source)),*]
    };
}

const EXPRESSIONS: [(Pattern, &str); 42] = expressions![
    r"",
    r"a",
    r"abc|abd|ab",
    r"^abc$",
    r"(?m)^\s*[-*] (?P<item>\S.*)$",
    r"(?i)\b(?:please|pls|plz|kindly|just)\b[,]?\s+",
    r"(?i)\b(?:create|craft|compose|write|draw|design|develop|generate)\b",
    r"(?i)^(?:(?:can|could|would) (?:you|u)(?: please)?|(?:kannst|könntest) du(?: bitte)?)\s+",
    r"(?i)(?-u:\b)(?:über|für|à|été)(?-u:\b)",
    r"(?i)\b(?:ÜBER|ß|привет|ΛΌΓΟΙ)\b",
    r"(?i)\b(?:über|für|à|été)\b",
    r"(?P<n>\d{1,3}(?:[.,]\d{3})+|\d+)\s?(?P<unit>words?|wörter|字)",
    r"(?s)```.*?(?:```|\z)",
    r#"“[^”\n]*”|"[^"\n]{1,20}"|«[^»\n]*»"#,
    r"\{\{\s*([^{}\s](?:[^{}\n]{0,18}[^{}\s])?)\s*\}\}",
    r"https?://[^\s<>]+",
    r"\p{Lu}\p{Ll}{2,}",
    r"[\p{L}’'-]+",
    r"[^\p{L}\s]+",
    r"(?i)\p{Lu}+",
    r"\w+$",
    r"\W+",
    r"\S+",
    r"[^\W\d_]{4,}",
    r"(a|ab)(c|bcd)(d*)",
    r"(?P<x>a)|(?P<y>b)|(c)",
    r"(?:a{2,3}?)+b?",
    r"x*",
    r"\b",
    r"\B",
    r"(?i)straße|kelvin|sos",
    r"[一-鿿]{2,4}|[ぁ-ん]+",
    r"(?:не более|не меньше|до)\s*(\d+)",
    r"(?i)(?:don['’]?t|do not|never) (?P<v>.{2,20}?)(?:[.,;]|$)",
    r"(?im)^(?P<label>[\p{L} ]{1,12}):[ \t]*(?P<rest>[^\n]*)\n?",
    r"(?i)^(?P<a>.*?)(?: and (?P<b>.+?))?(?:, (?P<c>please))?[.!]?$",
    r"[,;](?:\s|$)|[、，；]",
    r"(?-u:\b)\d{1,2}:\d{1,2}(?-u:\b)",
    r"(?i)[à-ÿа-п]+|[Р-Я]+",
    r"(?i)(?:one|two|three|\d+)(?: (?:big|small))*? (?P<noun>[a-z]+s)\b",
    r"(?x) (?P<year> \d{4} ) - (?P<month> \d\d ) # a date",
    r"(?i)\b(?:un|une|uno|una|unos|unas|um|uma|ein|eine|einen|a|an)\b",
];

const TEXTS: [&str; 23] = [
    "",
    "a",
    "abcd abd ab aab aaab aaaaab",
    "Please write a poem, kindly. PLS design it!\nCould you please draw  a cat?",
    "Könntest du bitte über Österreich für mich schreiben? Ça a été à côté.",
    "- one\n* two items\n  - drei\n",
    "In 1,200 words or 300 Wörter, 120字 at most. 12:30 to 9:05.",
    "Text ```code\n block``` and more ``` open to the end",
    "She said “hello” and \"bye\" and «salut» «\n».",
    "Fill {{ name }} and {{first name}}, not {{}} or {{ a\nb }}.",
    "See https://example.org/a?b=c and http://x.y.",
    "Straße STRASSE Kelvin SOS",
    "请写一首关于秋天的诗，ひらがな、カタカナ；再见",
    "не более 300 слов, не меньше 20, до 5",
    "don't show any text. Don’t mention the price; never lie",
    "Label: value\nOther label:\nthird: 3",
    "bread and butter, please.",
    "two big small cats and three dogs, 4 small houses",
    "2024-05 and 1999-12-31",
    "abcbcd acd abcdd xxx b c",
    "Una unos um uma eine Einen an",
    "Über ẞ und ß; ÀÉÎ; ПРИВЕТ, Привет, Λόγοι",
    "emoji 🙂🙂 naïve café … \u{200d} ñandú _under_score 42nd",
];

#[test]
fn matches_and_groups_are_those_of_regex() {
    let mut matches = 0;
    for (pattern, source) in EXPRESSIONS {
        let regex = Regex::new(source).expect("an expression");
        for text in TEXTS {
            let expected: Vec<Vec<_>> = regex
                .captures_iter(text)
                .map(|found| found.iter().map(|group| group.map(|group| group.range())).collect())
                .collect();
            let found: Vec<Vec<_>> = pattern
                .captures_iter(text)
                .map(|found| {
                    (0..regex.captures_len())
                        .map(|group| found.get(group).map(|group| group.range()))
                        .collect()
                })
                .collect();
            assert_eq!(found, expected, "{source} in {text:?}");
            assert_eq!(pattern.is_match(text), regex.is_match(text), "{source} in {text:?}");
            let split: Vec<_> = pattern.split(text).collect();
            assert_eq!(split, regex.split(text).collect::<Vec<_>>(), "{source} in {text:?}");
            matches += found.len();
        }
    }
    assert!(matches > 500, "{matches}");
}

#[test]
fn long_s_and_the_sign_of_kelvin_are_no_letters_of_ascii() {
    assert!(!pattern!("(?i)kelvin|sos").is_match("\u{212a}elvin \u{17f}o\u{17f}"));
    assert!(pattern!("\u{17f}").is_match("\u{17f}"));
}

#[test]
fn searches_go_on_from_where_they_are_told() {
    let pattern = pattern!(r"\bcat");
    assert_eq!(pattern.find_at("cat concat cat", 1).map(|found| found.start()), Some(11));
    assert_eq!(pattern!("^cat").find_at("cat cat", 4), None);
}

#[test]
fn anchored_searches_begin_where_they_are_told() {
    let pattern = pattern!(r"\bcat(?P<s>s?)");
    assert!(pattern.captures_anchored("a cat", 1).is_none());
    assert_eq!(pattern.captures_anchored("a cats", 2).map(|found| found["s"].len()), Some(1));
    let text = format!("{}c", "ab".repeat(20_000));
    let exploding = pattern!(r"(?:a|b|ab)*(?:a|b|ab)*d|b(a)");
    assert!(exploding.captures_anchored(&text, 0).is_none());
    assert!(exploding.captures_anchored(&text, 1).is_some());
}

#[test]
fn groups_are_found_by_name() {
    let found = pattern!(r"(?P<year>\d{4})-(?P<month>\d\d)(?P<day>-\d\d)?")
        .captures("in 2024-05")
        .expect("a match");
    assert_eq!((&found["year"], &found["month"], found.name("day")), ("2024", "05", None));
    assert_eq!(found.name("nobody"), None);
}

#[test]
fn replacements_are_functions_of_groups() {
    let pattern = pattern!(r"(?P<verb>\w+) (?P<what>\w+)");
    assert_eq!(pattern.replace_all("write this now please", |_| "x"), "x x");
    assert_eq!(pattern.replace_all("none", |_| "x"), "none");
    let swapped = pattern
        .replace_all("write this now", |found| format!("{} {}", &found["what"], &found["verb"]));
    assert_eq!(swapped, "this write now");
}

#[test]
fn expressions_that_explode_do_not() {
    let text = format!("{}!", "ab".repeat(20_000));
    for (pattern, source) in expressions![
        r"(?:a|b|ab)*c",
        r"(?:(?:a|ab)(?:b|ab)?)*$",
        r"(?P<x>(?:a|b)*?)(?P<y>(?:a|ab|b)*)!",
        r"(?:ab?|ba?)+(?:ab?|ba?)+c",
    ] {
        let regex = Regex::new(source).expect("an expression");
        assert_eq!(
            pattern.find(&text).map(|found| found.range()),
            regex.find(&text).map(|found| found.range()),
            "{source}"
        );
    }
    let found = pattern!(r"(?P<x>(?:a|b)*?)(?P<y>(?:a|ab|b)*)!").captures(&text).expect("a match");
    assert_eq!(found["y"].len(), 40_000);
}

/// What opens often and never closes, with matches in between.
#[test]
fn the_work_of_all_matches_grows_with_the_length_of_the_text() {
    let rows: [(Pattern, &str, usize); 5] = [
        (pattern!(r"(?ms)^```.*?^```$|`[^`\n]*`"), "```a\n", 2),
        (pattern!(r"``[^\n]+?``|`[^`\n]+`|x"), "``a x", 1),
        (pattern!(r#"(?s)""".*?"""|'''.*?'''|a"#), "'''a \"\"x", 1),
        (pattern!(r"<[a-z].*?/>|[a-z]"), "<a ", 1),
        (pattern!(r"(?:[a-z]+ )+!|[a-z]"), "a ", 1),
    ];
    for (pattern, piece, fewest) in rows {
        let [short, long] = [1_000, 4_000].map(|pieces| {
            let text = piece.repeat(pieces);
            let (found, steps) = budget::measured(|| pattern.find_iter(&text).count());
            assert!(found >= fewest * pieces / 2, "{found} in {pieces} times {piece:?}");
            assert_eq!(pattern.is_match(&text), found > 0);
            steps as f64
        });
        assert!(long / short < 4.4, "{piece:?}: {short} and {long} steps");
    }
}

/// English "write", Spanish "escribe" and words of no language.
const SCOPED: Pattern = pattern!("(?i)the +(?:{imperative.work}|ox)(?P<rest>[a-z]*)");

#[test]
fn words_are_asked_in_the_language_that_is_read() {
    let all =
        || ["the write", "THE escribe", "the  ox"].map(|text| SCOPED.find(text).map(|m| m.end()));
    assert_eq!(all(), [Some(9), Some(11), Some(7)]);
    assert_eq!(reading(&["en-US"], all), [Some(9), None, Some(7)]);
    assert_eq!(reading(&["es"], all), [None, Some(11), Some(7)]);
    assert_eq!(reading(&["de", "es"], all), [None, Some(11), Some(7)]);
    assert_eq!(reading(&["und"], all), [None, None, Some(7)]);
    assert_eq!(reading(&["es"], || reading(&["en"], all)), reading(&["en"], all));
}

#[test]
fn languages_that_take_the_place_of_others_do_not_change_what_is_found() {
    for tag in ["de", "fr", "it", "pt", "nl", "en", "es", "en"] {
        let found = reading(&[tag], || SCOPED.is_match("the write"));
        assert_eq!(found, tag == "en", "{tag}");
    }
}

#[test]
fn a_scope_ends_where_its_reading_ends_even_in_a_panic() {
    let caught = std::panic::catch_unwind(|| {
        reading(&["en"], || panic!("while {}", patterns::is_scoped()));
    });
    assert!(caught.is_err() && !patterns::is_scoped());
    let found = reading(&["en"], || SCOPED.find_iter("the write the escribe"));
    assert_eq!(found.count(), 1, "a search goes on as it began");
}

#[test]
fn a_pattern_whose_languages_are_not_read_costs_nothing() {
    const FOREIGN: Pattern = pattern!("[a-z]+ {imperative.work}");
    let text = "the cow ".repeat(1_000);
    let (found, steps) = budget::measured(|| reading(&["und"], || FOREIGN.is_match(&text)));
    assert_eq!((found, steps), (false, 0));
}

#[test]
fn what_is_wrong_with_an_expression_is_told() {
    assert_eq!(patterns::verify("{imperative.work}+"), Ok(()));
    for wrong in ["(", "{nobody.says}", "(?:a?)*"] {
        assert!(patterns::verify(wrong).is_err(), "{wrong}");
    }
}
