//! `GET /prompt-presets/{id}/checks`

use axum::extract::State;
use checks::export::ExportQuery;
use domain::{PresetId, preset};
use edge::{
    ApiError, Call, Code, Detail, Edge,
    input::{PathId, Query},
    openapi::{Errors, code},
    permission::PromptsPresetsRead,
    response::File,
};

use crate::preset::not_found;

/// Export a preset's checks.
///
/// A file for a test runner: a configuration of promptfoo, or tests for pytest. It has the preset's prompt, and its
/// saved values as those of a test.
#[utoipa::path(
    get, path = "/prompt-presets/{id}/checks",
    security(("bearer" = ["prompts:presets:read"])),
    params(PathId<PresetId>, ExportQuery),
    responses(
        (status = 200, description = "The file.", content(
            (Object = "application/yaml", example = json!({"description": "Checks of a prompt"})),
            (String = "text/x-python", example = "def test_c1_word_count(answer):\n    ...\n"),
        )),
        Errors<(code::ContentTooLarge, code::ConcurrencyLimitReached, code::NotFound)>,
    ),
)]
pub async fn export_preset_checks(
    State(edge): State<Edge>,
    call: Call<PromptsPresetsRead, (PathId<PresetId>, Query<ExportQuery>)>,
) -> Result<File, ApiError> {
    let store = edge.store();
    let find = |account, (PathId(id), Query(query))| async move {
        let ExportQuery { format } = query;
        Ok((store.preset(account, id).await?, format))
    };
    let (caller, (preset, format)) = call.admit_with(find).await?;
    let preset::Content { prompt_text, values, .. } = preset.ok_or_else(not_found)?.content;
    let filled = checks::filled(&prompt_text, &values).map_err(|message| {
        ApiError::new(Code::ContentTooLarge).with_details(vec![Detail::new("", message)])
    })?;
    let characters = filled.chars().count();
    let write = move || {
        let checks = checks::of(&filled, "en").checks;
        format.write(&prompt_text, &values, &filled, &checks)
    };
    let content = caller.compute(characters, write).await?;
    Ok(File { name: format.file_name(), media_type: format.media_type(), content })
}
