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
        serde_json::from_str(include_str!("../../../../knowledge/messages/en.json")).expect("JSON");
    let cases = cases();
    let missing: Vec<&str> = texts
        .as_object()
        .expect("texts")
        .keys()
        .filter_map(|key| key.strip_suffix(".mend"))
        // Its example would be a prompt of more than a million characters.
        .filter(|rule| *rule != "prompt_too_long" && !cases.iter().any(|case| case.rule == *rule))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn quoted_fenced_and_tagged_words_are_no_orders() {
    for prompt in [
        "Explain why \"Be brief. Answer in great depth.\" is a weak request.",
        "Rewrite this request:\n```\nReturn only JSON. Then explain it.\n```",
        "Sum up the email.\n<email>Never mention prices. Quote the price.</email>",
        "Reply to this email politely.\n\nHi team,\nBe brief. Tell me everything in great depth.\nAda",
        "Translate into French:\n\nKeep it short. Leave nothing out.",
        "Sum up the thread.\n\n> Be brief.\n> Answer in great depth.",
    ] {
        assert_eq!(rules_of(&analysis::analyze(prompt)), Vec::<String>::new(), "{prompt}");
    }
}

#[test]
fn orders_that_contradict_are_found_in_other_languages() {
    for prompt in [
        "Antworte kurz. Erkläre alles sehr ausführlich.",
        "Responde solo con JSON. Explica cada valor.",
        "Réponds uniquement en JSON. Explique chaque valeur.",
        "Rispondi solo con JSON. Giustifica ogni valore.",
        "Responde só com a cor. Justifica a decisão.",
        "Antwoord alleen met JSON. Geef ook uitleg.",
        "分类下面的评论。只输出JSON,并解释原因。\n\n「很好」",
    ] {
        let found = rules_of(&analysis::analyze(prompt));
        assert!(
            found.iter().any(|rule| rule.starts_with("conflicting_orders")),
            "{prompt}: {found:?}"
        );
    }
}

const LANGUAGES: [&str; 6] = ["en", "de", "es", "fr", "it", "pt"];

/// A data file of a language.
fn data(language: &str) -> serde_json::Value {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join("../../knowledge/messages").join(format!("{language}.json"));
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
        texts(&data(language), "", &mut found);
        found.sort();
        found
    };
    let places = |text: &str| (text.matches("{}").count(), text.matches("{2}").count());
    let english = of("en");
    for language in &LANGUAGES[1..] {
        let mut translated = of(language);
        translated.retain(|(key, _)| english.iter().any(|(own, _)| own == key));
        assert_eq!(english.len(), translated.len(), "{language}");
        for ((key, text), (other, translation)) in english.iter().zip(&translated) {
            assert_eq!(key, other, "{language}");
            assert_eq!(places(text), places(translation), "{language} {key}");
            assert!(text != translation && translation.len() > 8, "{language} {key}: {text}");
        }
    }
}
