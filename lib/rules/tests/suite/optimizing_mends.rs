//! The conservative version is what the findings' own mends make of a prompt.
#![allow(clippy::expect_used)]

use crate::common;

use common::target;
use domain::Timestamp;
use engine::{AnalyzedOptimization, Engine, PromptBrief, VersionLabel};
use futures::FutureExt;
use rules::Rules;

fn both(prompt: &str, context: &str) -> AnalyzedOptimization {
    let brief = PromptBrief {
        prompt: prompt.to_owned(),
        context: context.to_owned(),
        language: "en".to_owned(),
        target_model: target("Universal"),
        variations: 2,
        images: Vec::new(),
    };
    Rules
        .analyze_and_optimize(&brief, Timestamp::from_millis(0))
        .now_or_never()
        .expect("rules never wait")
        .expect("a result")
}

/// Prompts that rules find something in and others, in six languages.
fn prompts() -> Vec<String> {
    let fields = |text: &'static str, first: usize, count: usize| {
        text.lines()
            .filter(|line| !line.starts_with('#'))
            .flat_map(move |line| line.split('\t').skip(first).take(count))
            .map(|field| field.replace("\\n", "\n"))
    };
    fields(include_str!("analyzing_rules.tsv"), 2, 2)
        .chain(fields(include_str!("analyzing_languages.tsv"), 2, 1))
        .chain(OFTEN.map(str::to_owned))
        .filter(|prompt| prompt.chars().any(char::is_alphanumeric))
        .collect()
}

/// Prompts with several mends that meet.
const OFTEN: [&str; 8] = [
    "Hi there! Please, maybe write the the poem, please!!! Thanks.",
    "Please keep it short. Write about {{x}}. Keep it short please. Please keep it short.",
    "Try to mention {{name} and {city}}. Maybe, if possible, add a picture (please) at the end, perhaps.",
    "- Please mention the price.\n- Please mention the price.\n- Mention the date, please.",
    "DO NOT guess. You MUST ALWAYS cite. NEVER invent. It is VERY IMPORTANT!!! What???\n```\nlet x",
    "Hallo! Schreibe bitte vielleicht einen Text, bitte. Vielleicht mit Beispielen. Danke!",
    "Bonjour, rédige s'il te plaît un texte, peut-être avec des des exemples. Merci d'avance !",
    "Hola, escribe por favor un texto, tal vez con ejemplos. ¡Gracias!",
];

#[test]
fn every_change_of_the_conservative_version_names_a_finding() {
    let mut changes = 0;
    for prompt in prompts() {
        let result = both(&prompt, "");
        let version = &result.versions[0];
        assert_eq!(version.label, VersionLabel::Conservative);
        for change in &version.changes {
            let rule = change.rule_id.as_deref().unwrap_or_else(|| panic!("{prompt}: {change:?}"));
            let found = |finding: &engine::Finding| finding.rule_id == rule;
            assert!(result.analysis.findings.iter().any(found), "{prompt}: {change:?}");
            changes += 1;
        }
    }
    assert!(changes > 40, "{changes} changes");
}

#[test]
fn nothing_is_left_to_mend_in_a_conservative_version() {
    let mut mended = 0;
    for prompt in prompts() {
        let once = both(&prompt, "").versions.swap_remove(0);
        if once.changes.is_empty() {
            continue;
        }
        mended += 1;
        let twice = both(&once.prompt, "").versions.swap_remove(0);
        assert_eq!(twice.prompt, once.prompt, "{prompt}: {:?}", twice.changes);
    }
    assert!(mended > 20, "{mended} prompts");
}

#[test]
fn words_are_taken_out_without_a_trace() {
    for (prompt, mended) in [
        ("Please write a haiku about rain.", "Write a haiku about rain."),
        ("please write a haiku about rain.", "write a haiku about rain."),
        ("Write a haiku about rain, please.", "Write a haiku about rain."),
        ("Write, please, a haiku about rain.", "Write a haiku about rain."),
        (
            "Write a haiku about rain, maybe with a cat in it.",
            "Write a haiku about rain, with a cat in it.",
        ),
        ("Maybe mention a cat. Write a haiku.", "Mention a cat. Write a haiku."),
        ("- Maybe mention a cat\n- Use five words", "- Mention a cat\n- Use five words"),
        ("Write a haiku (please) about the the rain!!!", "Write a haiku about the rain!"),
        ("Schreibe bitte ein Haiku über den Regen.", "Schreibe ein Haiku über den Regen."),
        ("Bitte schreibe ein Haiku über den Regen.", "Schreibe ein Haiku über den Regen."),
        (
            "Write a haiku about rain.\nUse the word wet once.\nUse the word wet once.",
            "Write a haiku about rain.\nUse the word wet once.",
        ),
        (
            "Write a haiku.\r\n\r\nUse the word wet once.\r\n\r\nUse the word wet once.\r\n\r\nUse no comma.",
            "Write a haiku.\r\n\r\nUse the word wet once.\r\n\r\nUse no comma.",
        ),
        (
            "List three reasons why rivers may perhaps flood.",
            "List three reasons why rivers may perhaps flood.",
        ),
        ("Play a song that is la la la.", "Play a song that is la la la."),
    ] {
        assert_eq!(both(prompt, "").versions[0].prompt, mended);
    }
}

#[test]
fn the_greetings_of_a_letter_are_no_filler() {
    for prompt in [
        "Dear {{first_name}},\n\nThank you for your order. We have sent the parcel today.\n\nKind regards\nYour team at {{shop}}",
        "Translate into German.\n\nThe parcel was sent today.\nKind regards\nYour team in Graz and in Linz",
    ] {
        assert_eq!(both(prompt, "").versions[0].prompt, prompt);
    }
}

#[test]
fn the_wording_of_examples_is_neither_found_nor_mended() {
    let prompt = "Label the tone of each message in one word.\n\nInput: Please help me, maybe today!!!\nOutput: polite\n\nInput: Thanks. Do it now.\nOutput: rude";
    let result = both(prompt, "");
    assert_eq!(result.versions[0].prompt, prompt);
    let wording = ["filler", "hedging", "over_emphasis"];
    let found =
        result.analysis.findings.iter().find(|finding| wording.contains(&finding.rule_id.as_str()));
    assert!(found.is_none(), "{found:?}");
}

#[test]
fn what_only_the_context_demands_is_found_and_added_once() {
    for (prompt, context, added) in [
        ("Write a product page.", "Tone: dry.", "Write a product page. Tone: dry."),
        (
            "Write a product page.\n- 80 words",
            "Never mention prices.",
            "Write a product page.\n- 80 words\n\nNever mention prices.",
        ),
    ] {
        let result = both(prompt, context);
        let version = &result.versions[0];
        assert_eq!(version.prompt, added);
        assert!(
            version
                .changes
                .iter()
                .all(|change| change.rule_id.as_deref() == Some("unstated_context"))
        );
        assert_eq!(both(&version.prompt, context).versions[0].prompt, added);
    }
}
