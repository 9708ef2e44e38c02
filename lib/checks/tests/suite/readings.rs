//! What is read of a prompt.

use checks::{Check, of};
use engine::{Constraint, ConstraintKind as Kind};
use serde_json::{Value, json};

use crate::common::{count, of_kind};

/// Parameters for each kind.
fn parameters(kind: Kind) -> Value {
    match kind {
        Kind::IncludeWords | Kind::ExcludeWords | Kind::TableColumns => {
            json!({"words": ["tea", "salt"]})
        }
        Kind::StartsWith | Kind::EndsWith => json!({"text": "tea", "paragraph": null}),
        Kind::ParagraphStart => json!({"text": "tea", "paragraph": 2}),
        Kind::Separator => json!({"value": "***"}),
        Kind::Title => json!({"value": null}),
        Kind::Format => json!({"value": "table"}),
        Kind::Postscript => json!({"value": "P.S."}),
        Kind::Language => json!({"value": "German"}),
        Kind::Audience | Kind::Tone | Kind::CodeLanguage => json!({"value": "tea"}),
        Kind::JsonSchema => json!({"value": "{\"type\": \"object\", \"properties\": {}}"}),
        Kind::Choice
        | Kind::RepeatRequest
        | Kind::NoCommas
        | Kind::QuotationMarks
        | Kind::Lowercase
        | Kind::Uppercase => json!({}),
        Kind::NumberRange => count("between", 1, Some(10), Some("tea")),
        Kind::WordFrequency | Kind::LetterFrequency => count("at_least", 3, None, Some("tea")),
        _ => count("at_most", 3, None, None),
    }
}

fn described(kind: Kind, parameters: &Value, language: &str) -> String {
    let constraint = Constraint {
        id: "c1".to_owned(),
        kind,
        parameters: serde_json::from_value(parameters.clone()).unwrap(),
        quote: String::new(),
        start: 0,
        end: 0,
    };
    Check::of(constraint, None, language).description
}

#[test]
fn every_kind_is_described_in_every_language() {
    for kind in Kind::ALL {
        let parameters = parameters(*kind);
        let english = described(*kind, &parameters, "en");
        for language in ["en", "de", "fr", "es", "it", "pt"] {
            let text = described(*kind, &parameters, language);
            assert!(
                text.ends_with('.') && !text.contains(['{', '}']),
                "{kind:?} {language}: {text}"
            );
            assert!(language == "en" || text != english, "{kind:?} {language}: {text}");
        }
        assert_eq!(described(*kind, &parameters, "de-AT"), described(*kind, &parameters, "de"));
        assert_eq!(described(*kind, &parameters, "ko"), english);
    }
}

#[test]
fn descriptions_agree_in_number() {
    let words = |number, relation: &str, language| {
        described(Kind::WordCount, &count(relation, number, None, None), language)
    };
    assert_eq!(words(120, "at_most", "en"), "The answer has at most 120 words.");
    assert_eq!(words(1, "exactly", "en"), "The answer has exactly 1 word.");
    assert_eq!(words(120, "at_most", "de"), "Die Antwort hat höchstens 120 Wörter.");
    assert_eq!(words(1, "at_least", "fr"), "La réponse compte au moins 1 mot.");
    let between = count("between", 60, Some(80), None);
    assert_eq!(described(Kind::WordCount, &between, "it"), "La risposta ha da 60 a 80 parole.");
    let german = json!({"value": "German"});
    assert_eq!(described(Kind::Language, &german, "de"), "Die Sprache der Antwort: Deutsch.");
}

#[test]
fn values_with_braces_stand_as_they_are() {
    let text = json!({"text": "{value} {n} {", "paragraph": null});
    let description = described(Kind::EndsWith, &text, "en");
    assert_eq!(description, "The answer ends with “{value} {n} {”.");
}

#[test]
fn the_same_prompt_has_the_same_checks() {
    let prompt =
        "Schreibe höchstens 80 Wörter über Tee, ohne Kommas. Use a formal tone. Use 3 headings.";
    let (one, two) = (of(prompt, "de"), of(prompt, "de"));
    assert_eq!(one, two);
    let ids: Vec<&str> = one.checks.iter().map(|check| check.id.as_str()).collect();
    assert_eq!(ids, ["c1", "c2", "c3", "c4"]);
    let json = serde_json::to_value(&one).unwrap();
    assert_eq!(json["checks"][0]["kind"], "word_count");
    assert_eq!(json["checks"][2]["executable"], false);
    assert_eq!(serde_json::from_value::<checks::Reading>(json).unwrap(), one);
}

#[test]
fn what_no_program_decides_is_not_executable() {
    for (prompt, kind, executable) in [
        ("Use a formal tone.", Kind::Tone, false),
        ("Explain it to beginners.", Kind::Audience, false),
        ("Avoid using jargon.", Kind::ExcludeWords, false),
        ("Avoid using emojis.", Kind::ExcludeWords, true),
        ("Do not use the word \"jargon\".", Kind::ExcludeWords, true),
        ("End with a question.", Kind::EndsWith, true),
        ("End with a joke.", Kind::EndsWith, false),
        ("End with the phrase \"a joke\".", Kind::EndsWith, true),
        ("Each headline may have at most 60 characters.", Kind::CharacterCount, false),
        ("Write 3 headlines with at most 60 characters each.", Kind::CharacterCount, false),
        ("Jede Überschrift hat höchstens 60 Zeichen.", Kind::CharacterCount, false),
        ("Write two plans. Each plan must have 7 sections.", Kind::SectionCount, false),
        ("Write 3 sections, each on one city.", Kind::SectionCount, true),
        ("Write at most 60 characters.", Kind::CharacterCount, true),
        ("Answer with yes or no.", Kind::Choice, true),
    ] {
        assert_eq!(of_kind(prompt, kind).executable, executable, "{prompt}");
    }
}

#[test]
fn demands_that_became_no_check_are_named_with_their_places() {
    for (prompt, demands, uncovered) in [
        (
            "Write an email to Ana — schön! Use at most 80 words. She is my boss.",
            2,
            vec!["Write an email to Ana — schön!"],
        ),
        ("The sky is blue. It was cold.", 0, vec![]),
        ("Schreibe höchstens 80 Wörter. Du musst Ana erwähnen.", 2, vec!["Du musst Ana erwähnen."]),
        ("Écris 80 mots au maximum. Évite les répétitions.", 2, vec!["Évite les répétitions."]),
        ("Escribe como máximo 80 palabras. Debes nombrar a Ana.", 2, vec!["Debes nombrar a Ana."]),
        ("Scrivi al massimo 80 parole. Devi nominare Ana.", 2, vec!["Devi nominare Ana."]),
        ("Escreva no máximo 80 palavras. Evite repetir Ana.", 2, vec!["Evite repetir Ana."]),
        ("请写一封信。不超过80字。", 2, vec!["请写一封信。"]),
        ("Fix this.\n```\nWrite 3 lines. You must not stop.\n```", 1, vec!["Fix this."]),
    ] {
        let coverage = of(prompt, "en").coverage;
        let quotes: Vec<&str> = coverage.uncovered.iter().map(|one| one.quote.as_str()).collect();
        assert_eq!((coverage.demands, quotes), (demands, uncovered.clone()), "{prompt}");
        assert_eq!(coverage.covered, demands - uncovered.len(), "{prompt}");
        let points: Vec<char> = prompt.chars().collect();
        for one in &coverage.uncovered {
            let quote: String = points[one.start..one.end].iter().collect();
            assert_eq!(quote, one.quote);
        }
    }
}
