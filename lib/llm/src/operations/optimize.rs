//! Better versions of a prompt, with or without an analysis.

use std::sync::LazyLock;

use domain::Timestamp;
use engine::{
    AnalyzedOptimization, Engine, EngineError, EngineIdentity, Optimization, OptimizedVersion,
    PromptBrief, VersionLabel, Violation, changes, integrity::Asked, tokens,
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::analyze::{self, Examined, blocks};
use super::parts::{self, Described, Setting, Used, Written};
use crate::{
    answer_schema::{self, AnswerSchema},
    check::{self, Rewrite},
    evidence::Evidence,
    model::{Model, Task},
};

const OPTIMIZE: &str = concat!(
    include_str!("../../prompts/data.md"),
    include_str!("../../prompts/prompt.md"),
    include_str!("../../prompts/beside.md"),
    include_str!("../../prompts/variables.md"),
    include_str!("../../prompts/versions.md"),
);
const ANALYZE_AND_OPTIMIZE: &str = concat!(
    include_str!("../../prompts/data.md"),
    include_str!("../../prompts/findings.md"),
    include_str!("../../prompts/prompt.md"),
    include_str!("../../prompts/beside.md"),
    include_str!("../../prompts/variables.md"),
    include_str!("../../prompts/versions.md"),
    include_str!("../../prompts/open.md"),
);
const CLOSING: &str = "Improve the prompt in the block \"prompt\" as the system message says.";
const CLOSING_BOTH: &str =
    "Examine and improve the prompt in the block \"prompt\" as the system message says.";

static IMPROVED: LazyLock<AnswerSchema> = LazyLock::new(|| {
    AnswerSchema::new(
        "optimize",
        answer_schema::object([
            ("scoreBefore", answer_schema::integer(0, 100, "Overall score of the original.")),
            (
                "versions",
                answer_schema::list(1, 2, answer_schema::object(version_form()), "The versions."),
            ),
            ("implementationAdvice", parts::sentences(1, 8, "How to put them to use.")),
        ]),
    )
});

static BOTH: LazyLock<AnswerSchema> = LazyLock::new(|| {
    let open = answer_schema::list(
        0,
        40,
        answer_schema::integer(1, 40, "Position."),
        "Findings left open.",
    );
    let version = answer_schema::object([
        ("version", answer_schema::object(version_form())),
        ("openFindings", open),
    ]);
    AnswerSchema::new(
        "analyze_and_optimize",
        answer_schema::object([
            ("analysis", analyze::form()),
            ("versions", answer_schema::list(1, 2, version, "The versions.")),
        ]),
    )
});

fn version_form() -> [(&'static str, Value); 11] {
    let label =
        answer_schema::choice(&["conservative", "restructured"], "How far the version goes.");
    [
        ("label", label),
        ("prompt", parts::prompt_form()),
        ("systemPrompt", parts::system_form()),
        ("negativePrompt", parts::negative_form()),
        ("parameters", parts::settings_form()),
        ("variables", parts::described_form()),
        ("techniques", parts::techniques_form()),
        ("rationale", answer_schema::text(1_500, "Why it is as it is.")),
        ("expectedImpact", answer_schema::text(1_000, "What it should change in the answers.")),
        ("bestFor", answer_schema::text(600, "When to prefer it.")),
        ("scoreAfter", answer_schema::integer(0, 100, "Overall score of this version.")),
    ]
}

fn task<'a>(
    system: &'static str,
    closing: &'static str,
    form: &'static AnswerSchema,
    brief: &'a PromptBrief,
    evidence: &Evidence,
) -> Task<'a> {
    let blocks = blocks(brief, evidence, json!({"versions": brief.variations}));
    let target = parts::about_target(brief.target_model);
    Task { system, target, closing, blocks, images: &brief.images, form }
}

pub(crate) async fn optimize(
    model: &Model,
    rules: &dyn Engine,
    brief: &PromptBrief,
    until: Timestamp,
) -> Result<Optimization, EngineError> {
    model.may_ask()?;
    let evidence = Evidence::of(rules, &brief.prompt, brief);
    model
        .ask(
            task(OPTIMIZE, CLOSING, &IMPROVED, brief, &evidence),
            until,
            |answer, engine, is_last| {
                let improved: Improved = parts::read(answer)?;
                let places = |position| format!("/versions/{position}");
                let (versions, violations) =
                    versions(improved.versions, improved.score_before, brief, is_last, places);
                parts::unless(
                    violations,
                    Optimization {
                        original_prompt: brief.prompt.clone(),
                        versions,
                        implementation_advice: improved.implementation_advice,
                        language: brief.language.clone(),
                        engine,
                    },
                )
            },
        )
        .await
}

pub(crate) async fn analyze_and_optimize(
    model: &Model,
    rules: &dyn Engine,
    brief: &PromptBrief,
    until: Timestamp,
) -> Result<AnalyzedOptimization, EngineError> {
    model.may_ask()?;
    let evidence = Evidence::of(rules, &brief.prompt, brief);
    model
        .ask(
            task(ANALYZE_AND_OPTIMIZE, CLOSING_BOTH, &BOTH, brief, &evidence),
            until,
            |answer, engine, is_last| {
                let both: Both = parts::read(answer)?;
                let mut violations = unknown_findings(&both);
                let (analysis, ids, wrong) =
                    both.analysis.analysis(brief, unmetered(&engine), "/analysis", is_last);
                violations.extend(wrong);
                let (answers, open): (Vec<_>, Vec<_>) = both
                    .versions
                    .into_iter()
                    .map(|answer| (answer.version, answer.open_findings))
                    .unzip();
                let places = |position| format!("/versions/{position}/version");
                // The analysis already judged the original by the same standard.
                let score = analysis.overall_score;
                let (mut versions, wrong) = versions(answers, score, brief, is_last, places);
                violations.extend(wrong);
                let left = |open: &[usize], id: &String| {
                    let position = ids.iter().position(|known| known == id);
                    position.is_some_and(|position| open.contains(&(position + 1)))
                };
                for (version, open) in versions.iter_mut().zip(&open) {
                    let all = analysis.findings.iter().map(|finding| finding.id.clone());
                    version.open_finding_ids = Some(all.filter(|id| left(open, id)).collect());
                }
                let is_open = |id: &String| open.iter().any(|open| left(open, id));
                let (open_finding_ids, resolved_finding_ids) =
                    analysis.findings.iter().map(|finding| finding.id.clone()).partition(is_open);
                parts::unless(
                    violations,
                    AnalyzedOptimization {
                        analysis,
                        versions,
                        resolved_finding_ids,
                        open_finding_ids,
                        engine,
                    },
                )
            },
        )
        .await
}

fn unknown_findings(both: &Both) -> Vec<Violation> {
    let count = both.analysis.count();
    let unknown = |(position, answer): (usize, &Answered)| {
        let unknown = answer.open_findings.iter().find(|open| **open > count)?;
        let place = format!("/versions/{position}/openFindings");
        Some(Violation::new("findings", place, format!("there is no finding {unknown}")))
    };
    both.versions.iter().enumerate().filter_map(unknown).collect()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Improved {
    score_before: u8,
    versions: Vec<Version>,
    implementation_advice: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Both {
    analysis: Examined,
    versions: Vec<Answered>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Answered {
    version: Version,
    open_findings: Vec<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Version {
    label: VersionLabel,
    prompt: String,
    system_prompt: Option<String>,
    negative_prompt: Option<String>,
    parameters: Vec<Setting>,
    variables: Vec<Described>,
    techniques: Vec<Used>,
    rationale: String,
    expected_impact: String,
    best_for: String,
    score_after: u8,
}

/// The engine of an analysis that is a part of a result: the result has the tokens of both.
fn unmetered(engine: &EngineIdentity) -> EngineIdentity {
    EngineIdentity { usage: None, ..engine.clone() }
}

/// The versions, and their violations, single and together.
fn versions(
    answers: Vec<Version>,
    score_before: u8,
    brief: &PromptBrief,
    is_last: bool,
    place: impl Fn(usize) -> String,
) -> (Vec<OptimizedVersion>, Vec<Violation>) {
    let mut violations = Vec::new();
    let wanted = usize::from(brief.variations.clamp(1, 2));
    if answers.len() != wanted {
        let detail = format!("there are {} versions instead of {wanted}", answers.len());
        violations.push(Violation::new("versions", "/versions", detail));
    }
    if let [first, second] = answers.as_slice() {
        let ordered = (VersionLabel::Conservative, VersionLabel::Restructured);
        if (first.label, second.label) != ordered {
            let detail = "the first must be conservative, the second restructured";
            violations.push(Violation::new("versions", "/versions", detail));
        }
        if first.prompt == second.prompt {
            violations.push(Violation::new("versions", "/versions", "both have the same prompt"));
        }
    }
    let versions = answers
        .into_iter()
        .enumerate()
        .map(|(position, answer)| {
            let (version, wrong) = answer.finish(score_before, brief, is_last, &place(position));
            violations.extend(wrong);
            version
        })
        .collect();
    (versions, violations)
}

impl Version {
    fn finish(
        self,
        score_before: u8,
        brief: &PromptBrief,
        is_last: bool,
        place: &str,
    ) -> (OptimizedVersion, Vec<Violation>) {
        let target = brief.target_model;
        let prompt = parts::bare(&self.prompt, &brief.prompt);
        let (beside, mut violations) =
            parts::beside(self.system_prompt, self.negative_prompt, self.parameters, place);
        let written = Written {
            prompt: &prompt,
            system_prompt: beside.system_prompt.as_deref(),
            negative_prompt: beside.negative_prompt.as_deref(),
        };
        violations.extend(written.violations(target, place));
        let at_prompt = format!("{place}/prompt");
        // A version may move its task into the system prompt.
        let whole = [beside.system_prompt.as_deref(), Some(prompt.as_str())];
        let whole = whole.into_iter().flatten().collect::<Vec<_>>().join("\n\n");
        let rewrite = Rewrite {
            original: &brief.prompt,
            asked: "",
            written: &whole,
            makes: target.model().kind,
        };
        violations.extend(rewrite.answered(&at_prompt, is_last));
        let asked = Asked::by("", &brief.language);
        let (integrity, lost) =
            check::preserved(&brief.prompt, &prompt, &beside.text(), &asked, &at_prompt);
        violations.extend(lost);
        let (variables, wrong) = parts::variables_of(&prompt, &self.variables, place);
        violations.extend(wrong);
        let version = OptimizedVersion {
            label: self.label,
            changes: changes::between(&brief.prompt, &prompt, ""),
            token_estimate: tokens::estimate(&prompt, target),
            prompt,
            system_prompt: beside.system_prompt,
            negative_prompt: beside.negative_prompt,
            parameters: beside.parameters,
            techniques: self.techniques.into_iter().map(Into::into).collect(),
            rationale: self.rationale,
            expected_impact: self.expected_impact,
            best_for: self.best_for,
            score_before,
            score_after: self.score_after,
            integrity,
            open_finding_ids: None,
            variables,
        };
        (version, violations)
    }
}
