//! `POST /prompts/token-estimate`

use edge::{ApiError, Call, Data, input::Body, permission::UsageRead, response::Envelope};
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
    responses((status = 200, description = "The prompt's size.", body = Envelope<Measure>)),
)]
pub async fn estimate_prompt_tokens(
    call: Call<UsageRead, Body<TokenEstimateRequest>>,
) -> Result<Data<Measure>, ApiError> {
    let (_, body) = call.admit().await?;
    Ok(Data::new(tokens::measure(&body.value.prompt)))
}
