//! `GET /prompt-presets/{id}`

use axum::extract::State;
use domain::PresetId;
use edge::{
    ApiError, Call, Data, Edge,
    input::PathId,
    openapi::{Errors, code},
    permission::PromptsPresetsRead,
    response::Envelope,
};

use crate::preset::{Preset, not_found};

/// Read a preset.
#[utoipa::path(
    get, path = "/prompt-presets/{id}",
    security(("bearer" = ["prompts:presets:read"])),
    params(PathId<PresetId>),
    responses((status = 200, description = "The preset.", body = Envelope<Preset>), Errors<code::NotFound>),
)]
pub async fn get_preset(
    State(edge): State<Edge>,
    call: Call<PromptsPresetsRead, PathId<PresetId>>,
) -> Result<Data<Preset>, ApiError> {
    let store = edge.store();
    let find = |account, PathId(id)| async move { Ok(store.preset(account, id).await?) };
    let (_, found) = call.admit_with(find).await?;
    found.map(|preset| Data::new(preset.into())).ok_or_else(not_found)
}
