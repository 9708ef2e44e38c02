//! Analysis of prompts: scores, offsets, languages, context, target models.

use crate::analysis;

use analysis::{Pair, analyze, assert_exact, brief, for_target, pairs, rules_of, run};
use engine::{
    Analysis, Difficulty, EngineError, EngineKind, Image, MetricName, PromptBrief, Rating,
    Severity, catalogue,
};

#[test]
fn the_better_prompt_of_a_pair_scores_higher_by_ten_at_least() {
    let mut close = Vec::new();
    for Pair { target, good, bad } in pairs("twin") {
        let (better, worse) = (for_target(&good, &target), for_target(&bad, &target));
        if better.overall_score < worse.overall_score + 10 {
            close.push(format!(
                "{} {:?} {good:?}\n  {} {:?} {bad:?}",
                better.overall_score,
                rules_of(&better),
                worse.overall_score,
                rules_of(&worse)
            ));
        }
    }
    assert!(close.is_empty(), "{}", close.join("\n"));
}

#[test]
fn short_prompts_that_say_all_are_not_punished() {
    let mut punished = Vec::new();
    let short = pairs("short").into_iter().map(|pair| (pair.good, pair.target));
    let good = pairs("twin").into_iter().map(|pair| (pair.good, pair.target));
    for (prompt, target) in short.chain(good) {
        let result = for_target(&prompt, &target);
        let heavy = result.findings.iter().any(|finding| finding.severity > Severity::Low);
        let unjudged = rules_of(&result).iter().any(|rule| rule.starts_with("unjudged_language"));
        if result.overall_score < if unjudged { 75 } else { 85 } || heavy {
            punished.push(format!("{} {:?} {prompt:?}", result.overall_score, rules_of(&result)));
        }
    }
    assert!(punished.is_empty(), "{}", punished.join("\n"));
}

#[test]
fn offsets_count_code_points_and_quote_exactly() {
    for prompt in [
        "👩‍👩‍👧 Schreibe vielleicht einen schönen Text 🙂 mit einigen Ideen, usw. {{Name}} {{name}} {x} AKIAIOSFODNN7EXAMPLE",
        "今日は {{name と {{ }} TODO AKIAIOSFODNN7EXAMPLE (括弧",
        "اكتب {{name}} و{{Name}} ثم 4111 1111 1111 1111 في النهاية ```\nx",
        "Cafe\u{301} naïve: write something good — “maybe” some ideas… etc. !!! [insert name]",
        "\u{feff}Write  a\u{a0}good text, maybe\r\n\r\n# A\r\n### B\r\nnot too long",
        "אנא כתוב {{שם}} ו {שם} TODO https://x.example \"לא סגור",
        "",
    ]
    .into_iter()
    .filter(|prompt| !prompt.is_empty())
    {
        let analysis = analyze(prompt);
        assert!(!analysis.findings.is_empty(), "{prompt}");
        assert_exact(prompt, &analysis);
    }
    let prompt = "🙂🙂 é Translate this text, maybe.";
    let hedge = analyze(prompt)
        .findings
        .into_iter()
        .find(|finding| finding.rule_id == "hedging")
        .expect("found");
    assert_eq!((hedge.start, hedge.end, hedge.quote.as_str()), (26, 31, "maybe"));
}

#[test]
fn all_prompts_of_the_set_are_quoted_exactly() {
    for pair in pairs("twin").into_iter().chain(pairs("short")) {
        for prompt in [&pair.good, &pair.bad] {
            if !prompt.is_empty() {
                assert_exact(prompt, &for_target(prompt, &pair.target));
            }
        }
    }
}

#[test]
fn the_same_prompt_always_gives_the_same_analysis() {
    for Pair { target, bad, .. } in pairs("twin") {
        let first = serde_json::to_string(&for_target(&bad, &target)).expect("JSON");
        assert_eq!(first, serde_json::to_string(&for_target(&bad, &target)).expect("JSON"));
    }
}

#[test]
fn a_prompt_without_visible_text_is_rejected() {
    for prompt in ["", "   \n\t", "\u{200b}\u{feff}", "\u{0}\u{1}"] {
        assert!(matches!(run(&brief(prompt)), Err(EngineError::Rejected { .. })), "{prompt:?}");
    }
}

#[test]
fn metrics_name_the_findings_that_lowered_them() {
    let analysis = analyze(
        "Write a good blog post about something, maybe with some examples, etc. Use {x} and {{y}}.",
    );
    // A remark lowers a score where the prompt could say more.
    let lowers = |finding: &engine::Finding| {
        finding.severity > Severity::Info
            || matches!(finding.rule_id.as_str(), "few_details" | "missing_length")
    };
    let metrics = [
        (MetricName::Clarity, &analysis.metrics.clarity),
        (MetricName::Specificity, &analysis.metrics.specificity),
        (MetricName::Context, &analysis.metrics.context),
        (MetricName::GoalOrientation, &analysis.metrics.goal_orientation),
        (MetricName::Structure, &analysis.metrics.structure),
        (MetricName::Constraints, &analysis.metrics.constraints),
    ];
    for (name, metric) in metrics {
        let own: Vec<&str> = analysis
            .findings
            .iter()
            .filter(|finding| finding.metric == name && lowers(finding))
            .map(|finding| finding.id.as_str())
            .collect();
        assert_eq!(metric.finding_ids, own, "{name:?}");
        assert_eq!(metric.score == 100, own.is_empty(), "{name:?}");
        let worst = analysis
            .findings
            .iter()
            .filter(|finding| finding.metric == name)
            .max_by_key(|finding| finding.severity);
        if let Some(worst) = worst.filter(|_| !own.is_empty()) {
            assert!(metric.reason.contains(&worst.message) || own.len() > 1, "{}", metric.reason);
        }
    }
    assert!(analysis.metrics.clarity.score < 60 && analysis.metrics.constraints.score == 100);
    assert_eq!(analysis.rating, Rating::of(analysis.overall_score));
    assert_eq!(analysis.engine.kind, EngineKind::Rules);
    let mut ids: Vec<&str> = analysis.findings.iter().map(|finding| finding.id.as_str()).collect();
    ids.dedup();
    assert_eq!(ids.len(), analysis.findings.len());
}

#[test]
fn scores_reach_from_poor_to_excellent() {
    let best = analyze("List the prime numbers below 50.");
    assert_eq!((best.overall_score, best.rating), (100, Rating::Excellent));
    assert!(best.weaknesses.is_empty());
    let worst = analyze(
        "maybe make it good or something!!! AKIAIOSFODNN7EXAMPLE {{x} at least 300 words, at most 100 words",
    );
    assert_eq!(worst.rating, Rating::Poor, "{} {:?}", worst.overall_score, rules_of(&worst));
    assert!(worst.weaknesses.len() >= 4, "{:?}", worst.weaknesses);
    assert!(analyze("marketing").rating <= Rating::Fair);
}

#[test]
fn what_is_said_about_the_use_is_not_missing() {
    let prompt = "Write a blog post about tides.";
    let alone = analyze(prompt);
    assert!(rules_of(&alone).iter().any(|rule| rule.starts_with("missing_audience")));
    assert!(rules_of(&alone).iter().any(|rule| rule.starts_with("missing_length")));
    let context = "It is read by sailors on our website and has 400 words.".to_owned();
    let explained = run(&PromptBrief { context, ..brief(prompt) }).expect("a result");
    let weighty = explained.findings.iter().find(|finding| finding.severity > Severity::Info);
    assert!(weighty.is_none(), "{:?}", rules_of(&explained));
    assert!(explained.overall_score > alone.overall_score);
    assert!(explained.summary.contains("its use"), "{}", explained.summary);
}

#[test]
fn what_is_attached_is_not_missing() {
    let prompt = "Translate this text into Polish.";
    assert!(rules_of(&analyze(prompt)).iter().any(|rule| rule.starts_with("missing_material")));
    let mut file = std::io::Cursor::new(Vec::new());
    image::RgbImage::new(8, 8).write_to(&mut file, image::ImageFormat::Png).expect("a picture");
    let images = vec![Image { media_type: "image/png".to_owned(), bytes: file.into_inner() }];
    let attached = run(&PromptBrief { images, ..brief(prompt) }).expect("a result");
    assert!(!rules_of(&attached).iter().any(|rule| rule.starts_with("missing_material")));
}

#[test]
fn the_analysis_speaks_the_language_that_was_asked_for() {
    let prompt = "Write a good text, maybe, with some ideas.";
    let english = analyze(prompt);
    for (tag, word) in [
        ("de", "lässt offen"),
        ("de-AT", "lässt offen"),
        ("es", "no dice"),
        ("fr", "ne dit pas"),
        ("it", "non dice"),
        ("pt-BR", "não diz"),
        ("ja", "leaves open"),
    ] {
        let analysis =
            run(&PromptBrief { language: tag.to_owned(), ..brief(prompt) }).expect("a result");
        assert_eq!(analysis.language, tag);
        assert!(analysis.findings.iter().any(|finding| finding.message.contains(word)), "{tag}");
        assert_eq!(analysis.overall_score, english.overall_score, "{tag}");
        assert_eq!(rules_of(&analysis), rules_of(&english), "{tag}");
        if tag != "ja" {
            let said = |analysis: &Analysis| {
                let mut said = vec![
                    analysis.summary.clone(),
                    analysis.metrics.clarity.reason.clone(),
                    analysis.metrics.structure.reason.clone(),
                ];
                said.extend(
                    analysis
                        .findings
                        .iter()
                        .flat_map(|finding| [finding.message.clone(), finding.suggestion.clone()]),
                );
                said.extend(analysis.model_fit.notes.clone());
                said.extend(analysis.suggested_use_cases.clone());
                said
            };
            for (one, other) in said(&analysis).iter().zip(said(&english)) {
                assert_ne!(*one, other, "{tag}");
            }
        }
    }
}

#[test]
fn strengths_name_what_is_there() {
    let analysis = analyze(
        "You are a lecturer. Explain tides to first-year students in 200 words as a bulleted list, because they sit an exam in {{month}}.\n\nExample: spring tide: sun and moon pull in line.",
    );
    let said = analysis.strengths.join(" ");
    for part in ["role", "audience", "form", "length", "examples", "variables: month", "for"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert_eq!(analysis.variables.len(), 1);
    assert_eq!(
        (analysis.variables[0].name.as_str(), analysis.variables[0].occurrences),
        ("month", 1)
    );
    assert!(analysis.token_estimate.input > 20);
}

#[test]
fn strengths_name_nothing_that_is_not_there() {
    let analysis = analyze(
        "Write about tides for sailors, maybe with some examples. At least 500 words, at most 200 words.",
    );
    let said = analysis.strengths.join(" ");
    assert!(!said.contains("examples") && !said.contains("length"), "{said}");
    assert!(said.contains("sailors") || said.contains("audience"), "{said}");
}

#[test]
fn the_summary_says_what_to_do_first() {
    let analysis = analyze("Describe a whale in at least 300 words. Use at most 100 words.");
    let worst = analysis.findings.iter().max_by_key(|finding| finding.severity).expect("found");
    assert!(
        analysis.summary.contains(&worst.message) && analysis.summary.contains(&worst.suggestion)
    );
}

#[test]
fn difficulty_follows_from_what_is_asked() {
    assert_eq!(analyze("List three rivers in Peru.").difficulty, Difficulty::Beginner);
    let rules: String =
        (1..=14).map(|number| format!("- Rule {number}: keep part {number} as it is.\n")).collect();
    assert_eq!(
        analyze(&format!("Rewrite {{{{text}}}}.\n{rules}")).difficulty,
        Difficulty::Advanced
    );
}

/// Target, prompt, whether it suits, part of the note that says why.
const FITS: &[(&str, &str, bool, &str)] = &[
    (
        "Midjourney V8.1",
        "Old sailor, oil painting, soft light, close-up --ar 2:3 --s 200",
        true,
        "at the end",
    ),
    (
        "Midjourney V8.1",
        "Old sailor --ar 2:3 in the harbour, oil painting, soft light, close-up",
        false,
        "very end",
    ),
    (
        "FLUX.2",
        "A street at dusk without people, photograph, wide shot",
        false,
        "no negative prompt",
    ),
    (
        "Stable Diffusion 3.5",
        "A street at dusk without people, photograph, wide shot",
        false,
        "separate negative prompt",
    ),
    (
        "Veo 3.1",
        "A dog runs on a beach at dusk. The camera pans left, then zooms in, then orbits the dog.",
        false,
        "one camera move",
    ),
    ("Veo 3.1", "A dog runs on a beach at dusk. The camera pans left.", true, "Nothing"),
    (
        "Runway Gen-4.5",
        "A woman walks through a market at noon, no crowd, camera follows",
        false,
        "positive wording",
    ),
    (
        "Ideogram 4.5",
        "A poster that says Grand Opening, red background, flat design, centred",
        false,
        "quotation marks",
    ),
    (
        "Ideogram 4.5",
        "A poster that says \"Grand Opening\", red background, flat design, centred",
        true,
        "quotation marks",
    ),
    ("MiniMax H3", "A dog runs on a beach at dusk, camera pushes in", false, "square brackets"),
    ("DeepSeek V4.1", "Solve 3x + 7 = 22 step by step.", false, "reasons by itself"),
    ("Claude Opus 5.5", "Draw a picture of a castle.", false, "does not produce"),
    (
        "GPT-6.2 Sol",
        "Describe a whale in at least 300 words. Use at most 100 words.",
        false,
        "Contradicting",
    ),
    (
        "Nano Banana Pro",
        "whale, sea, dusk, woodcut, wide shot, mist, blue, foam",
        false,
        "whole sentences",
    ),
];

#[test]
fn the_fit_follows_what_is_documented_for_the_target() {
    for (target, prompt, suits, note) in FITS {
        let fit = for_target(prompt, target).model_fit;
        assert_eq!(fit.score == 100, *suits, "{target}: {fit:?}");
        assert!(fit.notes.iter().any(|text| text.contains(note)), "{target}: {fit:?}");
        assert!(
            fit.notes.iter().all(|text| !text.contains("{}") && !text.contains("{2}")),
            "{fit:?}"
        );
    }
    let document = "The water rises in spring. ".repeat(120);
    let first = format!(
        "<document>\n{document}\n</document>\n\nSummarize the document in three sentences for the mayor."
    );
    let last = format!(
        "Summarize the document in three sentences for the mayor.\n\n<document>\n{document}\n</document>"
    );
    let (first, last) = (
        for_target(&first, "Claude Opus 5.5").model_fit,
        for_target(&last, "Claude Opus 5.5").model_fit,
    );
    assert!(first.score == 100 && last.score < 100, "{first:?} {last:?}");
}

#[test]
fn every_target_gives_a_whole_analysis() {
    for model in catalogue() {
        for prompt in
            ["A whale leaps from the sea at dusk", "{{x}}", "?", "Write a poem about rain."]
        {
            let analysis = for_target(prompt, &model.name);
            assert!(
                !analysis.summary.is_empty() && !analysis.model_fit.notes.is_empty(),
                "{}",
                model.name
            );
            assert!(
                analysis.suggested_use_cases.iter().all(|text| !text.is_empty()),
                "{}",
                model.name
            );
            assert_exact(prompt, &analysis);
        }
    }
}
