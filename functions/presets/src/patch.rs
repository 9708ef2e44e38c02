//! `PATCH /prompt-presets/{id}`

use axum::extract::State;
use domain::PresetId;
use edge::{
    ApiError, Call, Data, Edge,
    input::{Body, PathId, Values},
    openapi::{Errors, code},
    permission::PromptsPresetsWrite,
    response::Envelope,
};
use serde::Deserialize;
use store::presets::PresetPatch;
use utoipa::ToSchema;

use crate::preset::{Preset, not_found};

/// The properties to change; at least one.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(min_properties = 1)]
pub struct UpdatePreset {
    /// The new name.
    #[schema(nullable = false, min_length = 1, max_length = 120, example = "City trips")]
    name: Option<String>,
    /// Values that replace all saved ones.
    #[schema(nullable = false)]
    values: Option<Values>,
}

/// Change a preset.
///
/// Changes its name, its values, or both. A property that the request does not have keeps its
/// value, even if another request changes it at the same time.
#[utoipa::path(
    patch, path = "/prompt-presets/{id}",
    security(("bearer" = ["prompts:presets:write"])),
    params(PathId<PresetId>),
    request_body = UpdatePreset,
    responses((status = 200, description = "The changed preset.", body = Envelope<Preset>), Errors<(code::ContentTooLarge, code::NotFound, code::QuotaExceeded)>),
)]
pub async fn update_preset(
    State(edge): State<Edge>,
    call: Call<PromptsPresetsWrite, (PathId<PresetId>, Body<UpdatePreset>)>,
) -> Result<Data<Preset>, ApiError> {
    let (caller, (PathId(id), body)) = call.check(Values::check).admit().await?;
    let UpdatePreset { name, values } = body.value;
    let patch = PresetPatch { name, values: values.map(|Values(values)| values) };
    let patched =
        edge.store().patch_preset(caller.account(), id, patch, caller.admission.quotas()).await?;
    patched.map(|preset| Data::new(preset.into())).ok_or_else(not_found)
}
