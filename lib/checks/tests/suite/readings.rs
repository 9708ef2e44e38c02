//! What is read of a prompt.

use checks::{Check, of};
use engine::{Constraint, ConstraintKind as Kind};
use serde_json::{Value, json};

use crate::common::{count, of_kind};

/// Parameters for each kind.
fn parameters(kind: Kind) -> Value {
    match kind {
        Kind::IncludeWords | Kind::ExcludeWords | Kind::TableColumns | Kind::Choice => {
            json!({"words": ["tea", "salt"]})
        }
        Kind::StartsWith | Kind::EndsWith => json!({"text": "tea"}),
        Kind::Format => json!({"value": "table"}),
        Kind::Language => json!({"value": "German"}),
        Kind::Audience | Kind::Tone => json!({"value": "tea"}),
        Kind::JsonSchema => json!({"value": "{\"type\": \"object\", \"properties\": {}}"}),
        Kind::Lowercase | Kind::Uppercase => json!({}),
        Kind::NumberRange => count("between", 1, Some(10), Some("tea")),
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
    Check::of(constraint, language).description
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
    let text = json!({"text": "{value} {n} {"});
    let description = described(Kind::EndsWith, &text, "en");
    assert_eq!(description, "The answer ends with “{value} {n} {”.");
}

#[test]
fn the_same_prompt_has_the_same_checks() {
    let prompt =
        "Write at most 80 words about tea, without the word “water”. Use a formal tone. No emojis.";
    let (one, two) = (of(prompt, "de"), of(prompt, "de"));
    assert_eq!(one, two);
    let ids: Vec<&str> = one.checks.iter().map(|check| check.id.as_str()).collect();
    assert_eq!(ids, ["c1", "c2", "c4"]);
    let json = serde_json::to_value(&one).unwrap();
    assert_eq!(json["checks"][0]["kind"], "word_count");
    assert_eq!(serde_json::from_value::<checks::Reading>(json).unwrap(), one);
}

/// The kinds of the checks of a prompt.
fn kinds(prompt: &str) -> Vec<&'static str> {
    of(prompt, "en").checks.iter().map(|check| check.kind.as_str()).collect()
}

#[test]
fn what_no_program_decides_is_no_check() {
    for prompt in [
        "Use a formal tone.",
        "Explain it to beginners.",
        "Avoid using jargon.",
        "Do not use jargon or marketing language.",
        "End with a joke.",
    ] {
        let reading = of(prompt, "en");
        assert_eq!((kinds(prompt), reading.coverage.covered), (vec![], 0), "{prompt}");
    }
    for (prompt, kind) in [
        ("Avoid using emojis.", "exclude_words"),
        ("Do not use the word \"jargon\".", "exclude_words"),
        ("End with a question.", "ends_with"),
        ("End with the phrase \"a joke\".", "ends_with"),
        ("Write at most 60 characters.", "character_count"),
        ("Answer with yes or no.", "choice"),
        ("Answer without \"perhaps\" and with no bullet points.", "exclude_words"),
    ] {
        assert!(kinds(prompt).contains(&kind), "{prompt}: {:?}", kinds(prompt));
    }
}

#[test]
fn a_number_counts_with_its_noun_and_its_owner() {
    for prompt in [
        "Each headline may have at most 60 characters.",
        "Write 3 headlines with at most 60 characters each.",
        "Jede Überschrift hat höchstens 60 Zeichen.",
        "Write two plans. Each plan must have 7 sections.",
        "In a section called SUMMARY, give a 25-word summary. In a section called DETAILS, explain the steps.",
        "Return the verdict, then a reason in at most 40 words.",
        "Top text: max 6 words. Bottom text: max 8 words.",
        "Título de 50 caracteres como máximo en la primera línea.",
        "理由は20字以内。",
        "If there is no answer, reply in at most 10 words.",
        "Here is a 200-word article.",
        "The text field accepts 255 characters.",
        "Sum it up.\n<draft>\nKeep it under 50 words.\n</draft>",
        "Reply with {\"reason\": \"<up to 20 words>\"}.",
        "Keep to 60 words for each message.",
        "Spell out numbers below one hundred as words.",
        "Schreib noch zwei, drei Sätze.",
        "## Subject line\nMax. 48 characters, starts with a verb.",
        "Never:\n- use more than 200 words\n- include the word \"cheap\"",
        "600–800 words without code",
        "Schreibe einen Einleitungstext (80–100 Wörter), eine Liste und einen Lagetext.",
        "Use lowercase aspect names.",
        "Max. 2 pages.",
        "Evite termos em inglês.",
        "No headings above level 3.",
        "No `any`.",
        "Classify the sentiment of each review as positive, neutral or negative.",
        "Use the table in the appendix.",
        "Explain how to make an omelet using the French technique.",
        "Output Markdown, but do not use bold because asterisks are hard to read in plain text.",
    ] {
        let counted: Vec<_> =
            kinds(prompt).into_iter().filter(|kind| *kind != "item_count").collect();
        let formats = counted.iter().all(|kind| *kind == "format") && prompt.contains("Markdown");
        assert!(counted.is_empty() || formats, "{prompt}: {counted:?}");
    }
    for (prompt, kind, relation, number) in [
        ("Here is a 200-word article. Summarize it in 20 words.", Kind::WordCount, "exactly", 20),
        ("Explain how tides work in at most 80 words.", Kind::WordCount, "at_most", 80),
        ("Write a tweet (max 280 characters) about tea.", Kind::CharacterCount, "at_most", 280),
        ("The whole note stays below 400 words.", Kind::WordCount, "at_most", 399),
        ("Answers have up to 60 words.", Kind::WordCount, "at_most", 60),
        ("Write an essay of 300 words.", Kind::WordCount, "about", 300),
        ("Write an essay of exactly 300 words.", Kind::WordCount, "exactly", 300),
        ("110 mots au total au grand maximum.", Kind::WordCount, "at_most", 110),
        ("语气自然,不超过60个字。", Kind::CharacterCount, "at_most", 60),
        ("回复不得少于100个字符。", Kind::CharacterCount, "at_least", 100),
        ("请不要少于100字。", Kind::CharacterCount, "at_least", 100),
        ("回复切勿超过200字。", Kind::CharacterCount, "at_most", 200),
        ("Do not write fewer than 100 words.", Kind::WordCount, "at_least", 100),
        ("Write not less than 100 words.", Kind::WordCount, "at_least", 100),
        ("Schreibe nicht weniger als 100 Wörter.", Kind::WordCount, "at_least", 100),
        ("N'écris pas moins de 100 mots.", Kind::WordCount, "at_least", 100),
        ("Escribe no menos de 100 palabras.", Kind::WordCount, "at_least", 100),
        ("回答は200文字以内", Kind::CharacterCount, "at_most", 200),
        ("<rules>\nReply in 3 sentences.\n</rules>", Kind::SentenceCount, "exactly", 3),
    ] {
        let parameters = serde_json::to_value(of_kind(prompt, kind).parameters).unwrap();
        assert_eq!(
            (&parameters["relation"], &parameters["number"]),
            (&json!(relation), &json!(number)),
            "{prompt}"
        );
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
        (
            "Keep your whole answer under 90 words. Caption: max 8 words. Reply in 3 sentences, each under 9 words.",
            3,
            vec!["Caption: max 8 words.", "Reply in 3 sentences, each under 9 words."],
        ),
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
