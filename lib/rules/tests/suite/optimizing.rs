//! Better versions of prompts.
#![allow(clippy::expect_used)]

use crate::common;

use common::target;
use domain::Timestamp;
use engine::{
    AnalyzedOptimization, Engine, EngineError, Optimization, OptimizedVersion, PromptBrief,
    VersionLabel, catalogue, changes,
};
use futures::FutureExt;
use rules::Rules;

fn brief(prompt: &str, model: &str) -> PromptBrief {
    PromptBrief {
        prompt: prompt.to_owned(),
        context: String::new(),
        language: "en".to_owned(),
        target_model: target(model),
        variations: 2,
        images: Vec::new(),
    }
}

fn run(brief: &PromptBrief) -> Result<Optimization, EngineError> {
    Rules.optimize(brief, Timestamp::from_millis(0)).now_or_never().expect("rules never wait")
}

/// The corrected version and the one laid out anew; the corrected one twice where there is no other.
fn both(prompt: &str, model: &str) -> (OptimizedVersion, OptimizedVersion) {
    let result = run(&brief(prompt, model)).expect("a result");
    let mut versions = result.versions.into_iter();
    let first = versions.next().expect("one");
    assert_eq!(first.label, VersionLabel::Conservative);
    let second = versions.next();
    assert!(second.iter().all(|version| version.label == VersionLabel::Restructured));
    (first.clone(), second.unwrap_or(first))
}

const MIXED: &str = "Write a blog post about {{topic}} for our shop. Mention the discount of 15%. You MUST ALWAYS mention https://bakery.example/shop. Use the slogan \"Fresh at 6\".\n- Keep it under 400 words.\n- No emojis at all.\n\nText: {{text}}";

#[test]
fn a_correction_changes_only_what_a_rule_found() {
    let (version, _) = both(MIXED, "Universal");
    assert_eq!(
        version.prompt,
        "Write a blog post about {{topic}} for our shop. Mention the discount of 15%. You MUST ALWAYS mention https://bakery.example/shop. Use the slogan \"Fresh at 6\".\n- Keep it under 400 words.\n- No emojis at all.\n\nText: <text>{{text}}</text>"
    );
    let rules: Vec<&str> =
        version.changes.iter().filter_map(|change| change.rule_id.as_deref()).collect();
    assert_eq!(rules, ["undelimited_variable"]);
    assert!(version.changes.iter().all(|change| change.reason.is_some()));
    assert_eq!(changes::apply(MIXED, &version.changes).as_deref(), Some(version.prompt.as_str()));
}

#[test]
fn what_rules_cannot_mend_surely_stays_byte_for_byte() {
    for prompt in [
        "Please   be so kind and write something nice, maybe with ideas!!!",
        "Reply to this email politely. Keep it under 100 words.\n\nHi team,\nPlease send me the invoice by Friday. Do not call me.\nBest,\nAda",
        "Translate into French:\n\nPlease close the door. Do not smoke here.",
        "You are a support agent.\n\n{{#if vip}}\nAlways offer the customer a refund first.\n{{else}}\nNever offer a refund.\n{{/if}}\n\nAnswer the question: {{question}}\nDo not promise a date.",
        "You write order summaries.\n\n{% for o in orders %}\n- order {{o.id}}: {{o.state}}\n{% endfor %}\n\nSummarize the orders of {{day}.",
        "<|im_start|>system\nYou are kind. You serve {{shop}.<|im_end|>\n<|im_start|>user\n{{x}}<|im_end|>",
        "---\nname: x\n---\nsystem:\nSum up the text: {{text}}",
        "[{\"role\": \"system\", \"content\": \"Sum up the text: {{text}}\"}]",
        "Explain this:\n```\nplease  do!!!   {{name}\n```",
        "Q: red shoes\nA: shoe\n\nQ: blue hats\nA: hat\n\nQ: {{query}}\nA:",
    ] {
        let result = run(&brief(prompt, "Universal")).expect("a result");
        let prompts: Vec<&str> =
            result.versions.iter().map(|version| version.prompt.as_str()).collect();
        assert_eq!(prompts, [prompt]);
        assert_eq!(result.versions[0].score_before, result.versions[0].score_after);
        assert!(
            result.implementation_advice[0].starts_with("There is one version only:"),
            "{prompt}"
        );
    }
}

#[test]
fn headings_become_tags_for_models_that_read_tags() {
    let prompt = "# Role\nYou are an editor.\n\n# Task\nCut the text by half.";
    let tagged = "<role>\nYou are an editor.\n</role>\n\n<task>\nCut the text by half.\n</task>";
    let result = run(&brief(prompt, "Claude Opus 5.5")).expect("a result");
    let prompts: Vec<&str> =
        result.versions.iter().map(|version| version.prompt.as_str()).collect();
    assert_eq!(prompts, [prompt, tagged]);
    assert_eq!(run(&brief(prompt, "GPT-6.2 Sol")).expect("a result").versions.len(), 1);
}

#[test]
fn a_context_is_no_part_of_the_prompt() {
    let brief = PromptBrief {
        context: "It is for beginners.".to_owned(),
        ..brief("Explain tides.", "Universal")
    };
    let result = run(&brief).expect("a result");
    assert_eq!(result.versions[0].prompt, "Explain tides.");
    assert!(
        result.implementation_advice.iter().any(|line| line.starts_with("The context is not part"))
    );
}

#[test]
fn a_number_of_a_clip_is_never_lost_without_a_word() {
    let prompt = "A man walks. The camera pans left, then zooms in at 3 s. 24fps.";
    for version in run(&brief(prompt, "Veo 3.1")).expect("a result").versions {
        assert!(
            version.prompt.contains("3 s") || version.integrity.numbers_lost == ["3"],
            "{}",
            version.prompt
        );
    }
}

#[test]
fn broken_markers_are_mended() {
    let (version, _) = both("Greet {{name} and {city}}. Run:\n```sh\nls  -la", "Universal");
    assert!(version.prompt.starts_with("Greet {{name}} and {{city}}."), "{}", version.prompt);
    let (version, _) = both("Use {curly} and {{{raw}}} and `{{x}` as they are.", "Universal");
    assert!(version.prompt.contains("{curly} and {{{raw}}} and `{{x}`"), "{}", version.prompt);
}

#[test]
fn findings_are_resolved_or_open_and_none_is_both() {
    let prompt = format!("See Appendix B. {MIXED}");
    let result: AnalyzedOptimization = Rules
        .analyze_and_optimize(&brief(&prompt, "Claude Opus 5.5"), Timestamp::from_millis(0))
        .now_or_never()
        .expect("rules never wait")
        .expect("a result");
    let all = result.analysis.findings.len();
    assert_eq!(result.resolved_finding_ids.len() + result.open_finding_ids.len(), all);
    assert!(result.resolved_finding_ids.iter().all(|id| !result.open_finding_ids.contains(id)));
    assert!(!result.resolved_finding_ids.is_empty() && !result.open_finding_ids.is_empty());
}

#[test]
fn every_model_takes_every_kind_of_prompt() {
    let degenerate = [
        "?",
        "{{",
        "```",
        "```\n",
        "\u{0}a",
        "e\u{301}👩‍💻",
        "- ",
        "\n\n\na\n\n",
        "<a>\n</a>",
        "\"",
        "--ar",
        "Negative prompt:",
        ":",
        "：",
        "# \n",
        "a\r\n\r\nb",
        "{{x}}{{x}}",
        "| a |",
        "> ",
    ];
    // Every model takes a real prompt and a quarter of the odd ones, so every odd one has nine models.
    for (number, model) in catalogue().iter().enumerate() {
        let odd = degenerate.into_iter().skip(number % 4).step_by(4);
        for prompt in odd.chain([MIXED]) {
            let result = run(&brief(prompt, &model.name))
                .unwrap_or_else(|error| panic!("{prompt:?} for {}: {error}", model.name));
            for version in &result.versions {
                assert!(version.integrity.passed);
                assert_eq!(
                    changes::apply(prompt, &version.changes).as_ref(),
                    Some(&version.prompt)
                );
            }
        }
    }
}

#[test]
fn a_prompt_without_visible_text_is_rejected() {
    for prompt in ["", "  \n\t", "\u{0}\u{1}"] {
        assert!(matches!(run(&brief(prompt, "Universal")), Err(EngineError::Rejected { .. })));
    }
}

/// Everything that a result says about itself.
fn said(result: &Optimization) -> Vec<String> {
    let mut list = result.implementation_advice.clone();
    for version in &result.versions {
        list.extend(
            [&version.rationale, &version.expected_impact, &version.best_for].map(String::clone),
        );
        list.extend(version.techniques.iter().map(|technique| technique.why.clone()));
        list.extend(version.changes.iter().map(|change| change.reason.clone().unwrap_or_default()));
    }
    list
}

#[test]
fn a_result_speaks_the_language_that_was_asked_for() {
    let prompts = [
        MIXED,
        "Greet {{name} kindly, write some tips, list 5 tips.\n```\nx",
        "What is the capital of Australia?",
        "Refactor the function that we use in the three services for our customers and explain what you changed.",
        "a red fox in the snow, no people",
        "Summarize the text.",
    ];
    for prompt in prompts {
        for model in [
            "Claude Opus 5.5",
            "GPT-6.2 Sol",
            "Midjourney V8.1",
            "Stable Diffusion 3.5",
            "Kling 4.0",
        ] {
            let english = run(&brief(prompt, model)).expect("a result");
            assert_eq!(english.language, "en");
            for tag in ["de", "es", "fr", "it", "pt-BR"] {
                let result = run(&PromptBrief { language: tag.to_owned(), ..brief(prompt, model) })
                    .expect("a result");
                assert_eq!(result.language, tag);
                let prompts = |result: &Optimization| -> Vec<String> {
                    result.versions.iter().map(|version| version.prompt.clone()).collect()
                };
                assert_eq!(prompts(&result), prompts(&english));
                for (own, english) in said(&result).iter().zip(said(&english)) {
                    assert_ne!(*own, english, "no translation into {tag}");
                }
            }
            let other = PromptBrief { language: "ja".to_owned(), ..brief(prompt, model) };
            assert_eq!(run(&other).expect("a result").language, "ja");
        }
    }
}

#[test]
fn the_same_prompt_always_gives_the_same_versions() {
    let one = run(&brief(MIXED, "GPT-6.2 Sol")).expect("a result");
    assert_eq!(one, run(&brief(MIXED, "GPT-6.2 Sol")).expect("a result"));
}

#[test]
fn long_prompts_are_optimized() {
    for piece in [
        "Write about cats. ",
        "- item {{a}}\n",
        "word ",
        "```\nx\n```\n",
        "日本語。",
        "a",
        "\"q\" ",
        "Keep it under 5 words: ",
    ] {
        let prompt: String = piece.chars().cycle().take(50_000).collect();
        let result = run(&brief(&prompt, "Claude Opus 5.5")).expect("a result");
        assert!(result.versions.iter().all(|version| version.integrity.passed), "{piece}");
    }
}

#[test]
fn a_time_of_day_is_no_aspect_ratio() {
    for (prompt, ratio) in [
        ("A baker opens his shop at 6:15 in the morning, warm light", None),
        ("A clock tower showing 4:5 am, fog", None),
        ("A station clock at 16:10, long shadows", None),
        ("A final with the score 10:12 on a board", None),
        ("A lighthouse in a storm, 16:9", Some("16:9")),
        ("A lighthouse in a storm, aspect ratio 7:4", Some("7:4")),
        ("A lighthouse in a storm in 21:9 format", Some("21:9")),
    ] {
        for version in run(&brief(prompt, "Midjourney V8.1")).expect("a result").versions {
            let stated = version.prompt.split("--ar ").nth(1);
            let stated = stated.and_then(|rest| rest.split_whitespace().next());
            match ratio {
                Some(ratio) => assert_eq!(stated, Some(ratio), "{prompt}: {}", version.prompt),
                None => {
                    let time =
                        prompt.split(' ').find(|word| word.contains(':')).unwrap_or_default();
                    let time = time.trim_end_matches(',');
                    assert_ne!(stated, Some(time), "{prompt}: {}", version.prompt);
                    assert!(version.prompt.contains(time), "{prompt}: {}", version.prompt);
                }
            }
        }
    }
}
