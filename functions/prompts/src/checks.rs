//! `POST /prompts/checks`

use checks::{Check, Coverage};
use domain::preset;
use edge::{
    ApiError, Call, Code, Data, Detail,
    input::{Body, Values},
    openapi::{Errors, code},
    permission::PromptsAnalyze,
    response::Envelope,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::fields::Language;

/// A prompt that says what its answers must be like.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChecksRequest {
    /// The prompt.
    #[schema(
        min_length = 1,
        max_length = 50000,
        example = "Describe our tea in at most 40 words. Do not use the word \"luxury\"."
    )]
    pub(crate) prompt: String,
    /// Values for its variables; a marker without a value stays.
    #[serde(default)]
    #[schema(required = false)]
    pub(crate) values: Values,
    /// Language of the descriptions.
    #[serde(default)]
    pub(crate) language: Language,
}

/// The checks of a prompt.
#[derive(Debug, Serialize, ToSchema)]
pub struct PromptChecks {
    /// The prompt with its values. Offsets count in it.
    #[schema(example = "Describe our tea in at most 40 words. Do not use the word \"luxury\".")]
    prompt: String,
    /// The checks in the order of their statements.
    checks: Vec<Check>,
    /// How much of what the prompt demands became a check.
    coverage: Coverage,
}

/// Read a prompt's checks.
///
/// Costs no credit, and nothing is stored. What the prompt demands of its answers becomes a check where a program can
/// tell whether an answer obeys; the same text always has the same checks. `coverage` names the demands that became
/// none. `POST /prompts/checks/run` holds answers against them.
#[utoipa::path(
    post, path = "/prompts/checks",
    security(("bearer" = ["prompts:analyze"])),
    request_body = ChecksRequest,
    responses(
        (status = 200, description = "The checks.", body = Envelope<PromptChecks>),
        Errors<(code::ContentTooLarge, code::ConcurrencyLimitReached)>,
    ),
)]
pub async fn read_prompt_checks(
    call: Call<PromptsAnalyze, Body<ChecksRequest>>,
) -> Result<Data<PromptChecks>, ApiError> {
    let call = call.check(Values::check);
    let (caller, Body { value: request, .. }) = call.admit().await?;
    let language = request.language.tag();
    let prompt = filled(&request.prompt, &request.values.fitting()?)?;
    let characters = prompt.chars().count();
    let read = move || {
        let checks::Reading { checks, coverage } = checks::of(&prompt, &language);
        PromptChecks { prompt, checks, coverage }
    };
    Ok(Data::new(caller.compute(characters, read).await?))
}

/// A prompt with values in place of its variables.
///
/// # Errors
///
/// It is too large with them.
pub fn filled(prompt: &str, values: &preset::Values) -> Result<String, ApiError> {
    checks::filled(prompt, values).map_err(|message| {
        ApiError::new(Code::ContentTooLarge).with_details(vec![Detail::new("/values", message)])
    })
}
