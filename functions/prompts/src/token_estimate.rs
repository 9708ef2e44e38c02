//! `POST /prompts/token-estimate`

use edge::{
    ApiError, Call, Data,
    input::Body,
    openapi::{Errors, code},
    permission::UsageRead,
    response::Envelope,
};
use engine::tokens::{self, Measure};
use serde::Deserialize;
use utoipa::ToSchema;

/// A prompt to measure.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TokenEstimateRequest {
    /// The prompt.
    #[schema(max_length = 200000, example = "Summarize the text below in three bullet points.")]
    prompt: String,
}

/// Estimate a prompt's tokens.
///
/// Costs no credit. Exact for models with a public vocabulary, otherwise marked as approximate.
#[utoipa::path(
    post, path = "/prompts/token-estimate",
    security(("bearer" = ["usage:read"])),
    request_body = TokenEstimateRequest,
    responses(
        (status = 200, description = "The prompt's size.", body = Envelope<Measure>),
        Errors<code::ContentTooLarge>,
    ),
)]
pub async fn estimate_prompt_tokens(
    call: Call<UsageRead, Body<TokenEstimateRequest>>,
) -> Result<Data<Measure>, ApiError> {
    let (caller, Body { value: TokenEstimateRequest { prompt }, .. }) = call.admit().await?;
    let steps = compute::steps(prompt.chars().count());
    let measured = compute::run(caller.account(), steps, async move { tokens::measure(&prompt) });
    Ok(Data::new(measured.await?))
}
