//! `DELETE /prompt-presets/{id}`

use axum::extract::State;
use domain::PresetId;
use edge::{
    ApiError, Call, Data, Edge,
    input::PathId,
    openapi::{Errors, code},
    permission::PromptsPresetsWrite,
    response::Deleted,
    response::Envelope,
};

use crate::preset::not_found;

/// Delete a preset.
#[utoipa::path(
    delete, path = "/prompt-presets/{id}",
    security(("bearer" = ["prompts:presets:write"])),
    params(PathId<PresetId>),
    responses((status = 200, description = "The preset is deleted.", body = Envelope<Deleted>), Errors<code::NotFound>),
)]
pub async fn delete_preset(
    State(edge): State<Edge>,
    call: Call<PromptsPresetsWrite, PathId<PresetId>>,
) -> Result<Data<Deleted>, ApiError> {
    let (caller, PathId(id)) = call.admit().await?;
    let existed = edge.store().delete_preset(caller.account(), id).await?;
    existed.then(|| Data::new(Deleted::of(id))).ok_or_else(not_found)
}
