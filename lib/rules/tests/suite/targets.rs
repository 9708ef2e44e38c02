//! The conventions of target models, modes and languages.
#![allow(clippy::expect_used)]

use crate::common;

use common::{for_target, generate, run, target};
use std::collections::BTreeSet;

use engine::{GenerateBrief, Mode, ModelKind, TargetModel, catalogue, number_of};
use utoipa::PartialSchema;

const EMAIL: &str = "Write an email to my team about the move to Basel on May 4, under 100 words";

#[test]
fn the_catalogue_has_37_models_and_universal_is_the_default() {
    assert_eq!(catalogue().len(), 37);
    assert_eq!(TargetModel::default().as_str(), "Universal");
    let kinds = |kind| catalogue().iter().filter(|model| model.kind == kind).count();
    assert_eq!(
        (
            kinds(ModelKind::Universal),
            kinds(ModelKind::Text),
            kinds(ModelKind::Image),
            kinds(ModelKind::Video)
        ),
        (1, 16, 11, 9)
    );
    assert!(catalogue().iter().all(|model| model.guidance.len() > 60));
}

#[test]
fn every_model_has_a_number_of_its_own_that_fits_a_field_of_64_bits() {
    let numbers: BTreeSet<u32> = catalogue().iter().map(|model| model.number).collect();
    assert_eq!(numbers.len(), catalogue().len());
    assert!(numbers.iter().all(|number| *number < 64), "{numbers:?}");
    // Snapshots hold these numbers: a model's never changes.
    let stored =
        [("Universal", 0), ("Claude Opus 5.5", 2), ("Midjourney V8.1", 20), ("LTX-2.5", 36)];
    for (name, number) in stored {
        assert_eq!(number_of(name), Some(number), "{name}");
    }
    assert_eq!(number_of("universal"), None);
}

#[test]
fn target_models_are_read_and_written_by_exact_name() {
    let model: TargetModel = serde_json::from_str("\"Veo 3.1\"").expect("a known name");
    assert_eq!(serde_json::to_string(&model).expect("JSON"), "\"Veo 3.1\"");
    assert!(serde_json::from_str::<TargetModel>("\"veo 3.1\"").is_err());
    let schema = serde_json::to_value(TargetModel::schema()).expect("JSON");
    assert_eq!(schema["enum"].as_array().expect("an enum").len(), 37);
    assert!(schema["default"].is_null(), "operations say themselves what they assume");
    let entry = serde_json::to_value(&catalogue()[0]).expect("JSON");
    assert_eq!(entry.as_object().expect("an object").len(), 4, "{entry}");
}

#[test]
fn every_model_gets_a_prompt_of_its_kind() {
    for model in catalogue() {
        let goal = match model.kind {
            ModelKind::Image => "a lighthouse on a cliff at dusk",
            ModelKind::Video => "a lighthouse on a cliff while a storm rolls in",
            _ => EMAIL,
        };
        let result = run(&for_target(goal, &model.name));
        match model.kind {
            ModelKind::Image => assert_eq!(result.mode, Mode::Image),
            ModelKind::Video => assert_eq!(result.mode, Mode::Video),
            _ => assert_eq!(result.mode, Mode::Writing),
        }
        assert!(!result.prompt.to_lowercase().contains("create a prompt"), "{}", result.prompt);
        assert!(
            result.usage_guide.iter().any(|step| step.contains(&model.name))
                || model.kind == ModelKind::Universal
        );
    }
}

#[test]
fn gpt_gets_outcome_and_style() {
    let prompt = run(&for_target(EMAIL, "GPT-6.2 Sol")).prompt;
    for heading in ["## Outcome", "## Style and approach"] {
        assert!(prompt.contains(heading), "{prompt}");
    }
}

#[test]
fn midjourney_gets_one_line_with_trailing_parameters_that_are_mirrored() {
    let result =
        run(&for_target("a red fox in the snow, no people, 16:9 --seed 42", "Midjourney V8.1"));
    assert!(!result.prompt.contains('\n'));
    let (words, flags) = result.prompt.split_once(" --").expect("flags");
    assert!(words.starts_with("a red fox in the snow"), "{words}");
    for flag in ["ar 16:9", "seed 42", "--no people"] {
        assert!(flags.contains(flag), "{flags}");
    }
    assert_eq!(result.parameters["ar"], "16:9");
    assert_eq!(result.parameters["seed"], 42);
    assert!(result.negative_prompt.is_none());
}

#[test]
fn flux_gets_prose_with_the_users_colours_and_no_negative_prompt() {
    let result = run(&for_target("a stack of pancakes on a #14213D cloth, no people", "FLUX.2"));
    assert!(result.negative_prompt.is_none());
    assert!(
        result.prompt.contains("#14213D") && result.prompt.contains("no people"),
        "{}",
        result.prompt
    );
}

#[test]
fn stable_diffusion_gets_a_short_separate_negative_prompt() {
    let result =
        run(&for_target("portrait of an old fisherman, without a hat", "Stable Diffusion 3.5"));
    let negative = result.negative_prompt.expect("a negative prompt");
    assert_eq!(negative, "hat");
    assert!(!result.prompt.contains("without"), "{}", result.prompt);
}

#[test]
fn families_of_text_models_differ() {
    let prompts: Vec<String> = [
        "Universal",
        "Claude Opus 5.5",
        "GPT-6.2 Sol",
        "Gemini 3.1 Pro",
        "Grok 4.7",
        "Muse Spark 1.3",
        "DeepSeek V4.1",
        "Qwen 4 Max",
        "Kimi K3",
        "Mistral Medium 3.5",
    ]
    .iter()
    .map(|name| run(&for_target(EMAIL, name)).prompt)
    .collect();
    for (index, prompt) in prompts.iter().enumerate() {
        assert!(prompts[index + 1..].iter().all(|other| other != prompt), "{prompt}");
    }
}

#[test]
fn a_mode_that_contradicts_the_target_is_replaced() {
    let result = run(&GenerateBrief { mode: Mode::Code, ..for_target("a lighthouse", "FLUX.2") });
    assert_eq!(result.mode, Mode::Image);
}

#[test]
fn results_are_camel_case_and_every_field_is_required() {
    let schema = serde_json::to_value(engine::Generation::schema()).expect("JSON");
    let result = serde_json::to_value(generate(EMAIL)).expect("JSON");
    let fields: Vec<&String> = result.as_object().expect("an object").keys().collect();
    assert_eq!(schema["required"].as_array().expect("a list").len(), fields.len(), "{schema:#}");
    for field in fields {
        assert!(schema["properties"].get(field).is_some(), "{field}");
    }
    assert!(
        result["systemPrompt"].is_null()
            && result["negativePrompt"].is_null()
            && result["engine"]["model"].is_null()
    );
    assert_eq!(result["engine"]["kind"], "rules");
    let back: engine::Generation = serde_json::from_value(result).expect("the same type");
    assert_eq!(back, generate(EMAIL));
    let model = serde_json::to_value(engine::Model::schema()).expect("JSON");
    assert_eq!(model["properties"].as_object().expect("properties").len(), 4, "{model:#}");
}

#[test]
fn tokens_are_exact_only_where_the_tokenizer_is_public() {
    use engine::{TokenMethod, tokens::estimate};
    let gpt = estimate("hello world", target("GPT-6.2 Sol"));
    assert_eq!((gpt.input, gpt.method), (2, TokenMethod::Exact));
    assert_eq!(estimate("hello world", target("Claude Opus 5.5")).method, TokenMethod::Approximate);
    for run in [
        " ".repeat(200_000),
        "a".repeat(200_000),
        "!".repeat(200_000),
        "ไ".repeat(60_000),
        "1a".repeat(50_000),
        "🏳️‍🌈".repeat(10_000),
    ] {
        let start = cpu_time::ThreadTime::now();
        assert!(estimate(&run, target("GPT-6.2 Sol")).input > 0);
        assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
    }
}
