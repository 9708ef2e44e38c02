//! `POST /prompt-presets/{id}/render`

use axum::extract::State;
use domain::PresetId;
use edge::{
    ApiError, Call, Code, Data, Detail, Edge,
    input::{OptionalBody, PathId, Values},
    openapi::{Errors, code},
    permission::PromptsPresetsRead,
    response::Envelope,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::preset::not_found;

/// Values for this rendering.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RenderPreset {
    /// Values that take precedence over the saved ones.
    #[serde(default)]
    #[schema(required = false)]
    values: Values,
}

/// A preset with values in place of its markers.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RenderedPreset {
    /// Identifier of the preset.
    preset_id: PresetId,
    /// The prompt.
    #[schema(example = "Plan three days in Lisbon.")]
    text: String,
    /// Variables that were replaced, in order of first use.
    used_variables: Vec<String>,
    /// Variables without a value, in order of first use; their markers are unchanged.
    missing_variables: Vec<String>,
    /// Names of values without a marker.
    unused_values: Vec<String>,
}

/// Render a preset.
///
/// Replaces markers by the values of the request or, without one, by saved values. A marker in a
/// value is not replaced. The result has at most 5,000,000 bytes. The response has at most
/// 6,200,000 bytes, counted as a JSON string, in which quotes, backslashes and control characters
/// take several bytes.
#[utoipa::path(
    post, path = "/prompt-presets/{id}/render",
    security(("bearer" = ["prompts:presets:read"])),
    params(PathId<PresetId>),
    request_body = Option<RenderPreset>,
    responses(
        (status = 200, description = "The rendered preset.", body = Envelope<RenderedPreset>),
        Errors<(code::ContentTooLarge, code::NotFound)>,
    ),
)]
pub async fn render_preset(
    State(edge): State<Edge>,
    call: Call<PromptsPresetsRead, (PathId<PresetId>, OptionalBody<RenderPreset>)>,
) -> Result<Data<RenderedPreset>, ApiError> {
    let store = edge.store();
    let find = |account, (PathId(id), OptionalBody(body))| async move {
        let body: RenderPreset = body;
        Ok((store.preset(account, id).await?, body.values.0))
    };
    let (_, (preset, overrides)) = call.check(Values::check).admit_with(find).await?;
    let preset = preset.ok_or_else(not_found)?;
    let rendered = preset.render(overrides).map_err(|error| {
        let detail = Detail::new("/values", error.to_string());
        ApiError::new(Code::ContentTooLarge).with_details(vec![detail])
    })?;
    Ok(Data::new(RenderedPreset {
        preset_id: preset.id,
        text: rendered.text,
        used_variables: rendered.used,
        missing_variables: rendered.missing,
        unused_values: rendered.unused,
    }))
}
