//! The prompts that the library starts with.

use std::collections::{HashMap, HashSet};

use domain::Timestamp;
use engine::{Engine, ModelKind, PromptBrief, Severity, TargetModel, catalogue};
use futures::FutureExt;
use rules::Rules;
use serde::Deserialize;
use text::variables;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Item {
    title: String,
    description: String,
    what_this_prompt_does: String,
    tips_for_this_prompt: String,
    how_to_use_prompt: String,
    prompt_text: String,
    recommended_models: Vec<String>,
    category: String,
    example_text: String,
}

fn items() -> Vec<Item> {
    serde_json::from_str(include_str!("../../../../infra/library/official.json")).expect("items")
}

fn kind(model: &str) -> ModelKind {
    let known = catalogue().iter().find(|known| known.name == model);
    known.unwrap_or_else(|| panic!("{model} is in the catalogue")).kind
}

#[test]
fn every_field_keeps_to_the_bounds_of_a_library_item() {
    for item in items() {
        let bounds = [
            (&item.title, 90),
            (&item.description, 400),
            (&item.what_this_prompt_does, 1500),
            (&item.tips_for_this_prompt, 1500),
            (&item.how_to_use_prompt, 1500),
            (&item.prompt_text, 20_000),
            (&item.category, 120),
            (&item.example_text, 5000),
        ];
        for (text, most) in bounds {
            let length = text.chars().count();
            assert!((1..=most).contains(&length), "{}: {length} of {most}", item.title);
            assert_eq!(text.trim(), text, "{}: space around a text", item.title);
        }
    }
}

#[test]
fn titles_are_unique_and_there_is_a_choice_in_many_categories() {
    let items = items();
    let titles: HashSet<String> = items.iter().map(|item| item.title.to_lowercase()).collect();
    let categories: HashSet<&str> = items.iter().map(|item| item.category.as_str()).collect();
    assert_eq!(titles.len(), items.len());
    assert!(items.len() >= 72, "{}", items.len());
    assert!(categories.len() >= 12, "{categories:?}");
}

#[test]
fn every_model_is_recommended_and_no_prompt_mixes_kinds() {
    let items = items();
    let mut recommended: HashSet<&str> = HashSet::new();
    for item in &items {
        let models = &item.recommended_models;
        let different: HashSet<&String> = models.iter().collect();
        assert!(
            (1..=8).contains(&models.len()) && different.len() == models.len(),
            "{}",
            item.title
        );
        let media: HashSet<ModelKind> = models
            .iter()
            .map(|model| match kind(model) {
                ModelKind::Universal => ModelKind::Text,
                other => other,
            })
            .collect();
        assert_eq!(media.len(), 1, "{}", item.title);
        recommended.extend(models.iter().map(String::as_str));
    }
    let forgotten: Vec<&str> = catalogue()
        .iter()
        .map(|model| model.name.as_str())
        .filter(|name| !recommended.contains(name))
        .collect();
    assert!(forgotten.is_empty(), "{forgotten:?}");
}

#[test]
fn markers_are_balanced_and_most_prompts_have_variables() {
    let mut with_variables = 0;
    let items = items();
    for item in &items {
        let found = variables::find(&item.prompt_text);
        let markers: u32 = found.iter().map(|variable| variable.occurrences).sum();
        let opened = item.prompt_text.matches("{{").count();
        let closed = item.prompt_text.matches("}}").count();
        assert_eq!((opened, closed), (markers as usize, markers as usize), "{}", item.title);
        for variable in &found {
            let name = variable.name;
            assert!(!name.contains([' ', '-']), "{}: {name}", item.title);
        }
        with_variables += usize::from(!found.is_empty());
    }
    assert!(with_variables * 10 >= items.len() * 9, "{with_variables}");
}

#[test]
fn no_prompt_fits_too_long_for_its_models() {
    for item in items() {
        for model in
            catalogue().iter().filter(|known| item.recommended_models.contains(&known.name))
        {
            let length = item.prompt_text.chars().count();
            assert!(length <= model.max_prompt_chars, "{} for {}", item.title, model.name);
        }
    }
}

#[test]
fn no_two_prompts_share_two_fifths_of_their_wording() {
    let items = items();
    let shingles: Vec<HashSet<String>> =
        items.iter().map(|item| shingles(&item.prompt_text)).collect();
    for (at, one) in shingles.iter().enumerate() {
        assert!(!one.is_empty(), "{}", items[at].title);
        for (other_at, other) in shingles.iter().enumerate().skip(at + 1) {
            let common = one.intersection(other).count();
            let shorter = one.len().min(other.len());
            let (first, second) = (&items[at].title, &items[other_at].title);
            assert!(common * 5 <= shorter * 2, "{first} and {second}: {common} of {shorter}");
        }
    }
}

/// Runs of five words; a script without spaces counts its letters as words.
fn shingles(text: &str) -> HashSet<String> {
    let spaced: String = text
        .chars()
        .flat_map(|c| if c > '\u{2e80}' { vec![' ', c, ' '] } else { vec![c] })
        .collect();
    let words: Vec<String> = spaced
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.windows(5).map(|run| run.join(" ")).collect()
}

#[test]
fn several_languages_are_served() {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for item in items() {
        let padded = format!(" {} ", item.prompt_text.to_lowercase());
        let language = [("ja", " の"), ("de", " und "), ("fr", " avec "), ("es", " los ")]
            .into_iter()
            .find(|(language, word)| match *language {
                "ja" => padded.chars().any(|c| ('\u{3041}'..='\u{3096}').contains(&c)),
                _ => padded.contains(word),
            });
        if let Some((language, _)) = language {
            *counts.entry(language).or_default() += 1;
        }
    }
    assert!(counts.values().sum::<usize>() >= 8 && counts.len() == 4, "{counts:?}");
}

#[test]
fn the_analysis_finds_nothing_grave_in_any_prompt() {
    let mut grave = Vec::new();
    for item in items() {
        for model in &item.recommended_models {
            let brief = PromptBrief {
                prompt: item.prompt_text.clone(),
                context: String::new(),
                language: "en".to_owned(),
                target_model: TargetModel::try_from(model.as_str()).expect("a known model"),
                variations: 1,
                images: Vec::new(),
            };
            let analysis = Rules
                .analyze(&brief, Timestamp::from_millis(0))
                .now_or_never()
                .expect("rules never wait")
                .expect("an analysis");
            grave.extend(
                analysis.findings.iter().filter(|finding| finding.severity >= Severity::High).map(
                    |finding| {
                        format!("{} ({model}): {} {:?}", item.title, finding.rule_id, finding.quote)
                    },
                ),
            );
        }
    }
    assert!(grave.is_empty(), "{grave:#?}");
}
