//! `POST /prompts/checks/export`

use checks::export::ExportQuery;
use edge::{
    ApiError, Call,
    input::{Body, Query, Values},
    openapi::{Errors, code},
    permission::PromptsAnalyze,
    response::File,
};

use crate::checks::{ChecksRequest, filled};

/// Export a prompt's checks.
///
/// A file for a test runner: a configuration of promptfoo, or tests for pytest. It has the prompt with its variables,
/// and the values as those of a test. Costs no credit.
#[utoipa::path(
    post, path = "/prompts/checks/export",
    security(("bearer" = ["prompts:analyze"])),
    params(ExportQuery),
    request_body = ChecksRequest,
    responses(
        (status = 200, description = "The file.", content(
            (Object = "application/yaml", example = json!({"description": "Checks of a prompt"})),
            (String = "text/x-python", example = "def test_c1_word_count(answer):\n    ...\n"),
        )),
        Errors<(code::ContentTooLarge, code::ConcurrencyLimitReached)>,
    ),
)]
pub async fn export_prompt_checks(
    call: Call<PromptsAnalyze, (Query<ExportQuery>, Body<ChecksRequest>)>,
) -> Result<File, ApiError> {
    let call = call.check(Values::check);
    let (caller, (Query(query), Body { value: request, .. })) = call.admit().await?;
    let language = request.language.tag();
    let values = request.values.fitting()?;
    let filled = filled(&request.prompt, &values)?;
    let (format, characters) = (query.format, filled.chars().count());
    let write = move || {
        let checks = checks::of(&filled, &language).checks;
        format.write(&request.prompt, &values, &filled, &checks)
    };
    let content = caller.compute(characters, write).await?;
    Ok(File { name: format.file_name(), media_type: format.media_type(), content })
}
