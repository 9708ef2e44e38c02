//! Results of valid answers.

use engine::{
    Engine, EngineKind, FeedbackStatus, Material, OutputMode, Rating, Recovery, ReverseKind,
    VersionLabel,
    page::{Block, BlockRole, Page},
    tokens,
};
use serde_json::json;

use crate::{
    answers::{
        analysis, finding, generation, item, optimization, refinement, reversal, variable, version,
    },
    dialect::{ALL, Dialect, MODEL, Outcome},
    stub::Stub,
    world::{PROMPT, TestClock, after, engine, feedback, goal, material, prompt, target},
};

async fn answering(dialect: Dialect, answer: serde_json::Value) -> Stub {
    dialect.start([dialect.play(Outcome::Answer(answer))]).await
}

#[tokio::test]
async fn a_generation_has_the_models_words_and_our_counts() {
    let text = "# Task\nWrite a text about kettles for {{audience}}.\n\n# Length\n80 words for {{audience}}";
    let mut answer = generation(text);
    answer["sections"] = json!([
        {"heading": "Task", "begins": "# Task"},
        {"heading": "Length", "begins": "# Length"},
    ]);
    answer["variables"] = json!([variable("audience")]);
    answer["parameters"] = json!([
        {"name": "temperature", "value": "0.4"},
        {"name": "search", "value": "true"},
        {"name": "verbosity", "value": "low"},
    ]);
    let mut brief = goal("a text about kettles");
    brief.output_mode = OutputMode::Reusable;
    brief.language = "de".to_owned();
    for dialect in ALL {
        let stub = answering(dialect, answer.clone()).await;
        let engine = engine(dialect, &stub, TestClock::new());
        let made = engine.generate(&brief, after(120)).await.unwrap();
        assert_eq!(made.prompt, text);
        assert_eq!(made.sections[0].text, "# Task\nWrite a text about kettles for {{audience}}.");
        assert_eq!(made.sections[1].text, "# Length\n80 words for {{audience}}");
        assert_eq!(
            (made.variables[0].name.as_str(), made.variables[0].occurrences),
            ("audience", 2)
        );
        assert_eq!(made.token_estimate, tokens::estimate(text, brief.target_model));
        assert_eq!(
            serde_json::to_value(&made.parameters).unwrap(),
            json!({"temperature": 0.4, "search": true, "verbosity": "low"})
        );
        assert_eq!(made.language, "de");
        assert_eq!(
            (made.engine.name.as_str(), made.engine.kind),
            (dialect.name(), EngineKind::Llm)
        );
        assert_eq!(made.engine.model.as_deref(), Some(MODEL));
        assert_eq!(made.engine.usage, Some(dialect.usage()));
    }
}

#[tokio::test]
async fn findings_stand_in_the_order_of_the_prompt_with_offsets_in_code_points() {
    let text = "🙂 Ünser text: make it good, really good. Use 90 words at most.";
    let mut second = finding("good");
    second["occurrence"] = json!(2);
    let mut missing = finding("");
    missing["metric"] = json!("constraints");
    let mut note = finding("text");
    note["severity"] = json!("info");
    let answer = analysis(json!([missing, second, finding("good"), note]));
    for dialect in ALL {
        let stub = answering(dialect, answer.clone()).await;
        let made = engine(dialect, &stub, TestClock::new())
            .analyze(&prompt(text), after(120))
            .await
            .unwrap();
        let characters: Vec<char> = text.chars().collect();
        for finding in &made.findings {
            let span: String = characters[finding.start..finding.end].iter().collect();
            assert_eq!(span, finding.quote);
        }
        let starts: Vec<_> = made.findings.iter().map(|finding| finding.start).collect();
        assert_eq!(starts, [8, 22, 35, 62]);
        let ids: Vec<_> = made.findings.iter().map(|finding| finding.id.as_str()).collect();
        assert_eq!(ids, ["f1", "f2", "f3", "f4"]);
        // The model is not asked for constraints.
        assert_eq!(made.constraints, engine::constraints::of(text));
        assert_eq!((made.constraints[0].start, made.constraints[0].end), (45, 61));
        assert_eq!(made.metrics.specificity.finding_ids, ["f2", "f3"]);
        assert_eq!(made.metrics.constraints.finding_ids, ["f4"]);
        // (100 + 40 + 100 + 100 + 100 + 30) / 6 = 78.3
        assert_eq!((made.overall_score, made.rating), (78, Rating::Good));
    }
}

#[tokio::test]
async fn versions_carry_the_models_scores_and_our_comparison() {
    let mut brief = prompt(PROMPT);
    brief.variations = 2;
    brief.target_model = target("Claude Opus 5.5");
    let (first, second) = (
        "Write 80 words about our new kettle for customers. Make it good.",
        "<task>Write 80 words about our new kettle for customers.</task>",
    );
    let answer =
        optimization(json!([version("conservative", first), version("restructured", second),]));
    for dialect in ALL {
        let stub = answering(dialect, answer.clone()).await;
        let made =
            engine(dialect, &stub, TestClock::new()).optimize(&brief, after(120)).await.unwrap();
        assert_eq!(made.original_prompt, PROMPT);
        let labels: Vec<_> = made.versions.iter().map(|version| version.label).collect();
        assert_eq!(labels, [VersionLabel::Conservative, VersionLabel::Restructured]);
        for (made, written) in made.versions.iter().zip([first, second]) {
            assert_eq!(made.prompt, written);
            assert_eq!((made.score_before, made.score_after), (52, 84));
            assert!(made.integrity.passed);
            assert_eq!(made.changes, engine::changes::between(PROMPT, written, ""));
        }
        assert_eq!(made.implementation_advice, ["Name the kettle."]);
    }
}

#[tokio::test]
async fn a_finding_is_resolved_only_if_every_version_resolves_it() {
    let mut brief = prompt(PROMPT);
    brief.variations = 2;
    let findings = json!([finding("good"), finding("short"), finding("Write")]);
    let answer = json!({
        "analysis": analysis(findings),
        "versions": [
            {
                "version": version("conservative", "Write 80 words about our new kettle for customers."),
                "openFindings": [1],
            },
            {
                "version": version("restructured", "# Task\nDescribe our new kettle for customers."),
                "openFindings": [1, 3],
            },
        ],
    });
    for dialect in ALL {
        let stub = answering(dialect, answer.clone()).await;
        let made = engine(dialect, &stub, TestClock::new())
            .analyze_and_optimize(&brief, after(120))
            .await
            .unwrap();
        let quote = |id: &String| {
            made.analysis.findings.iter().find(|finding| finding.id == *id).unwrap().quote.clone()
        };
        let open: Vec<_> = made.open_finding_ids.iter().map(quote).collect();
        let resolved: Vec<_> = made.resolved_finding_ids.iter().map(quote).collect();
        assert_eq!((open, resolved), (vec!["Write".into(), "good".into()], vec!["short".into()]));
        assert_eq!(made.versions[0].score_before, made.analysis.overall_score);
    }
}

#[tokio::test]
async fn a_refinement_says_what_became_of_each_item() {
    let brief = feedback(PROMPT, "Shorter please. And in verse?");
    let written = "Write two sentences about our new kettle for customers. Make it good.";
    let items = json!([item("Shorter please", "applied"), item("in verse", "not_applied")]);
    for dialect in ALL {
        let stub = answering(dialect, refinement(written, items.clone())).await;
        let made =
            engine(dialect, &stub, TestClock::new()).refine(&brief, after(120)).await.unwrap();
        assert_eq!(made.prompt, written);
        let statuses: Vec<_> = made.feedback_items.iter().map(|item| item.status).collect();
        assert_eq!(statuses, [FeedbackStatus::Applied, FeedbackStatus::NotApplied]);
        assert_eq!(made.reasoning, "The text should be shorter.");
    }
}

#[tokio::test]
async fn a_reversal_says_that_it_is_inferred_and_counts_for_itself() {
    let text = material(Material::Text("# Coffee\n\nGrind the beans. Pour.\n\n- cup".to_owned()));
    let block = |role, text: &str| Block { role, text: text.to_owned() };
    let page = material(Material::Page(Page {
        url: "https://example.com/".to_owned(),
        blocks: vec![
            block(BlockRole::Heading(1), "Coffee"),
            block(BlockRole::Paragraph, "Grind the beans. Pour."),
            block(BlockRole::ListItem, "cup"),
        ],
        ..Page::default()
    }));
    for dialect in ALL {
        for (brief, kind) in [(&text, ReverseKind::Text), (&page, ReverseKind::Url)] {
            let stub = answering(dialect, reversal("Write a guide to coffee.")).await;
            let made =
                engine(dialect, &stub, TestClock::new()).reverse(brief, after(120)).await.unwrap();
            assert_eq!((made.kind, made.recovery), (kind, Recovery::Inferred));
            let structure = made.structure.unwrap();
            assert_eq!((structure.words, structure.sentences, structure.list_items), (6, 2, 1));
            assert_eq!((structure.paragraphs, structure.headings.len()), (1, 1));
            assert_eq!((structure.format.as_str(), structure.outline.len()), ("how_to_guide", 2));
            assert_eq!(made.key_elements[0].category, "purpose", "the surest first");
            assert!(made.style.is_none() && made.shots.is_none() && made.provenance.is_none());
        }
    }
}
