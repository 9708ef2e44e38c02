//! What optimizing says about its versions agrees with what they are.
#![allow(clippy::expect_used)]

use crate::common;

use common::target;
use domain::Timestamp;
use engine::{AnalyzedOptimization, Engine, Optimization, PromptBrief, Severity};
use futures::FutureExt;
use rules::Rules;

fn brief(prompt: &str, context: &str, variations: u8) -> PromptBrief {
    PromptBrief {
        prompt: prompt.to_owned(),
        context: context.to_owned(),
        language: "en".to_owned(),
        target_model: target("Claude Opus 5.5"),
        variations,
        images: Vec::new(),
    }
}

fn optimized(brief: &PromptBrief) -> Optimization {
    let result = Rules.optimize(brief, Timestamp::from_millis(0)).now_or_never();
    result.expect("rules never wait").expect("a result")
}

fn both(brief: &PromptBrief) -> AnalyzedOptimization {
    let result = Rules.analyze_and_optimize(brief, Timestamp::from_millis(0)).now_or_never();
    result.expect("rules never wait").expect("a result")
}

const PROMPTS: [&str; 8] = [
    "Make it nice.",
    "Summarize the text.",
    "Write something about dogs, maybe.",
    "Translate 'Good morning' into French.",
    "What is the capital of Australia?",
    "Improve the following email:",
    "Write a landing page for our bakery in Graz. We have 3 shops. Keep it under 200 words. Do not use emojis. Mention the free coffee on Mondays.",
    "# Mission\nSum up the report.\n\n# House style\n- 3 bullets",
];

#[test]
fn nothing_is_called_clear_beside_a_grave_finding() {
    let mut grave = 0;
    for prompt in PROMPTS {
        let result = both(&brief(prompt, "", 2));
        let after = |severity: Severity| {
            let open = &result.open_finding_ids;
            result
                .analysis
                .findings
                .iter()
                .filter(|finding| finding.severity >= severity && open.contains(&finding.id))
                .map(|finding| finding.message.clone())
                .collect::<Vec<_>>()
        };
        let open = after(Severity::Medium);
        grave += usize::from(!open.is_empty());
        let careful = &result.versions[0];
        let clear = careful.rationale.contains("clear as it is");
        assert_eq!(clear, careful.changes.is_empty() && open.is_empty(), "{prompt}: {careful:?}");
        assert_eq!(careful.best_for == "Use it as it is.", clear, "{prompt}");
        if let Some(worst) = after(Severity::High).first() {
            assert!(careful.rationale.contains(worst.as_str()), "{prompt}: {}", careful.rationale);
        }
    }
    assert!(grave >= 4, "{grave} prompts with grave findings");
}

#[test]
fn a_layout_claims_only_what_it_has() {
    let prompt = PROMPTS[6];
    let version = &optimized(&brief(prompt, "", 2)).versions[1];
    assert!(version.prompt.contains("<requirements>"));
    assert!(version.expected_impact.contains("requirement"), "{}", version.expected_impact);
    assert!(version.rationale.contains("Added: "), "{}", version.rationale);
    let version = &optimized(&brief("Write a haiku.", "Our garden has a pond.", 2)).versions[1];
    assert!(!version.prompt.contains("<requirements>"), "{}", version.prompt);
    assert!(!version.expected_impact.contains("requirement"), "{}", version.expected_impact);
}

#[test]
fn two_versions_differ_and_one_is_explained() {
    for prompt in PROMPTS {
        let result = optimized(&brief(prompt, "", 2));
        let explained =
            result.implementation_advice.iter().any(|line| line.contains("one version only"));
        match &result.versions[..] {
            [one, two] => assert_ne!(one.prompt, two.prompt),
            [_] => assert!(explained, "{:?}", result.implementation_advice),
            _ => panic!("{} versions", result.versions.len()),
        }
        assert_eq!(explained, result.versions.len() == 1, "{prompt}");
        assert!((2..=4).contains(&result.implementation_advice.len()));
        let single = optimized(&brief(prompt, "", 1));
        assert_eq!(single.versions.len(), 1);
        assert!(!single.implementation_advice[0].contains("one version only"));
    }
}

#[test]
fn material_that_came_as_context_is_there_when_its_finding_is_resolved() {
    let content = "Sales rose by 4 % in May and fell in June. The board was surprised.\n\nNo reason was given.";
    for prompt in
        ["Summarize the text.", "Improve the following email:", "Translate this into French."]
    {
        for variations in [1, 2] {
            let result = both(&brief(prompt, content, variations));
            let missing: Vec<_> = result
                .analysis
                .findings
                .iter()
                .filter(|finding| finding.rule_id == "missing_material")
                .collect();
            for finding in missing {
                let resolved = result.resolved_finding_ids.contains(&finding.id);
                let all = result.versions.iter().all(|version| version.prompt.contains(content));
                assert_eq!(resolved, all, "{prompt}: {:?}", result.versions);
            }
            let last = result.versions.last().expect("a version");
            assert!(last.prompt.contains(&format!("```\n{content}\n```")), "{}", last.prompt);
        }
    }
}

#[test]
fn degenerate_prompts_are_not_inflated() {
    let filled = format!("Write a poem.{}About cats.", "\n".repeat(49_900));
    let reqs: String = (0..3000).map(|at| format!("Keep {at} items. ")).collect();
    for prompt in [
        "a",
        "?",
        &filled,
        &reqs,
        &"Write about cats.\n".repeat(2700),
        &"cat\n".repeat(12_000),
        &"Thanks! ".repeat(6000),
        &"Q: a\nA: b\n".repeat(5000),
        &"Examples:\n- a\n\n".repeat(3000),
    ] {
        for version in optimized(&brief(prompt, "", 2)).versions {
            let (length, given) = (version.prompt.chars().count(), prompt.chars().count());
            assert!(length <= given + 2000, "{length} characters from {given}");
        }
    }
}

#[test]
fn repeated_lines_stand_once() {
    let prompt = format!(
        "Write a menu for our café in plain words.\n{}Keep it under 90 words.",
        "no nuts\n".repeat(3000)
    );
    for version in optimized(&brief(&prompt, "", 2)).versions {
        assert_eq!(version.prompt.matches("no nuts").count(), 1, "{:.300}", version.prompt);
    }
    let code = format!(
        "Explain this code to a beginner.\n```\nfn x() {{\n{}}}\n```",
        "  step();\n".repeat(300)
    );
    for version in optimized(&brief(&code, "", 2)).versions {
        assert_eq!(version.prompt.matches("step();").count(), 300);
    }
    // What is repeated a few times may be meant.
    let song = "Set this to music as a round for children:\nla la\nla la\nla la\nend";
    assert_eq!(optimized(&brief(song, "", 2)).versions[0].prompt.matches("la la").count(), 3);
}

#[test]
fn a_request_with_rules_of_its_own_has_two_versions() {
    let prompt = "Write some blog post about {{product}} for our customers, maybe 300 words. Mention the price of 49.90 EUR and quote \"built to last\".";
    for model in ["Universal", "Claude Opus 5.5", "GPT-6.2 Sol", "DeepSeek V4.1"] {
        let brief = PromptBrief { target_model: target(model), ..brief(prompt, "", 2) };
        assert_eq!(optimized(&brief).versions.len(), 2, "{model}");
    }
}
