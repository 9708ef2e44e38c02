//! `POST /prompt-presets`

use axum::extract::State;
use domain::{PresetId, preset::Content};
use edge::{
    ApiError, Call, Data, Edge,
    input::{Body, Values},
    openapi::{Errors, code},
    permission::PromptsPresetsWrite,
    response::Envelope,
};
use serde::Deserialize;
use store::list::offset_index::List;
use utoipa::ToSchema;

use crate::preset::Preset;

/// A prompt with variables, and their values.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatePreset {
    /// Its name.
    #[schema(min_length = 1, max_length = 120, example = "City trips")]
    name: String,
    /// Title of the template that it was made from.
    #[schema(max_length = 200, example = "Trip planner")]
    template_title: Option<String>,
    /// The prompt, with `{{variable}}` markers.
    #[schema(
        min_length = 1,
        max_length = 20000,
        example = "Plan three days in {{city}} for {{travellers}}."
    )]
    prompt_text: String,
    /// Values to save. A variable may have no value, and a value may have no variable.
    values: Values,
    /// The generation that the prompt comes from; stored as given.
    #[schema(max_length = 191)]
    generation_id: Option<String>,
    /// The version that the prompt comes from; stored as given.
    #[schema(max_length = 191)]
    generated_version_id: Option<String>,
}

impl CreatePreset {
    fn into_preset(self, edge: &Edge) -> domain::Preset {
        domain::Preset {
            id: PresetId::new(edge.clock(), &**edge.store().random()),
            name: self.name,
            content: Content {
                template_title: self.template_title,
                prompt_text: self.prompt_text,
                values: self.values.0,
                generation_id: self.generation_id,
                generated_version_id: self.generated_version_id,
            },
            updated_at: edge.clock().now(),
        }
    }
}

/// Create a preset.
#[utoipa::path(
    post, path = "/prompt-presets",
    security(("bearer" = ["prompts:presets:write"])),
    request_body = CreatePreset,
    responses((status = 200, description = "The preset.", body = Envelope<Preset>), Errors<(code::ContentTooLarge, code::QuotaExceeded)>),
)]
pub async fn create_preset(
    State(edge): State<Edge>,
    call: Call<PromptsPresetsWrite, Body<CreatePreset>>,
) -> Result<Data<Preset>, ApiError> {
    let store = edge.store();
    let prepare = |account, body: Body<CreatePreset>| async move {
        Ok((body, store.offset_index(List::presets(account)).await?))
    };
    let (caller, (body, offset_index)) = call.check(Values::check).admit_with(prepare).await?;
    let preset = body.value.into_preset(&edge);
    let quotas = caller.admission.quotas();
    store.create_preset(caller.account(), &preset, quotas, offset_index).await?;
    Ok(Data::new(preset.into()))
}
