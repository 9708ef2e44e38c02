//! What language a text is in, and with which words it is read.
#![allow(clippy::expect_used)]

use patterns::{Pattern, pattern};
use text::language::{detect, reading, told};

const ORDERS: Pattern = pattern!("(?i)^{imperative.work}$");

fn asked() -> [bool; 2] {
    ["write", "schreibe"].map(|word| ORDERS.is_match(word))
}

#[test]
fn a_text_is_read_in_its_language_or_as_the_caller_says() {
    let german = "Schreibe bitte einen Brief an den Vermieter.";
    let english = "Write a letter to the landlord about the heating, please.";
    assert_eq!(reading(&[german], Some("en"), asked), [false, true]);
    assert_eq!(reading(&[german, english], Some("fr"), asked), [true, true]);
    assert_eq!(reading(&["16:9"], Some("de-AT"), asked), [false, true]);
    assert_eq!(reading(&["16:9"], Some("fr"), asked), [false, false]);
    // Nobody writes Japanese in Latin letters.
    assert_eq!(reading(&["Mona Lisa"], Some("ja"), asked), [true, false]);
}

#[test]
fn a_piece_is_read_as_what_is_around_it() {
    assert_eq!(reading(&["16:9"], None, asked), [true, true]);
    let piece = || reading(&["mit einem Hut"], None, asked);
    assert_eq!(piece(), [false, true]);
    assert_eq!(reading(&["Write a poem about the sea."], None, piece), [true, false]);
}

/// Tag, short request, longer one.
fn rows() -> Vec<[&'static str; 3]> {
    include_str!("../../rules/tests/suite/analyzing_languages.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let mut fields = line.split('\t');
            std::array::from_fn(|_| fields.next().expect("three fields"))
        })
        .collect()
}

#[test]
fn longer_texts_are_told_in_thirty_languages() {
    let wrong: Vec<String> = rows()
        .iter()
        .filter(|[tag, _, long]| detect(long) != *tag)
        .map(|[tag, _, long]| format!("{tag}: {} for {long}", detect(long)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn short_texts_are_told_or_left_open_but_never_mistaken() {
    let mut open = 0;
    let mut wrong = Vec::new();
    for [tag, short, _] in rows() {
        match detect(short) {
            guess if guess == tag => {}
            "und" => open += 1,
            guess => wrong.push(format!("{tag}: {guess} for {short}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(open <= 8, "{open} left open");
}

#[test]
fn names_and_keywords_are_no_foreign_language() {
    for text in [
        "marketing",
        "Mona Lisa",
        "whale, sea, dusk, woodcut, wide shot, mist, blue, foam",
        "Refactor this Python class",
        "Fix login bug",
        "Blog post ideas, vegan recipes",
        "Socratic dialogue between Plato and Confucius",
        "photorealistic portrait, golden hour, 85mm lens, shallow depth of field",
    ] {
        assert_eq!(detect(text), "en", "{text}");
    }
}

#[test]
fn few_words_tell_a_language_or_none() {
    for (tag, text) in [
        (Some("en"), "no emojis, max 80 words"),
        (Some("de"), "Beantworte die Frage."),
        (Some("fr"), "pas d'emojis svp"),
        (Some("es"), "un perro, que no haya personas, en la nieve"),
        (Some("it"), "3 giorni a Matera senza macchina, ritmo lento"),
        (Some("pt"), "30 segundos no máximo e tira o endereço"),
        (Some("nl"), "looptijd wordt 3 jaar, tarief 0,24"),
        (Some("pl"), "cena 1100 i nie do negocjacji"),
        (Some("zh"), "用 React 和 TypeScript 写一个 todo app"),
        (None, "marketing"),
        (None, "16:9"),
    ] {
        assert_eq!(told(text), tag, "{text}");
    }
}

#[test]
fn the_largest_part_outside_of_quotations_and_code_tells() {
    let quoted = "Was heißt \"The early bird catches the worm, but the second mouse gets it\"?";
    assert_eq!(told(quoted), Some("de"));
    let code = "Explique ce code :\n```\n# the sum of all items of the list\nsum(items)\n```";
    assert_eq!(told(code), Some("fr"));
    let data = r#"[{"role": "system", "content": "Du bist ein Trainer und fragst Wörter ab."}]"#;
    assert_eq!(told(data), Some("de"));
}
