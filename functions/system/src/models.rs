//! `GET /models`

use edge::{ApiError, Call, Data, permission::AnyScope, response::Envelope};
use engine::{Model, TargetModel, catalogue};
use serde::Serialize;
use utoipa::ToSchema;

/// The target models.
#[derive(Debug, Serialize, ToSchema)]
pub struct Models {
    /// All target models.
    items: &'static [Model],
    /// The model that is used when a request names none.
    default: TargetModel,
}

/// List the target models.
#[utoipa::path(
    get, path = "/models",
    security(("bearer" = [])),
    responses((status = 200, description = "The target models.", body = Envelope<Models>)),
)]
pub async fn list_models(call: Call<AnyScope, ()>) -> Result<Data<Models>, ApiError> {
    call.admit().await?;
    Ok(Data::new(Models { items: catalogue(), default: TargetModel::default() }))
}
