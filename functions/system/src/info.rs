//! `GET /`

use axum::extract::State;
use edge::{Data, response::Envelope};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{System, openapi};

/// Basic facts about this service.
#[derive(Debug, Serialize, ToSchema)]
pub struct ApiInfo {
    /// Name of the service.
    name: &'static str,
    /// Version of the API contract.
    #[schema(example = "1.0.0")]
    version: &'static str,
    /// URL of the OpenAPI document.
    #[schema(format = "uri")]
    openapi: String,
    /// URL of the documentation.
    #[schema(format = "uri")]
    documentation: String,
}

/// Read the service's name, version and addresses.
#[utoipa::path(
    get, path = "/",
    security(()),
    responses((status = 200, description = "Name, version and addresses.", body = Envelope<ApiInfo>)),
)]
pub async fn get_api_info(State(system): State<System>) -> Data<ApiInfo> {
    Data::new(ApiInfo {
        name: "Prompt Workflow Service",
        version: "1.0.0",
        openapi: openapi::url(&system.edge),
        documentation: system.documentation,
    })
}
