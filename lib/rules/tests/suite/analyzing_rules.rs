//! Every rule finds what it is for, and leaves alone what only looks like it.

use crate::analysis;

use analysis::{in_context, rules_of};

struct Case {
    rule: String,
    target: String,
    fires: String,
    near_miss: String,
    context: String,
}

fn cases() -> Vec<Case> {
    include_str!("analyzing_rules.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let mut fields = line.split('\t').map(|field| field.replace("\\n", "\n"));
            let mut next = || fields.next();
            let mut field = || next().expect("four fields");
            let (rule, target, fires, near_miss) = (field(), field(), field(), field());
            Case { rule, target, fires, near_miss, context: next().unwrap_or_default() }
        })
        .collect()
}

#[test]
fn every_rule_fires_on_its_example_and_not_on_its_near_miss() {
    let mut wrong = Vec::new();
    for case in cases() {
        let found = |prompt: &str| {
            let analysis = in_context(prompt, &case.target, &case.context);
            let hit = analysis.findings.iter().any(|finding| finding.rule_id == case.rule);
            (hit, rules_of(&analysis))
        };
        let (fires, rules) = found(&case.fires);
        if !fires {
            wrong.push(format!("{} should fire: {rules:?}", case.rule));
        }
        let (fires, rules) = found(&case.near_miss);
        if fires {
            wrong.push(format!("{} should not fire: {rules:?}", case.rule));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_rule_has_an_example() {
    let texts: serde_json::Value =
        serde_json::from_str(include_str!("../../../../knowledge/analysis/texts/en.json"))
            .expect("JSON");
    let cases = cases();
    let missing: Vec<&String> = texts["rules"]
        .as_object()
        .expect("rules")
        .keys()
        .filter(|rule| !cases.iter().any(|case| case.rule == **rule))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn quoted_fenced_and_negated_words_are_no_findings() {
    for prompt in [
        "Explain why \"make it good, maybe with some ideas, etc.\" is a weak request.",
        "Rewrite the request as a precise one for a colleague:\n```\nwrite something good, maybe not too long\n```",
        "List ten rivers in Peru. Do not be vague, and avoid words such as `something`.",
        "Greet {{something good}} in five words.",
        "Explain the words in the sentence 'maybe some ideas or something nice' to a child.",
    ] {
        let analysis = analysis::analyze(prompt);
        let vague: Vec<String> = rules_of(&analysis)
            .into_iter()
            .filter(|rule| {
                rule.starts_with("vague")
                    || rule.starts_with("hedging")
                    || rule.starts_with("open_list")
            })
            .collect();
        assert!(vague.is_empty(), "{prompt}: {vague:?}");
    }
}

#[test]
fn rules_over_words_know_six_languages() {
    for (prompt, rules) in [
        (
            "Schreibe vielleicht einen schönen Text über Bienen, nicht zu lang, usw.",
            &["hedging", "vague_quality", "vague_length", "open_list"][..],
        ),
        (
            "Gib mir einige Ideen und mehrere Tipps für ein Fest. Mindestens 500 Wörter, höchstens 200 Wörter.",
            &["vague_quantity", "conflicting_counts"],
        ),
        ("Verbessere den folgenden Text.", &["missing_material"]),
        (
            "Dame algunas ideas, quizás algo bonito, no muy largo, etc.",
            &["vague_quantity", "hedging", "vague_quality", "vague_length", "open_list"],
        ),
        (
            "Escribe un informe de al menos 500 palabras y como máximo 300 palabras sobre el agua.",
            &["conflicting_counts"],
        ),
        ("Traduce este texto al alemán.", &["missing_material"]),
        (
            "Donne-moi quelques idées, peut-être quelque chose de bien, pas trop long.",
            &["vague_quantity", "hedging", "vague_quality", "vague_length"],
        ),
        (
            "Rédige un rapport d'au moins 500 mots et au maximum 300 mots sur l'eau.",
            &["conflicting_counts"],
        ),
        ("Corrige le texte suivant.", &["missing_material"]),
        (
            "Dammi alcuni consigli, magari qualcosa di bello, non troppo lungo, ecc.",
            &["vague_quantity", "hedging", "vague_quality", "vague_length", "open_list"],
        ),
        (
            "Scrivi una relazione di almeno 500 parole e al massimo 300 parole sull'acqua.",
            &["conflicting_counts"],
        ),
        (
            "Dê algumas ideias, talvez algo bonito, não muito longo, etc.",
            &["vague_quantity", "hedging", "vague_quality", "vague_length", "open_list"],
        ),
        (
            "Escreva um relatório de pelo menos 500 palavras e no máximo 300 palavras sobre a água.",
            &["conflicting_counts"],
        ),
        ("Traduza o seguinte texto para o inglês.", &["missing_material"]),
    ] {
        let found = rules_of(&analysis::analyze(prompt));
        for rule in rules {
            assert!(
                found.iter().any(|known| known.starts_with(rule)),
                "{rule} in {prompt}: {found:?}"
            );
        }
    }
}

#[test]
fn prompts_in_other_scripts_are_judged_by_what_is_the_same_in_all() {
    for prompt in [
        "请把这段话翻译成英文：今天天气很好，我们去公园散步。",
        "東京で三日間過ごす旅程を、予算五万円で作ってください。",
        "Напиши письмо арендодателю: отопление не работает с понедельника.",
        "اكتب رسالة قصيرة إلى مالك الشقة عن عطل التدفئة منذ يوم الاثنين.",
        "כתוב מכתב לבעל הדירה על תקלה בחימום מיום שני.",
        "서울에서 이틀 동안 볼 만한 곳을 표로 정리해 주세요.",
    ] {
        let analysis = analysis::analyze(prompt);
        assert_eq!(rules_of(&analysis), ["unjudged_language:"], "{prompt}");
        let broken = format!("{prompt} {{{{имя}} AKIAIOSFODNN7EXAMPLE\n```");
        let rules = rules_of(&analysis::analyze(&broken));
        for rule in ["secret", "unbalanced_braces", "unclosed_fence"] {
            assert!(
                rules.iter().any(|known| known.starts_with(rule)),
                "{rule} in {broken}: {rules:?}"
            );
        }
    }
}

const LANGUAGES: [&str; 6] = ["en", "de", "es", "fr", "it", "pt"];

/// A data file of a language.
fn data(folder: &str, language: &str) -> serde_json::Value {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join("../../knowledge/analysis").join(folder).join(format!("{language}.json"));
    serde_json::from_str(&std::fs::read_to_string(path).expect("a file")).expect("JSON")
}

/// The texts in a value, by their path.
fn texts(value: &serde_json::Value, path: &str, found: &mut Vec<(String, String)>) {
    match value {
        serde_json::Value::String(text) => found.push((path.to_owned(), text.clone())),
        serde_json::Value::Object(map) => {
            map.iter().for_each(|(key, value)| texts(value, &format!("{path}/{key}"), found));
        }
        serde_json::Value::Array(list) => list
            .iter()
            .enumerate()
            .for_each(|(at, value)| texts(value, &format!("{path}/{at}"), found)),
        _ => {}
    }
}

#[test]
fn every_text_is_in_every_language_with_the_same_places() {
    let of = |language: &str| {
        let mut found = Vec::new();
        texts(&data("texts", language), "", &mut found);
        found.sort();
        found
    };
    let places = |text: &str| (text.matches("{}").count(), text.matches("{2}").count());
    let english = of("en");
    for language in &LANGUAGES[1..] {
        let translated = of(language);
        assert_eq!(english.len(), translated.len(), "{language}");
        for ((key, text), (other, translation)) in english.iter().zip(&translated) {
            assert_eq!(key, other, "{language}");
            assert_eq!(places(text), places(translation), "{language} {key}");
            assert!(text != translation && translation.len() > 8, "{language} {key}: {text}");
        }
    }
}

#[test]
fn every_phrase_speaks_for_something() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/analyze");
    let sources: String = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|file| std::fs::read_to_string(file.expect("a file").path()).expect("text"))
        .collect();
    for language in LANGUAGES {
        for row in data("words", language)["phrases"].as_array().expect("rows") {
            let name = row[0].as_str().expect("a name");
            assert!(sources.contains(&format!("\"{name}\"")), "{language}: {name}");
        }
    }
}
