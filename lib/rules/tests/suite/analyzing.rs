//! What every analysis promises.
#![allow(clippy::expect_used)]

use crate::analysis;

use analysis::{analyze, assert_exact, brief, for_target, in_context, rules_of, run};
use engine::{EngineError, MetricName, Rating, catalogue};

/// A prompt with findings of many kinds.
const FAULTY: &str = "🙂 é Write about the sea for {{name}} and {{naem}}. Be brief. Answer in great depth. See Appendix B.";

#[test]
fn offsets_count_code_points_and_quote_exactly() {
    let analysis = analyze(FAULTY);
    assert_exact(FAULTY, &analysis);
    assert_eq!(
        rules_of(&analysis),
        [
            "misspelled_variable:{{naem}}",
            "conflicting_orders:in great depth",
            "missing_reference:Appendix B",
        ]
    );
    assert_eq!((analysis.findings[0].start, analysis.findings[0].end), (41, 49));
}

#[test]
fn the_same_prompt_always_gives_the_same_analysis() {
    assert_eq!(analyze(FAULTY), analyze(FAULTY));
}

#[test]
fn a_prompt_without_visible_text_is_rejected() {
    for prompt in ["", "   \n\t", "\u{200b}\u{feff}", "\u{0}\u{1}"] {
        assert!(matches!(run(&brief(prompt)), Err(EngineError::Rejected { .. })), "{prompt:?}");
    }
}

#[test]
fn metrics_name_the_findings_that_lowered_them() {
    let analysis = analyze(FAULTY);
    let metrics = [
        (MetricName::Clarity, &analysis.metrics.clarity),
        (MetricName::Specificity, &analysis.metrics.specificity),
        (MetricName::Context, &analysis.metrics.context),
        (MetricName::GoalOrientation, &analysis.metrics.goal_orientation),
        (MetricName::Structure, &analysis.metrics.structure),
        (MetricName::Constraints, &analysis.metrics.constraints),
    ];
    for (name, metric) in metrics {
        let own = analysis.findings.iter().filter(|finding| finding.metric == name);
        let own: Vec<&str> = own.map(|finding| finding.id.as_str()).collect();
        assert_eq!(metric.finding_ids, own, "{name:?}");
        assert_eq!(metric.score == 78, own.is_empty(), "{name:?}");
    }
}

#[test]
fn nothing_found_is_no_praise() {
    let analysis = analyze("Write a limerick about a pilot who is afraid of clouds.");
    assert_eq!(analysis.rating, Rating::Good);
    assert_eq!(analysis.overall_score, 78);
    assert_eq!(analysis.strengths, Vec::<String>::new());
    assert!(
        analysis.summary.starts_with("No rule found anything. Rules see "),
        "{}",
        analysis.summary
    );
    assert_eq!(analysis.metrics.clarity.reason, "No rule found anything here.");
}

#[test]
fn strengths_name_only_what_is_there() {
    let prompt =
        "# Task\nSum up the report in at most 80 words.\n\n# Report\n<report>{{report}}</report>\n";
    let strengths = analyze(prompt).strengths;
    assert_eq!(
        strengths,
        ["Demands that can be checked: 1.", "It can be reused through variables: report.",]
    );
}

#[test]
fn the_summary_says_what_to_do_first() {
    let summary = analyze("Sum it up. Be brief. Answer in great depth.").summary;
    assert!(
        summary.starts_with("Findings: 1. First: This does not go together with \"Be brief\"."),
        "{summary}"
    );
}

#[test]
fn what_comes_along_is_not_missing() {
    let prompt = "Translate the text below into French.";
    assert_eq!(rules_of(&analyze(prompt)), ["missing_reference:the text below"]);
    let along = in_context(prompt, "Universal", "The text: Doors open at nine.");
    assert_eq!(rules_of(&along), Vec::<String>::new());
}

#[test]
fn the_analysis_speaks_the_language_that_was_asked_for() {
    let german =
        run(&engine::PromptBrief { language: "de".to_owned(), ..brief(FAULTY) }).expect("a result");
    assert_eq!(
        german.findings[0].message,
        "Dieser Name sieht nach einem Versehen aus: Gemeint ist wohl „name“."
    );
    assert!(german.summary.starts_with("Befunde: 3. Zuerst: "), "{}", german.summary);
}

#[test]
fn every_target_gives_a_whole_analysis() {
    for model in catalogue() {
        let analysis = for_target(FAULTY, &model.name);
        assert!(!analysis.model_fit.notes.is_empty() && !analysis.suggested_use_cases.is_empty());
        assert!(analysis.overall_score < 80, "{}", model.name);
    }
}
