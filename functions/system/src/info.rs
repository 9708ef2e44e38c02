//! `GET /`

use axum::extract::State;
use edge::{Data, response::Envelope};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{System, openapi};

/// What answers at this address.
#[derive(Debug, Serialize, ToSchema)]
pub struct ApiInfo {
    /// Name of the service.
    name: &'static str,
    /// Version of the contract.
    #[schema(example = "1.0.0")]
    version: &'static str,
    /// Address of the OpenAPI document.
    #[schema(format = "uri")]
    openapi: String,
    /// Address of the documentation.
    #[schema(format = "uri")]
    documentation: String,
}

/// What answers here.
#[utoipa::path(
    get,
    path = "/",
    operation_id = "getApiInfo",
    tag = "System",
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
