//! `POST /prompts/checks/run`

use checks::{Check, Outcome, Verdict};
use edge::{
    ApiError, Call, Code, Data, Detail, Sent,
    input::{Body, Values},
    openapi::{Errors, code},
    permission::PromptsAnalyze,
    response::Envelope,
};
use engine::{Constraint, ConstraintKind, ConstraintParameters};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::{checks::filled, fields::Language};

/// Checks of a request at most: each reads every output.
const CHECKS_MAX: usize = 100;
/// Characters that the outputs of a request may have together.
const OUTPUTS_MAX: usize = 200_000;

/// Answers, and what to hold them against: a prompt, checks, or both.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RunChecksRequest {
    /// The prompt that was answered. Its own checks are run unless others are given.
    #[serde(default)]
    #[schema(
        min_length = 1,
        max_length = 50000,
        example = "Describe our tea in at most 40 words. Do not use the word \"luxury\"."
    )]
    prompt: Option<String>,
    /// Values for its variables.
    #[serde(default)]
    #[schema(required = false)]
    values: Values,
    /// Checks, as `POST /prompts/checks` returns them.
    #[serde(default)]
    #[schema(min_items = 1, max_items = 100)]
    checks: Option<Vec<CheckToRun>>,
    /// Whether the forms of a word count as the word, such as "walked" for "walk". Null: those of a demanded word do, those
    /// of a forbidden one do not.
    #[serde(default)]
    #[schema(example = false)]
    inflections: Option<bool>,
    /// Language of the descriptions.
    #[serde(default)]
    language: Language,
    /// The answers. They have at most 200,000 characters together.
    #[schema(min_items = 1, max_items = 20)]
    outputs: Vec<ModelOutput>,
}

/// An answer.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(value_type = String, max_length = 200000, example = "A quiet cup of green tea from one garden.")]
pub struct ModelOutput(String);

/// A check to run: its kind and its bound, and what else it was read with.
#[derive(Debug, Deserialize, ToSchema)]
pub struct CheckToRun {
    /// Identifier, for its verdicts.
    #[schema(min_length = 1, max_length = 64, example = "c1")]
    id: String,
    /// What it bounds.
    kind: ConstraintKind,
    /// The bound; its form follows from the kind.
    #[schema(inline)]
    parameters: ConstraintParameters,
    /// The prompt's text that states it.
    #[serde(default)]
    #[schema(max_length = 50000, default = "")]
    quote: String,
    /// Offset in the prompt, in code points, where its statement begins.
    #[serde(default)]
    #[schema(default = 0)]
    start: u32,
    /// Offset in the prompt, in code points, behind its statement.
    #[serde(default)]
    #[schema(default = 0)]
    end: u32,
    /// Whether a program can decide it; if not, its verdicts are undecided.
    #[serde(default = "yes")]
    #[schema(default = true)]
    executable: bool,
}

fn yes() -> bool {
    true
}

/// What became of checks and answers.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChecksRun {
    /// The checks that were run, in order.
    checks: Vec<CheckTally>,
    /// The answers, in order.
    outputs: Vec<OutputTally>,
}

/// A check and how many answers pass it.
#[derive(Debug, Serialize, ToSchema)]
pub struct CheckTally {
    /// The check.
    check: Check,
    /// What the answers make of it.
    tally: Tally,
}

/// An answer's verdicts.
#[derive(Debug, Serialize, ToSchema)]
pub struct OutputTally {
    /// One verdict for each check, in order.
    verdicts: Vec<Verdict>,
    /// How many checks it passes.
    tally: Tally,
}

/// How often each outcome occurs.
#[derive(Clone, Copy, Debug, Default, Serialize, ToSchema)]
pub struct Tally {
    /// Passed.
    passed: u32,
    /// Failed.
    failed: u32,
    /// Undecided.
    undecided: u32,
}

impl Tally {
    fn of<'a>(verdicts: impl Iterator<Item = &'a Verdict>) -> Self {
        let mut tally = Self::default();
        for verdict in verdicts {
            match verdict.verdict {
                Outcome::Passed => tally.passed += 1,
                Outcome::Failed => tally.failed += 1,
                Outcome::Undecided => tally.undecided += 1,
            }
        }
        tally
    }
}

/// Run checks on answers.
///
/// Costs no credit, and nothing is stored. The same texts always have the same verdicts. What no program can decide is
/// `undecided`, with a reason.
#[utoipa::path(
    post, path = "/prompts/checks/run",
    security(("bearer" = ["prompts:analyze"])),
    request_body = RunChecksRequest,
    responses(
        (status = 200, description = "The verdicts.", body = Envelope<ChecksRun>),
        Errors<(code::ContentTooLarge, code::ConcurrencyLimitReached)>,
    ),
)]
pub async fn run_prompt_checks(
    call: Call<PromptsAnalyze, Body<RunChecksRequest>>,
) -> Result<Data<ChecksRun>, ApiError> {
    let call = call.check(RunChecksRequest::check);
    let (caller, Body { value: request, .. }) = call.admit().await?;
    let run = move || request.into_run().map(Run::verdicts);
    Ok(Data::new(caller.compute(0, run).await??))
}

/// What a request asks for.
struct Run {
    checks: Vec<Check>,
    prompt: Option<String>,
    outputs: Vec<String>,
    inflections: Option<bool>,
}

impl Run {
    fn verdicts(self) -> ChecksRun {
        let Self { checks, prompt, outputs, inflections } = self;
        let texts = outputs.iter().map(String::as_str);
        let outputs = checks::run(&checks, prompt.as_deref(), texts, inflections);
        let checks = checks.into_iter().enumerate().map(|(index, check)| CheckTally {
            check,
            tally: Tally::of(outputs.iter().filter_map(|verdicts| verdicts.get(index))),
        });
        let checks = checks.collect();
        let outputs = outputs
            .into_iter()
            .map(|verdicts| OutputTally { tally: Tally::of(verdicts.iter()), verdicts });
        ChecksRun { checks, outputs: outputs.collect() }
    }
}

impl RunChecksRequest {
    /// The problems of a request that its schema does not see.
    fn check(sent: &Sent) -> Vec<ApiError> {
        let problem =
            |path: String, message: String| ApiError::problem(Code::InvalidRequest, path, message);
        let content = &sent.content;
        let mut problems: Vec<_> = Values::check(sent).into_iter().collect();
        let outputs = content["outputs"].as_array().into_iter().flatten();
        let characters: usize =
            outputs.filter_map(Value::as_str).map(|text| text.chars().count()).sum();
        if characters > OUTPUTS_MAX {
            let message = format!("must have at most {OUTPUTS_MAX} characters together");
            problems.push(problem("/outputs".to_owned(), message));
        }
        if content["prompt"].is_null() && content["checks"].is_null() {
            problems.push(problem("/prompt".to_owned(), "is required without checks".to_owned()));
        }
        for (index, check) in content["checks"].as_array().into_iter().flatten().enumerate() {
            let kind = ConstraintKind::deserialize(&check["kind"]);
            let parameters = ConstraintParameters::deserialize(&check["parameters"]);
            if let (Ok(kind), Ok(parameters)) = (kind, parameters)
                && !kind.takes(&parameters)
            {
                let message = format!("are not those of {}", kind.as_str());
                problems.push(problem(format!("/checks/{index}/parameters"), message));
            }
        }
        problems
    }

    /// What is to be run.
    fn into_run(self) -> Result<Run, ApiError> {
        let characters: usize =
            self.outputs.iter().map(|ModelOutput(text)| text.chars().count()).sum();
        let prompt = match self.prompt {
            Some(prompt) => Some(filled(&prompt, &self.values.fitting()?)?),
            None => None,
        };
        compute::received(characters + prompt.as_ref().map_or(0, |prompt| prompt.chars().count()));
        let language = self.language.tag();
        let checks = match self.checks {
            Some(checks) => checks.into_iter().map(|one| one.into_check(&language)).collect(),
            None => checks::of(prompt.as_deref().unwrap_or_default(), &language).checks,
        };
        if checks.len() > CHECKS_MAX {
            let message = format!(
                "has {} checks, more than {CHECKS_MAX}: run some of them by `checks`",
                checks.len()
            );
            let details = vec![Detail::new("/prompt", message)];
            return Err(ApiError::new(Code::ContentTooLarge).with_details(details));
        }
        let outputs = self.outputs.into_iter().map(|ModelOutput(text)| text).collect();
        Ok(Run { checks, prompt, outputs, inflections: self.inflections })
    }
}

impl CheckToRun {
    fn into_check(self, language: &str) -> Check {
        let Self { id, kind, parameters, quote, start, end, executable } = self;
        let (start, end) = (start as usize, end as usize);
        let constraint = Constraint { id, kind, parameters, quote, start, end };
        let check = Check::of(constraint, language);
        Check { executable: executable && check.executable, ..check }
    }
}
